// The lobby: fetch the part that changes, count the seconds in between, call the person when they are to answer.
import { get, goTo, OneAtATime, pageOf } from "./fetching.js";
import { isConnected, onPoke } from "./socket.js";
import { Sound } from "./sound.js";
import { everySecond } from "./ticking.js";

const POLL = 2; // seconds
const CONNECTED = 10; // seconds; the polls keep the place in line, so they go on beside the socket
const REPEAT = 5; // seconds from one sound to the next

const root = document.querySelector("[data-url]");
const [connection, live] = ["[data-connection]", "[data-live]"].map((name) => root.querySelector(name));
const title = document.title;
const part = () => root.querySelector("[data-lobby]");
const sound = new Sound(root);
let [shownAt, ticks, input, called] = [performance.now(), 0, performance.now(), 0];
let answered = false; // whether the page has at once told of an input since it asked "Still here?"

/** @param {number} seconds */
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function count() {
  const { waited, left, calls } = part().dataset;
  const passed = Math.floor((performance.now() - shownAt) / 1000);
  const rest = Math.max(0, Number(left) - passed);
  for (const each of part().querySelectorAll("[data-clock]")) each.textContent = clock(Number(waited) + passed);
  for (const each of part().querySelectorAll("[data-seconds]")) each.textContent = String(rest);
  for (const each of part().querySelectorAll("progress[data-countdown]")) each.value = rest;
  document.title = calls.trim() && ticks % 2 ? `★ ${calls.trim()} ★` : title;
  call(calls.trim());
}

// Blinking the title is for the eyes; this is for the ears, at once and again while nobody answers.
/** @param {string} calls */
function call(calls) {
  if (!calls) called = 0;
  else if (!called || performance.now() - called >= REPEAT * 1000) {
    called = performance.now();
    sound.play();
  }
}

// The control of a new part that is the one with the focus in the old one; else what the new part asks for, else its
// heading.
/** @param {HTMLElement} fresh @param {HTMLElement} focused */
function counterpart(fresh, focused) {
  const { dataset: { key }, name, value } = /** @type {HTMLButtonElement} */ (focused);
  const same = (key && fresh.querySelector(`[data-key="${key}"]`))
    || (name && fresh.querySelector(`[name="${name}"][value="${value}"]`));
  const heading = fresh.querySelector("h1");
  heading.tabIndex = -1;
  return same || fresh.querySelector('[data-key="h"]') || heading;
}

// A partner who was found and did not begin is missed by who waits again, unless they themselves were.
/** @param {HTMLElement} old @param {HTMLElement} fresh */
function notFound(old, fresh) {
  if (old.dataset.state !== "offered" || fresh.dataset.state !== "waiting" || "missed" in fresh.dataset) return null;
  const note = document.importNode(root.querySelector("template[data-not-found]").content, true).firstElementChild;
  fresh.querySelector("h1").parentElement.after(note);
  return note;
}

// Buttons stay the same elements while only numbers change, so that a press or the focus is never lost.
/** @param {HTMLElement} fresh */
function show(fresh) {
  const old = part();
  shownAt = performance.now();
  if (fresh.dataset.version === old.dataset.version) {
    Object.assign(old.dataset, fresh.dataset);
    old.querySelector("[data-facts]").replaceWith(fresh.querySelector("[data-facts]"));
  } else {
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const lost = old.contains(focused);
    old.replaceWith(fresh);
    answered = false;
    if (lost) counterpart(fresh, focused).focus();
    const said = [fresh.querySelector("h1"), notFound(old, fresh)].map((one) => one?.textContent ?? "");
    live.textContent = said.join(" ").trim().replace(/\s+/g, " ");
  }
  count();
}

const polls = new OneAtATime(async () => {
  try {
    const idle = Math.round((performance.now() - input) / 1000);
    const answer = await get(root.dataset.url, { headers: { "X-Part": "1", "X-Idle": String(idle) } });
    const go = answer.headers.get("X-Go");
    if (go) return goTo(go);
    const fresh = pageOf(await answer.text()).querySelector("[data-lobby]");
    if (answer.ok && fresh && !answer.redirected) {
      connection.textContent = "";
      show(document.adoptNode(fresh));
    } else if (answer.status < 500) goTo(); // signed out, or no longer a member: the page says so
  } catch {
    connection.textContent = root.dataset.lost;
  }
  return undefined;
});

function poll() {
  if (!polls.isUnderWay) polls.ask();
}

function tick() {
  ticks += 1;
  count();
  const { state } = part().dataset;
  if (state && ticks % (isConnected() && state !== "offered" ? CONNECTED : POLL) === 0) poll();
}

// Any input says that the person is here. Where they were asked, the server learns it now: with the next poll it may be
// too late. A poll that is under way tells of no input, so another one follows it.
function noteInput() {
  input = performance.now();
  const { state, calls } = part().dataset;
  if (state !== "waiting" || !calls.trim() || answered) return;
  answered = true;
  polls.ask();
}

for (const type of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"]) {
  addEventListener(type, noteInput, { passive: true });
}
if (part().dataset.state) {
  everySecond(tick);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
  onPoke("lobby", () => polls.ask());
}
