// The marked words of a box: spans of words, the pending one, and their quotes. No DOM.
import { Marked } from "../goldfinch/spans/marked.js";
import { isPunctuation } from "../goldfinch/spans/words.js";

/** @typedef {[token: number, start: number, end: number]} WordRow */
/** @typedef {[first: number, end: number]} WordSpan */

// White space as in Python's str.split, which the server uses to compare.
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

/** @extends {Marked<WordSpan>} */
export class Spans extends Marked {
  #text = "";
  /** @type {number[]} */
  #visited; // the indexes of the words that are not only punctuation

  // `words` are [token, start, end], offsets in UTF-16 units of `text`.
  /** @param {WordRow[]} words @param {string} text */
  constructor(words, text) {
    super({ order: (a, b) => a[0] - b[0], overlap: (a, b) => a[0] < b[1] && b[0] < a[1] });
    this.words = words;
    this.#text = text;
    this.#visited = words.flatMap((_, at) => (isPunctuation(this.word(at)) ? [] : [at]));
  }

  get count() { return this.words.length; }

  /** @param {WordSpan} options */
  quote([first, end]) {
    return this.#text.slice(this.words[first][1], this.words[end - 1][2]).replace(BLANKS, " ").trim();
  }

  // The beginning of the text of a box inside this one, as the server compares it; `start` and `end` are its tokens.
  /** @param {number} start @param {number} end @param {number} most */
  beginning(start, end, most) {
    const range = this.fromTokens(start, end);
    return range && [...this.quote(range)].slice(0, most).join("");
  }

  // Punctuation between words does not count as a word.
  /** @param {WordSpan} options */
  size([first, end]) {
    let size = 0;
    for (let at = first; at < end; at += 1) if (/[\p{L}\p{N}]/u.test(this.word(at))) size += 1;
    return size || end - first;
  }

  // The tokens of a frame are what is counted, in every language.
  /** @returns {"words"} */
  unit() { return "words"; }

  /** @param {number} at */
  word(at) { return this.quote([at, at + 1]); }

  // The range of words for a half-open range of tokens; null if they are not words of this box.
  /** @param {number} start @param {number} end @returns {WordSpan | null} */
  fromTokens(start, end) {
    const first = this.words.findIndex(([token]) => token >= start);
    const last = this.words.findLastIndex(([token]) => token < end);
    return first >= 0 && last >= first ? [first, last + 1] : null;
  }

  // The indexes of the words between which the cursor moves, and with which spans begin and end.
  get visited() { return this.#visited; }

  // The range without punctuation at its ends; null if there is nothing else in it.
  /** @param {WordSpan} options @returns {WordSpan | null} */
  trimmed([first, end]) {
    const inside = this.#visited.filter((at) => at >= first && at < end);
    return inside.length ? [inside[0], inside.at(-1) + 1] : null;
  }

  // The words of a range, and a few before and after it.
  /** @param {WordSpan} options */
  around([first, end]) {
    const [from, to] = [Math.max(0, first - 6), Math.min(this.count, end + 6)];
    /** @param {number} start @param {number} stop */
    const cut = (start, stop) => this.#text.slice(start, stop).replace(BLANKS, " ");
    return {
      before: cut(this.words[from][1], this.words[first][1]),
      words: this.quote([first, end]),
      after: cut(this.words[end - 1][2], this.words[to - 1][2]),
    };
  }

  // With the pending words, unless they would replace others.
  forForm() {
    return JSON.stringify(this.drafted.map((span) => (
      { start: this.words[span[0]][0], end: this.words[span[1] - 1][0] + 1, quote: this.quote(span) }
    )));
  }

  // Moves one end of the pending span by `by` words; at least one word stays.
  /** @param {string} end @param {number} by */
  move(end, by) {
    if (!this.pending || !this.#visited.length) return;
    const most = this.#visited.length - 1;
    let first = Math.max(0, this.#visited.findIndex((at) => at >= this.pending[0]));
    let last = Math.max(first, this.#visited.findLastIndex((at) => at < this.pending[1]));
    if (end === "start") first = Math.min(Math.max(0, first + by), last);
    else last = Math.max(Math.min(most, last + by), first);
    this.pending = [this.#visited[first], this.#visited[last] + 1];
  }
}
