// What opens over a page and is no <dialog>. One that decides something dims the page, so Tab stays in it; a menu is
// closed once the focus is elsewhere. To open them, to close them by Escape and to give the focus back is left to
// browsers.
const STOPS = ["a[href]", "button", "input:not([type=hidden])", "select", "textarea"]
  .map((one) => `${one}:not(:disabled)`).join(", ");

// Where Tab stops in it, in order; of a group of radio buttons only at the chosen one.
/** @param {Element} dialog */
function stopsIn(dialog) {
  return /** @type {HTMLInputElement[]} */ ([...dialog.querySelectorAll(STOPS)])
    .filter((one) => !one.closest("[hidden]") && (one.type !== "radio" || one.checked));
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
  const dialog = document.querySelector("[role=dialog]:popover-open");
  if (!dialog) return;
  const stops = stopsIn(dialog);
  const [last, first] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (dialog.contains(document.activeElement) && document.activeElement !== last) return;
  event.preventDefault();
  first?.focus();
});

document.addEventListener("focusin", ({ target }) => {
  const menu = /** @type {HTMLElement} */ (document.querySelector("[popover]:not([role=dialog]):popover-open"));
  const opener = target.closest("[popovertarget]")?.getAttribute("popovertarget");
  if (menu && !menu.contains(target) && opener !== menu.id) menu.hidePopover();
});
