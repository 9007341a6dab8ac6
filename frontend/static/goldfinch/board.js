// The board follows what happens: every 15 seconds it asks what has changed, and puts in the parts that differ.
import { get, goTo, pageOf } from "./fetching.js";
import { isSignedOut } from "./signin.js";
const EVERY = 15000;
const board = document.querySelector("[data-board]");
let asked = 0; // the number of the last request
let told = 0; // that of the newest one that was answered

// A part that somebody is using stays as it is until they leave it.
/** @param {HTMLElement} part */
function inUse(part) {
  return part.contains(document.activeElement) || part.querySelector("details[open], :popover-open");
}

/** @param {Document} page */
function put(page) {
  let whole = true;
  for (const fresh of page.querySelectorAll("[data-live]")) {
    const old = document.getElementById(fresh.id);
    if (!old || old.outerHTML === fresh.outerHTML) continue;
    if (inUse(old)) whole = false;
    else old.replaceWith(document.adoptNode(fresh));
  }
  return whole;
}

// Who may not read the board any more (404) is shown that; who was signed out, too, unless they are writing something.
/** @param {Response} answer */
function isOver(answer) {
  return answer.status === 404 || (isSignedOut(answer) && !inUse(board));
}

async function look() {
  if (document.hidden) return;
  asked += 1;
  const number = asked;
  const answer = await get(`${board.dataset.board}&seen=${board.dataset.seen}`);
  if (!answer) return;
  /** @type {string} */
  let text;
  try { text = await answer.text(); } catch { return; }
  if (number < told) return; // an older answer that came late
  const seen = answer.headers.get("X-Goldfinch-Seen");
  told = number;
  if (isOver(answer)) {
    goTo();
  } else if (answer.status === 204) {
    const age = board.querySelector("[data-age]");
    if (age) age.dataset.age = answer.headers.get("X-Goldfinch-Measured");
    board.dataset.seen = seen;
  } else if (answer.ok && seen) {
    if (put(pageOf(text))) board.dataset.seen = seen;
  }
}

// How long ago the numbers were measured, to the second.
function tick() {
  const age = board.querySelector("[data-age]");
  const at = Date.parse(age?.dataset.age);
  if (Number.isNaN(at)) return;
  const seconds = Math.max(1, Math.round((Date.now() - at) / 1000));
  const text = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  age.textContent = board.dataset.ago.replace("%s", text);
}

if (board) {
  setInterval(look, EVERY);
  setInterval(tick, 1000);
  document.addEventListener("visibilitychange", look);
}
