// Menus (popovers): the browser closes them by Escape and clicks of the page, but not by those in a frame.
import { clearTimeout, setTimeout } from "./settled.js";

const TOUCH = 500; // ms after a finger has gone in which its click comes

// Whether a menu was open.
export function closeMenus() {
  const open = [...document.querySelectorAll(":popover-open")];
  for (const menu of open) menu.hidePopover();
  return open.length > 0;
}

// A click that closes a menu does nothing else: what lies below takes no pointer while the menu is open (work.css), nor
// until that click is over, which comes after the menu has closed.
/** @type {number | undefined} */
let over;
/** @param {boolean} on */
const closing = (on) => {
  clearTimeout(over);
  document.body.toggleAttribute("data-closing-menu", on);
};
document.addEventListener("pointerdown", ({ target }) => {
  const menu = document.querySelector(".menu:popover-open");
  if (menu && !menu.contains(target)) closing(true);
}, { capture: true });
document.addEventListener("click", () => closing(false), { capture: true });
for (const type of ["pointerup", "pointercancel"]) {
  document.addEventListener(type, () => {
    if ("closingMenu" in document.body.dataset) over = setTimeout(() => closing(false), TOUCH);
  }, { capture: true });
}
