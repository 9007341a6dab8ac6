// A page on which a piece was moved comes again: the same button has the focus, so that it can be pressed once more.
// After copying, the copy has it; after deleting, the button that takes that back.
const form = /** @type {HTMLFormElement} */ (document.getElementById("arrange"));
const here = new URL(location.href);
const PRESSED = "goldfinch:arranged";

/** @param {string} kept */
function keep(kept) {
  try { sessionStorage.setItem(PRESSED, kept); } catch { /* the focus begins at the top of the page */ }
}

/** The path of the page and the value of the button that was pressed last; each is told once. */
function pressed() {
  try {
    const kept = sessionStorage.getItem(PRESSED) ?? "";
    sessionStorage.removeItem(PRESSED);
    return kept.split(" ");
  } catch {
    return [];
  }
}

/** @param {string} act */
function target(act) {
  const [how, key] = act.split(":");
  if (how === "delete") return document.querySelector(".page-messages button");
  if (how === "copy") return document.getElementById(here.hash.slice(1))?.querySelector("a");
  const ways = [act, ...["up", "down"].map((way) => `${way}:${key}`)]; // at an end, the way back
  const buttons = /** @type {HTMLButtonElement[]} */ ([...form.elements]);
  return ways.map((way) => buttons.find((each) => each.value === way)).find((button) => button && !button.disabled);
}

form?.addEventListener("submit", (event) => {
  keep(`${here.pathname} ${/** @type {HTMLButtonElement} */ (event.submitter).value}`);
});
const [path, act] = pressed();
const focus = () => /** @type {HTMLElement} */ (target(act))?.focus();
if (form && path === here.pathname) {
  if (document.readyState === "complete") focus();
  else addEventListener("load", focus); // until then the browser may go to the fragment, which takes the focus away
}
