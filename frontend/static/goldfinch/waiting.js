// While the partner has the word.
import { follow } from "./talk.js";
/** @import { Screen } from "./screen.js" */

// Where ↑ has a meaning of its own.
const SCROLLS = ".material, [data-turns], dialog, :popover-open, select, input, textarea";

/** @param {Screen} screen @returns {null} */
export function start(screen) {
  follow(screen);
  const withdraw = screen.find("[data-withdraw]");
  document.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!withdraw || withdraw.closest("[data-begun]") || event.repeat || event.target.closest(SCROLLS)) return;
    event.preventDefault();
    withdraw.click();
  }, { signal: screen.signal });
  return null;
}
