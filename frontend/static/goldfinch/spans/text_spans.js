// Spans of words in the passages of a page: { passage, start, end } in UTF-16 units of that passage.
import { Marked } from "./marked.js";
/** @import { Passages } from "./passages.js" */

/** @typedef {{ passage: number, start: number, end: number }} TextSpan */

const AROUND = 30; // units of context on each side, to tell places apart

/** @param {TextSpan} a @param {TextSpan} b */
const order = (a, b) => a.passage - b.passage || a.start - b.start;
/** @param {TextSpan} a @param {TextSpan} b */
const overlap = (a, b) => a.passage === b.passage && a.start < b.end && b.start < a.end;

/** @extends {Marked<TextSpan>} */
export class TextSpans extends Marked {
  /** @param {Passages} passages @param {number} most */
  constructor(passages, most) {
    super({ order, overlap, most });
    this.passages = passages;
  }

  /** @param {TextSpan} span */
  #text(span) { return this.passages.passage(span.passage); }

  /** @param {TextSpan} span */
  quote(span) { return this.#text(span).slice(span.start, span.end); }

  /** @param {TextSpan} span */
  size(span) { return this.#text(span).size(span.start, span.end); }

  // The words of a span, with some context before and after.
  /** @param {TextSpan} span */
  around(span) {
    const text = this.#text(span);
    const from = text.words.findLast(([start]) => start <= span.start - AROUND)?.[0] ?? 0;
    const to = text.words.find(([, end]) => end >= span.end + AROUND)?.[1] ?? text.text.length;
    return { before: text.slice(from, span.start), words: this.quote(span), after: text.slice(span.end, to) };
  }

  // Moves one end of the pending span by one word; at least one word stays.
  /** @param {string} side @param {number} by */
  move(side, by) {
    const { words } = this.#text(this.pending);
    let first = words.findIndex(([, end]) => end > this.pending.start);
    let last = words.findLastIndex(([start]) => start < this.pending.end);
    if (side === "start") first = Math.min(Math.max(0, first + by), last);
    else last = Math.max(Math.min(words.length - 1, last + by), first);
    this.pending = { ...this.pending, start: words[first][0], end: words[last][1] };
  }

  // A span given in code points, extended to whole words; null if it has none.
  /** @param {TextSpan} options */
  snapped({ passage, start, end }) {
    const text = this.passages.passage(passage);
    const words = text?.snap(text.toUnits(start), text.toUnits(end));
    return words ? { passage, start: words[0], end: words[1] } : null;
  }

  // The value of the form field: JSON in code points, "" if nothing is marked.
  get value() { return this.#written(this.list); }

  // The same with the pending words, unless they would replace others.
  get draft() { return this.#written(this.drafted); }

  /** @param {TextSpan[]} spans */
  #written(spans) {
    if (!spans.length) return "";
    return JSON.stringify(spans.map((span) => {
      const text = this.#text(span);
      const [start, end] = [text.toPoints(span.start), text.toPoints(span.end)];
      return { passage: span.passage, start, end, quote: this.quote(span) };
    }));
  }

  set value(json) {
    /** @type {TextSpan[]} */
    const spans = JSON.parse(json || "[]");
    this.set(spans.flatMap(({ passage, start, end }) => {
      const text = this.passages.passage(passage);
      return text ? [{ passage, start: text.toUnits(start), end: text.toUnits(end) }] : [];
    }));
  }
}
