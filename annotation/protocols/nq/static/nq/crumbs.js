// Breadcrumbs of a box: its section, the enclosing boxes as buttons, and the box itself.
import { make } from "../goldfinch/say.js";
/** @import { Boxes } from "./boxes.js" */

// `go` is called with the index of the clicked box; null: no buttons. `whole`: all headings above it.
/**
 * @param {HTMLElement} list
 * @param {Boxes} boxes
 * @param {number} index
 * @param {((index: number) => void) | null} go
 * @param {{ whole?: boolean }} [options]
 */
export function drawCrumbs(list, boxes, index, go, { whole = false } = {}) {
  const headings = boxes.get(index).headings.slice(whole ? 0 : -1);
  const path = boxes.path(index);
  const steps = path.map((at, i) => {
    if (i === path.length - 1) return make("li", {}, make("span", { "aria-current": "true" }, boxes.step(at)));
    const words = boxes.step(at);
    return make("li", {}, go ? make("button", { type: "button", on: () => go(at) }, words) : make("span", {}, words));
  });
  /** @param {string} heading */
  const section = (heading) => make("li", { class: "section" }, make("span", { dir: "auto" }, heading));
  list.replaceChildren(...headings.map(section), ...steps);
}
