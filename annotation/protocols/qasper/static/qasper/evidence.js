// The chosen evidence: sentences of paragraphs, and whole figures or tables. No DOM.
/** @import { TextSpan } from "../goldfinch/spans/text_spans.js" */
/** @import { Paper } from "./paper.js" */

/** @param {Iterable<number>} numbers */
const inOrder = (numbers) => [...numbers].sort((a, b) => a - b);

/** @typedef {{ kind: "sentences", paragraph: number, start: number, end: number }} Piece */
/** @typedef {{ kind: "float", index: number }} WholeFloat */
/** @typedef {Piece | WholeFloat} Unit */

export class Evidence {
  /** @type {Map<number, Set<number>>} */
  #sentences = new Map(); // paragraph -> set of its sentences
  /** @type {Set<number>} */
  #floats = new Set();

  /** @param {Paper} paper */
  constructor(paper) { this.paper = paper; }

  /** @param {number} paragraph @param {number} sentence */
  has(paragraph, sentence) { return this.#sentences.get(paragraph)?.has(sentence) ?? false; }

  /** @param {number} index */
  hasFloat(index) { return this.#floats.has(index); }

  /** @param {number} paragraph @param {number[]} sentences @param {boolean} [on] */
  set(paragraph, sentences, on = true) {
    const chosen = new Set(this.#sentences.get(paragraph));
    for (const sentence of sentences) chosen[on ? "add" : "delete"](sentence);
    this.#sentences.set(paragraph, chosen);
  }

  /** @param {number} index */
  setFloat(index, on = true) { this.#floats[on ? "add" : "delete"](index); }

  // Neighbouring sentences are one piece. In the order of the paper, figures and tables last.
  /** @returns {Unit[]} */
  get units() {
    /** @type {Piece[]} */
    const units = [];
    for (const paragraph of inOrder(this.#sentences.keys())) {
      for (const sentence of inOrder(this.#sentences.get(paragraph))) {
        const last = units.at(-1);
        if (last?.paragraph === paragraph && last.end === sentence) last.end += 1;
        else units.push({ kind: "sentences", paragraph, start: sentence, end: sentence + 1 });
      }
    }
    const floats = inOrder(this.#floats).map((index) => /** @type {WholeFloat} */ ({ kind: "float", index }));
    return [...units, ...floats];
  }

  // Every sentence and figure separately: "paragraph.sentence", "float 0".
  get places() {
    return this.units.flatMap((unit) => (
      unit.kind === "float" ? [`float ${unit.index}`]
        : Array.from({ length: unit.end - unit.start }, (_, at) => `${unit.paragraph}.${unit.start + at}`)
    ));
  }

  // The range of a piece of text in its paragraph.
  /** @param {Piece} piece @returns {[start: number, end: number]} */
  place({ paragraph, start, end }) {
    const { sentences } = this.paper.block(paragraph);
    return [sentences[start].start, sentences[end - 1].end];
  }

  /** @param {Unit} unit */
  quote(unit) {
    if (unit.kind === "float") return this.paper.float(unit.index).caption;
    return this.paper.block(unit.paragraph).slice(...this.place(unit));
  }

  /** @param {Unit} unit */
  size(unit) { return unit.kind === "float" ? 0 : this.paper.block(unit.paragraph).size(...this.place(unit)); }

  /** @param {Unit} unit */
  unit(unit) { return unit.kind === "float" ? "words" : this.paper.block(unit.paragraph).unit; }

  // Whether marked words are inside one piece.
  /** @param {TextSpan} span */
  covers(span) {
    return this.units.some((unit) => {
      if (unit.kind !== "sentences" || unit.paragraph !== span.passage) return false;
      const [start, end] = this.place(unit);
      return start <= span.start && span.end <= end;
    });
  }

  // The sentences that marked words touch.
  /** @param {TextSpan} options */
  touched({ passage, start, end }) {
    /** @param {{ start: number, end: number }} sentence */
    const touches = (sentence) => sentence.start < end && start < sentence.end;
    return this.paper.block(passage).sentences.flatMap((sentence, at) => (touches(sentence) ? [at] : []));
  }

  clear() { this.#sentences.clear(); this.#floats.clear(); }

  /** @param {Unit[]} units */
  load(units) {
    this.clear();
    for (const unit of units) {
      if (unit.kind === "float") {
        if (this.paper.float(unit.index)) this.setFloat(unit.index);
        continue;
      }
      const there = this.paper.block(unit.paragraph)?.sentences.length ?? 0;
      for (let at = unit.start; at < Math.min(unit.end, there); at += 1) this.set(unit.paragraph, [at]);
    }
  }

  forForm() {
    return JSON.stringify(this.units.map((unit) => ({ ...unit, quote: this.quote(unit) })));
  }

  get state() {
    const sentences = new Map([...this.#sentences].map(([at, chosen]) => [at, new Set(chosen)]));
    return { sentences, floats: new Set(this.#floats) };
  }

  set state(state) { this.#sentences = new Map(state.sentences); this.#floats = new Set(state.floats); }
}
