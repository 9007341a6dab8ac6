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

  /** @param {TextSpan} span */
  unit(span) { return this.#text(span).unit; }

  // The words of a span, with some context before and after.
  /** @param {TextSpan} span */
  around(span) {
    const text = this.#text(span);
    const from = text.words.findLast(([start]) => start <= span.start - AROUND)?.[0] ?? 0;
    const to = text.words.find(([, end]) => end >= span.end + AROUND)?.[1] ?? text.text.length;
    return { before: text.slice(from, span.start), words: this.quote(span), after: text.slice(span.end, to) };
  }

  // Moves one end of the pending span by one word or, if it is to be `fine`, by one character; at least one stays.
  /** @param {string} side @param {number} by @param {{ fine?: boolean }} [how] */
  move(side, by, { fine = false } = {}) {
    if (fine) { this.#moveFinely(side, by); return; }
    const { words } = this.#text(this.pending);
    let first = words.findIndex(([, end]) => end > this.pending.start);
    let last = words.findLastIndex(([start]) => start < this.pending.end);
    if (side === "start") first = Math.min(Math.max(0, first + by), last);
    else last = Math.max(Math.min(words.length - 1, last + by), first);
    this.pending = { ...this.pending, start: words[first][0], end: words[last][1] };
  }

  // Moves one end of the pending span to an offset, or as near to it as there is a character; at least one stays.
  /** @param {string} side @param {number} at */
  moveTo(side, at) {
    const text = this.#text(this.pending);
    const { start, end } = this.pending;
    const [from, to] = side === "start"
      ? [Math.min(at, text.step(end, -1)), end] : [start, Math.max(at, text.step(start, 1))];
    const found = text.snap(from, to, { fine: true });
    if (found) this.pending = { ...this.pending, start: found[0], end: found[1] };
  }

  // To the next character that can be seen.
  /** @param {string} side @param {number} by */
  #moveFinely(side, by) {
    const text = this.#text(this.pending);
    let { start, end } = this.pending;
    const outermost = () => (
      side === "start" ? text.slice(start, text.step(start, 1)) : text.slice(text.step(end, -1), end)
    );
    const isBlank = () => !outermost().trim();
    do {
      if (side === "start") start = text.step(start, by); else end = text.step(end, by);
    } while (isBlank() && start > 0 && start < end && end < text.text.length);
    if (start < end && !isBlank()) this.pending = { ...this.pending, start, end };
  }

  // A span given in code points, as the server has found it; null if nothing can be seen of it.
  /** @param {TextSpan} options */
  snapped({ passage, start, end }) {
    const text = this.passages.passage(passage);
    const found = text?.snap(text.toUnits(start), text.toUnits(end), { fine: true });
    return found ? { passage, start: found[0], end: found[1] } : null;
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
