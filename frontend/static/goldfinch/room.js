// The room of a meeting. Forms are sent and their answer is shown in place; what others do is fetched when the socket
// says so, or every few seconds. Only parts that differ are exchanged, so that fields keep unsent words and the focus.
import { get, goTo, OneAtATime, pageOf, post } from "./fetching.js";
import { keepForms } from "./kept_forms.js";
import { isConnected, onPoke } from "./socket.js";
import { everySecond } from "./ticking.js";

const POLL = 3; // seconds
const CONNECTED = 10; // seconds; the polls say that one is in the room, so they go on beside the socket

const room = () => document.getElementById("room");
/** @type {(what: string) => HTMLElement} */
const find = (what) => room().querySelector(what);
let [ticks, sends, sending] = [0, 0, 0];

// The words in it that nobody but this person has seen.
/** @param {HTMLElement} root */
function unsent(root) {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (
    root.querySelectorAll("form[data-kept] :is(input:not([type=hidden], [type=radio]), textarea)"));
  return [...fields].filter((field) => field.value.trim() && field.value !== field.defaultValue);
}

// What a part shows: every answer has another token in its forms, and what was opened stays open.
/** @param {HTMLElement} part */
function plain(part) {
  const copy = /** @type {HTMLElement} */ (part.cloneNode(true));
  for (const field of copy.querySelectorAll("[name=csrfmiddlewaretoken]")) field.remove();
  for (const each of copy.querySelectorAll("details")) each.removeAttribute("open");
  return copy.outerHTML;
}

