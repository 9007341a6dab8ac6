// The keys of the search page: results up and down, opening one, the search field, some at random,
// and which keys there are.
import { Keys, keyRows } from "./keys.js";
import { Presence } from "./presence.js";
import { Voice } from "./say.js";
import { token } from "./token.js";

const BEAT = 60_000; // so much reading at most is lost with a browser that dies

const root = document.querySelector("[data-search]");
const field = root.querySelector("[name=q]");
const dialog = root.querySelector("dialog#keys");
const results = [...root.querySelectorAll("[data-result]")];
const voice = new Voice(root);
const keys = new Keys({ changed() {} });

// How long the page was in sight, told when it is left and now and then.
const presence = new Presence(new AbortController().signal);

function tell() {
  const spent = presence.take();
  if (!spent) return;
  const body = new FormData();
  const { timeNote: note, urlTime } = root.dataset;
  const fields = { ...spent, note, csrfmiddlewaretoken: token(root) };
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  navigator.sendBeacon(urlTime, body);
}

for (const type of ["pointerdown", "keydown", "wheel", "touchmove"]) {
  document.addEventListener(type, () => presence.input(), { passive: true, capture: true });
}
document.addEventListener("visibilitychange", () => { if (document.hidden) tell(); });
addEventListener("pagehide", tell);
setInterval(() => { if (presence.watched) tell(); }, BEAT);

const button = (result) => result.querySelector("button");

// The first time, the first one; the page's own focus ring says where one is.
function step(by) {
  const at = results.findIndex((result) => result.contains(document.activeElement));
  const to = at < 0 ? 0 : Math.min(Math.max(0, at + by), results.length - 1);
  if (!results[to]) return;
  button(results[to]).focus({ preventScroll: true });
  results[to].scrollIntoView({ block: "nearest" });
}

function openKeys() {
  dialog.querySelector("[data-keymap]").replaceChildren(...keyRows(keys.map()));
  dialog.showModal();
}

keys.bind("/", () => { field.focus(); field.select(); }, { label: voice.text("key-search") });
keys.bind(["j", "k"], (key) => step(key === "j" ? 1 : -1), { label: voice.text("key-results") });
keys.bind("Enter", () => {}, { label: voice.text("key-open") });
keys.bind("r", () => root.querySelector("[data-random]").click(), { label: voice.text("key-random") });
const undo = root.querySelector("[data-undo]"); // a skip is taken back for as long as the server does
if (undo) {
  keys.bind("u", () => undo.isConnected && undo.requestSubmit(), { label: voice.text("key-undo") });
  setTimeout(() => undo.remove(), Number(undo.dataset.undo));
}
keys.bind("Escape", () => { if (document.activeElement === field) field.blur(); }, { label: voice.text("key-leave") });
keys.bind("Alt+g", () => root.querySelector("[data-guidelines]").click(), { label: voice.text("key-guidelines") });
keys.bind("?", openKeys, { label: voice.text("key-keys") });
document.addEventListener("keydown", (event) => {
  if (event.target === field && event.key === "ArrowDown" && !event.isComposing && results.length) {
    event.preventDefault();
    return step(1);
  }
  return keys.press(event);
});
root.querySelector("[data-open-keys]").addEventListener("click", openKeys);
dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
// Nothing to choose from yet: what is typed is what to search for. With results, letters are keys.
if (!results.length) field.focus();
