// The search page: its keys, and undoing a skip.
import { GuidelinesPanel } from "./guidelines_panel.js";
import { Keys, keyRows } from "./keys.js";
import "./page_time.js";
import { Voice } from "./say.js";
import { setTimeout } from "./settled.js";

const root = document.querySelector("[data-search]");
const field = root.querySelector("[name=q]");
const dialog = root.querySelector("dialog#keys");
const results = [...root.querySelectorAll("[data-result]")];
const voice = new Voice(root);
const keys = new Keys({ changed() {} });

/** @param {HTMLElement} result */
const button = (result) => result.querySelector("button");

// Starts at the first result; the focus ring shows the current one.
/** @param {number} by */
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
keys.bind(["j", "k"], (key) => step(key === "j" ? 1 : -1), { label: voice.text("key-results"), repeats: true });
keys.bind("Enter", () => {}, { label: voice.text("key-open") });
keys.bind("r", () => root.querySelector("[data-random]").click(), { label: voice.text("key-random") });
const undo = root.querySelector("form[data-undo]"); // for as long as the server accepts it
if (undo) {
  keys.bind("u", () => undo.isConnected && undo.requestSubmit(), { label: voice.text("key-undo") });
  setTimeout(() => undo.remove(), Number(undo.dataset.undo));
}
keys.bind("Escape", () => { if (document.activeElement === field) field.blur(); }, { label: voice.text("key-leave") });
keys.bind("Alt+g", () => root.querySelector("[data-guidelines]").click(), { label: voice.text("key-guidelines") });
keys.bind("?", openKeys, { label: voice.text("key-keys") });
document.addEventListener("keydown", (event) => {
  if (event.target === field && event.key === "ArrowDown" && results.length) {
    event.preventDefault();
    return step(1);
  }
  return keys.press(event);
});
const guidelines = new GuidelinesPanel(root.querySelector("dialog#guidelines"));
const link = root.querySelector("a[data-guidelines]");
link.addEventListener("click", (event) => guidelines.open(event, link));
root.querySelector("[data-open-keys]").addEventListener("click", openKeys);
dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
// Without results, typing goes to the search field. With results, letters are shortcuts.
if (!results.length) field.focus();
