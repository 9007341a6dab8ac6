// Two handles at the ends of the pending words, which mouse or finger drag from character to character.
// The bar's buttons and the keys do the same, so they are not in the order of focus nor read out.
import { make } from "../say.js";
/** @import { Passages } from "./passages.js" */
/** @import { TextSpan } from "./text_spans.js" */

/** @typedef {"start" | "end"} Side */
/** @typedef {{ dragged(side: Side, offset: number): void, released(): void }} Hears */

// A handle that was not dragged is in the way of a word of the next line.
/** @param {PointerEvent} event */
function tapBelow({ clientX, clientY }) {
  const below = document.elementFromPoint(clientX, clientY);
  below?.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX, clientY }));
}

export class Handles {
  #passages; #hears;
  /** @type {TextSpan | null} */
  #span = null;
  /** @type {Map<Side, HTMLElement>} */
  #elements = new Map();

  // `hears` has the callbacks: `dragged(side, offset)`, of an end of the span, in units of its passage; `released()`.
  /** @param {Passages} passages @param {Hears} hears @param {AbortSignal} signal */
  constructor(passages, hears, signal) {
    this.#passages = passages;
    this.#hears = hears;
    for (const side of /** @type {Side[]} */ (["start", "end"])) {
      const handle = make("span", { class: `handle ${side}`, "aria-hidden": "true", hidden: true });
      passages.root.append(handle);
      this.#elements.set(side, handle);
      this.#listen(handle, side, signal);
    }
    const observer = new ResizeObserver(() => this.#place());
    for (const element of [passages.root, ...passages.root.children]) observer.observe(element);
    signal.addEventListener("abort", () => {
      observer.disconnect();
      for (const handle of this.#elements.values()) handle.remove();
    });
  }

  /** @param {HTMLElement} handle @param {Side} side @param {AbortSignal} signal */
  #listen(handle, side, signal) {
    const { root } = this.#passages;
    /** @type {{ x: number, y: number } | null} */
    let held = null; // from the pointer to the middle of the line beside the end
    let moved = false;
    handle.addEventListener("pointerdown", (event) => {
      if (event.button || !this.#span) return;
      event.preventDefault();
      const { x, y } = this.#endOf(side);
      held = { x: x - event.clientX, y: y - event.clientY };
      moved = false;
      handle.setPointerCapture(event.pointerId);
      root.toggleAttribute("data-resizing", true); // no handle is in the way of the text
    }, { signal });
    handle.addEventListener("pointermove", (event) => {
      if (!held || !this.#span) return;
      const at = this.#passages.passage(this.#span.passage).offsetAt(event.clientX + held.x, event.clientY + held.y);
      moved ||= at !== null && at !== this.#span[side];
      if (moved && at !== null) this.#hears.dragged(side, at);
    }, { signal });
    /** @param {PointerEvent} event */
    const release = (event) => {
      if (!held) return;
      held = null;
      if (moved) this.#hears.released(); else if (event.type === "pointerup") tapBelow(event);
      root.removeAttribute("data-resizing");
    };
    handle.addEventListener("pointerup", release, { signal });
    handle.addEventListener("pointercancel", release, { signal });
    // Neither is a drag over words or a tap on one.
    for (const name of ["mousedown", "mouseup", "click"]) {
      handle.addEventListener(name, (event) => event.stopPropagation(), { signal });
    }
  }

  /** @param {TextSpan | null} span */
  draw(span) {
    this.#span = span;
    this.#place();
  }

  #place() {
    for (const [side, handle] of this.#elements) {
      handle.hidden = !this.#span;
      if (!this.#span) continue;
      const root = handle.offsetParent ?? this.#passages.root; // from which its place is reckoned
      const around = root.getBoundingClientRect();
      const { x, bottom, isLeft } = this.#endOf(side);
      handle.toggleAttribute("data-left", isLeft);
      handle.style.left = `${x - around.left - root.clientLeft + root.scrollLeft}px`;
      handle.style.top = `${bottom - around.top - root.clientTop + root.scrollTop}px`;
    }
  }

  // The edge of the span's first or last character: in a text from right to left, it begins at the right.
  /** @param {Side} side */
  #endOf(side) {
    const { passage, start, end } = this.#span;
    const text = this.#passages.passage(passage);
    const range = side === "start" ? text.range(start, text.step(start, 1)) : text.range(text.step(end, -1), end);
    const rects = [...range.getClientRects()];
    const rect = (side === "start" ? rects[0] : rects.at(-1)) ?? range.getBoundingClientRect();
    const isLeft = (side === "end") === (getComputedStyle(text.element).direction === "rtl");
    return { x: isLeft ? rect.left : rect.right, y: (rect.top + rect.bottom) / 2, bottom: rect.bottom, isLeft };
  }
}
