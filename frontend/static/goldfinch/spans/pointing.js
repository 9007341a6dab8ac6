// Mouse and touch on the passages: a drag or a double click marks words, as do taps on the first and last word.
import { clearTimeout, setTimeout } from "../settled.js";
/** @import { Passages } from "./passages.js" */
/** @import { TextSpan } from "./text_spans.js" */

/**
 * @typedef {{ marks(): boolean, taps(): boolean, fine(): boolean, words(span: TextSpan): void,
 *   dragged(parts: TextSpan[]): void, twice(): void,
 *   clicked(event: MouseEvent & { target: HTMLElement }, how: { dragged: boolean }): boolean }} Hears
 */

const SETTLED = 400; // ms without a change after which a selection by touch counts

export class Pointing {
  #dragged = false;
  /** @type {number | undefined} */
  #settling;
  /** @type {TextSpan | null} */
  #tapped = null; // the first of two taps

  // `root` gets the mouse listeners; it may be larger than the passages. `hears` has the callbacks: `marks()` returns
  // whether a drag marks words, `taps()` whether taps do, `fine()` whether both are cut at characters instead of words,
  // as they also are while Alt is held; `words(span)` gets the marked words, `dragged(parts)` a drag
  // that marks none; `twice()` is called before a double click marks words, `clicked(event, { dragged })` at every
  // click; if it returns true, the click is not a tap on a word.
  /** @param {HTMLElement} root @param {Passages} passages @param {Hears} hears @param {AbortSignal} signal */
  constructor(root, passages, hears, signal) {
    this.passages = passages;
    this.hears = hears;
    root.addEventListener("pointerdown", () => { this.#dragged = false; }, { signal });
    root.addEventListener("mouseup", (event) => this.#up(event), { signal });
    root.addEventListener("click", (event) => this.#click(event), { signal });
    document.addEventListener("selectionchange", () => this.#touched(), { signal });
  }

  forget() { this.#tapped = null; }

  #selection() {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    return this.passages.root.contains(range.commonAncestorContainer) ? range : null;
  }

  // { passage, start, end } of the part of a range in each passage, in order.
  /** @param {Range} range */
  #parts(range) {
    return this.passages.all.flatMap((text) => {
      const { element } = text;
      if (!text.text || !range.intersectsNode(element)) return [];
      const [first, last] = [element.contains(range.startContainer), element.contains(range.endContainer)];
      const after = range.comparePoint(element, element.childNodes.length) > 0;
      const start = first ? text.offset(range.startContainer, range.startOffset) : 0;
      const whole = after ? 0 : text.text.length;
      const end = last ? text.offset(range.endContainer, range.endOffset, { end: true }) : whole;
      return end > start ? [{ passage: text.index, start, end }] : [];
    });
  }

  /** @param {Range} range @param {{ fine: boolean }} how */
  #take(range, how) {
    const parts = this.#parts(range);
    if (!parts.length) return;
    if (!this.hears.marks()) { this.hears.dragged(parts); return; }
    const { passage, start, end } = parts[0];
    const words = this.passages.passage(passage).snap(start, end, how);
    getSelection().removeAllRanges();
    if (words) this.hears.words({ passage, start: words[0], end: words[1] });
  }

  /** @param {MouseEvent} event */
  #up(event) {
    if (event.button) return;
    const range = this.#selection();
    if (!range) return;
    this.#dragged = true;
    if (event.detail > 1) {
      if (!this.hears.marks()) { getSelection().removeAllRanges(); return; }
      this.hears.twice();
    }
    this.#tapped = null;
    this.#take(range, this.#how(event));
  }

  /** @param {{ altKey: boolean }} [event] */
  #how(event) { return { fine: this.hears.fine() || Boolean(event?.altKey) }; }

  // There is no event for the end of a long press on a touch screen.
  #touched() {
    if (!matchMedia("(pointer: coarse)").matches) return;
    clearTimeout(this.#settling);
    if (!this.#selection()) return;
    this.#settling = setTimeout(() => {
      const range = this.#selection();
      if (range) this.#take(range, this.#how());
    }, SETTLED);
  }

  /** @param {MouseEvent & { target: HTMLElement }} event */
  #click(event) {
    if (this.hears.clicked(event, { dragged: this.#dragged })) return;
    if (this.#dragged || !this.hears.taps() || event.target.closest("a, button")) return;
    const text = this.passages.passageAt(event.target);
    const word = text?.wordAt(event.clientX, event.clientY, this.#how(event));
    if (!word) return;
    const [start, end] = word;
    const first = this.#tapped?.passage === text.index ? this.#tapped : null;
    this.#tapped = first ? null : { passage: text.index, start, end };
    const [from, to] = [Math.min(start, first?.start ?? start), Math.max(end, first?.end ?? end)];
    this.hears.words({ passage: text.index, start: from, end: to });
  }
}
