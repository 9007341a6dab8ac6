// Buttons that copy the text of a field, named by data-copy. Without a clipboard (plain HTTP) the field is selected.
// They are hidden until they work, here and in what htmx brings later.
import { setTimeout } from "./settled.js";
function prepare() {
  for (const button of document.querySelectorAll("[data-copy][hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
}

/** @param {HTMLElement} button */
async function copy(button) {
  const [word, done] = button.querySelectorAll("span");
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy));
  field.focus();
  field.select();
  const copied = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
  if (!copied && !document.execCommand("copy")) return;
  button.focus();
  [word.hidden, done.hidden] = [true, false];
  setTimeout(() => { [word.hidden, done.hidden] = [false, true]; }, 2000);
}

prepare();
document.addEventListener("htmx:load", prepare);
