// Boxes of a page and their names: kind, word count, and path through the enclosing boxes.
/** @import { Voice } from "../goldfinch/say.js" */

/**
 * @typedef {[index: number, kind: string, words: number, parent: number | null, position: number,
 *   headings: string[]]} BoxRow
 */
/** @typedef {{ index: number, kind: string, words: number, parent: number | null, position: number,
 *   headings: string[] }} Box */

export class Boxes {
  #voice;
  /** @type {Map<number, Box>} */
  #all = new Map();

  // `rows` are [index, kind, words, parent, position, headings].
  /** @param {BoxRow[]} rows @param {Voice} voice */
  constructor(rows, voice) {
    this.#voice = voice;
    for (const [index, kind, words, parent, position, headings] of rows) {
      this.#all.set(index, { index, kind: kind.toLowerCase(), words, parent, position, headings });
    }
  }

  /** @param {number} index */
  has(index) { return this.#all.has(index); }

  /** @param {number} index */
  get(index) { return this.#all.get(index); }

  /** @param {number} index */
  name(index) { return this.#voice.text(`kind-${this.get(index).kind}`); }

  /** @param {number} index */
  use(index) { return this.#voice.text(`use-${this.get(index).kind}`); }

  /** @param {number} index */
  count(index) { return this.#voice.text("words", { n: this.get(index).words }); }

  /** @param {number} index */
  label(index) { return `${this.name(index)}, ${this.count(index)}`; }

  // The name of a box in a path, with numbers for items and rows: List › Item 3.
  /** @param {number} index */
  step(index) {
    const box = this.get(index);
    if (box.parent === null) return this.name(index);
    if (box.kind === "tr") return this.#voice.text("row", { n: box.position });
    if (box.kind === "li") return this.#voice.text("item", { n: box.position });
    return this.name(index);
  }

  // Indexes of the box and its enclosing boxes, outermost first.
  /** @param {number} index */
  path(index) {
    const path = [];
    for (let at = index; at !== null && this.has(at); at = this.get(at).parent) path.unshift(at);
    return path;
  }

  // For the frame: [index, name, word count, label of the box when chosen].
  /** @param {string} chosen */
  forFrame(chosen) {
    /** @param {number} i */
    const label = (i) => `${chosen}\n${this.name(i).toLocaleLowerCase()},\n${this.count(i)}`;
    return [...this.#all.keys()].map((i) => [i, this.name(i), this.count(i), label(i)]);
  }
}