// Where the focus is in a part, and what was opened there, stays.
/** @param {HTMLElement} old @param {HTMLElement} fresh */
function exchange(old, fresh) {
  if (plain(old) === plain(fresh)) return;
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const within = old.contains(focused);
  const { name = "", value = "" } = /** @type {HTMLButtonElement} */ (focused);
  const open = [...old.querySelectorAll("details")].map((each) => each.open);
  if (old.hasAttribute("data-open")) fresh.toggleAttribute("data-open", true);
  old.replaceWith(fresh);
  for (const [at, each] of fresh.querySelectorAll("details").entries()) each.open = open[at] ?? each.open;
  if (!within) return;
  const same = name && fresh.querySelector(`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
  const next = /** @type {HTMLElement} */ (same || fresh.querySelector("button, a") || find(".prompt h1"));
  next.focus({ preventScroll: true });
}

// What others have said and proposed meanwhile, for who can't see it.
/** @param {HTMLElement} fresh @param {boolean} mine */
function news(fresh, mine) {
  const known = new Set([...room().querySelectorAll("[data-argument]")].map((each) => each.dataset.argument));
  const said = mine ? [] : [...fresh.querySelectorAll("[data-argument]")].filter(
    (each) => !known.has(each.dataset.argument),
  );
  const [before, after] = [room(), fresh].map((each) => each.querySelector("#grip-says")?.textContent.trim() ?? "");
  return [...said.map((each) => each.textContent), before === after ? "" : after].join(" ").replace(/\s+/g, " ").trim();
}

/** @param {string} text @param {string} [kind] */
function notice(text, kind = "gold") {
  const box = document.createElement("div");
  box.className = `alert ${kind}`;
  box.setAttribute("role", "status");
  box.textContent = text;
  find("#notices").replaceChildren(box);
}

// `mine`: it is the answer to what this person has sent.
/** @param {HTMLElement} fresh @param {{ mine?: boolean }} [options] */
function show(fresh, { mine = false } = {}) {
  const old = room();
  const elsewhere = fresh.dataset.exhibit !== old.dataset.exhibit;
  const left = mine ? [] : unsent(old);
  if (elsewhere && left.length) {
    if (!find("#notices").textContent.includes(old.dataset.goneOn)) notice(old.dataset.goneOn);
    return;
  }
  if ("onlyParts" in fresh.dataset && fresh.dataset.shape !== old.dataset.shape) { polls.ask(); return; }
  const text = news(fresh, mine);
  if (fresh.dataset.shape === old.dataset.shape) {
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (fresh.querySelectorAll("[data-part]"))) {
      const before = document.getElementById(part.id);
      if (before) exchange(before, part);
    }
  } else {
    const focused = old.contains(document.activeElement);
    const opened = [...old.querySelectorAll(".answer[data-open]")].length > 0;
    if (!mine) fresh.querySelector("#notices").replaceChildren(...find("#notices").children);
    old.replaceWith(fresh);
    const lost = left.filter((field) => !document.getElementById(field.id));
    if (lost.length) notice(`${fresh.dataset.notSent} ${lost.map((field) => field.value).join(" ")}`);
    if (opened) toggle(find(".answer"), true);
    begin();
    if (focused) find(".prompt h1").focus({ preventScroll: !elsewhere });
  }
  if (text) find("[data-live]").textContent = text;
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function send(form, submitter) {
  sends += 1;
  sending += 1;
  const answer = await post(form.action, new FormData(form, submitter));
  sending -= 1;
  const page = answer && pageOf(await answer.text());
  const fresh = page?.getElementById("room");
  if (!answer || answer.status >= 500) {
    find("[data-connection]").textContent = room().dataset.lost;
    form.dispatchEvent(new Event("input", { bubbles: true })); // it is kept again
    return;
  }
  if (!answer.ok || !fresh) { goTo(); return; }
  find("[data-connection]").textContent = "";
  const said = page.querySelector("#notices");
  const refused = Boolean(said.querySelector(".bad"));
  find("#notices").replaceChildren(...[...said.children].map((each) => document.importNode(each, true)));
  if (refused) form.dispatchEvent(new Event("input", { bubbles: true }));
  const { elements } = form;
  if (elements.namedItem("key") && !refused) {
    form.reset();
    const key = /** @type {HTMLInputElement | null} */ (fresh.querySelector("form[data-kept] [name=key]"));
    if (key) /** @type {HTMLInputElement} */ (elements.namedItem("key")).value = key.value;
  }
  history.replaceState(null, "", answer.url);
  show(document.adoptNode(fresh), { mine: true });
  room().dataset.url = fresh.dataset.url;
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.closest("#room .frame") || form.closest("[popover]") || "leaves" in form.dataset) return;
  event.preventDefault();
  send(form, event.submitter);
}, { capture: true });

// On a narrow screen the agenda and the card of the consensus open over the text.
/** @param {HTMLElement} panel @param {boolean} open */
function toggle(panel, open) {
  panel.toggleAttribute("data-open", open);
  for (const button of room().querySelectorAll(`[data-toggles="${panel.id}"]`)) {
    button.setAttribute("aria-expanded", String(open));
  }
}
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#room [data-toggles]");
  const panel = button && document.getElementById(button.dataset.toggles);
  if (panel) toggle(panel, !panel.hasAttribute("data-open"));
});

const polls = new OneAtATime(async () => {
  const before = sends;
  // Of what this page shows already, the agenda and all that is no part are not sent again.
  const known = { "X-Shape": room().dataset.shape, "X-Agenda": find("#agenda").dataset.agenda };
  const answer = await get(room().dataset.url, { headers: { "X-Part": "1", ...known } });
  if (!answer || answer.status >= 500) {
    find("[data-connection]").textContent = room().dataset.lost;
    return;
  }
  const go = answer.headers.get("X-Go");
  if (go) { goTo(go); return; }
  const fresh = pageOf(await answer.text()).getElementById("room");
  if (!answer.ok || answer.redirected || !fresh) { goTo(); return; }
  find("[data-connection]").textContent = "";
  if (before === sends && !sending) show(document.adoptNode(fresh));
});

function tick() {
  ticks += 1;
  if ("socket" in room().dataset && ticks % (isConnected() ? CONNECTED : POLL) === 0 && !polls.isUnderWay) polls.ask();
}

function begin() {
  keepForms(room());
  const prompt = find(".prompt");
  room().style.setProperty("--prompt-height", `${prompt.offsetHeight}px`);
}

const prompt = find(".prompt");
room().style.setProperty("--prompt-height", `${prompt.offsetHeight}px`);
if ("socket" in room().dataset) {
  everySecond(tick);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) polls.ask(); });
  onPoke("room", () => polls.ask());
}
