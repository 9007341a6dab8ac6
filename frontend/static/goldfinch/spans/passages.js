// The texts of a page in which words can be marked, and the positions of their words on the page.
// Offsets here are UTF-16 units of a passage; they are converted to and from the code points of the record.
import { characterAt, decoded, firstAfter, touched, withWholes } from "./boundaries.js";
import { COUNTED, saysSomething } from "./words.js";
/** @import { Stretch } from "./boundaries.js" */
/** @import { SizeUnit } from "./words.js" */
/** @import { TextSpan } from "./text_spans.js" */

const LINE = 200; // units: more than a line has

/** @typedef {{ start: number, end: number, element: HTMLElement | null }} Sentence */

/** @param {number} start @param {number} end @returns {Sentence} */
const sentence = (start, end) => ({ start, end, element: null });

export class Passage {
  /** @type {{ node: Text | HTMLElement, start: number, end: number, whole: boolean }[]} */
  #atoms = []; // text nodes, and elements that are one word
  /** @type {Stretch[] | null} */
  #words = null;
  /** @type {Stretch[] | null} */
  #clusters = null;
  /** @type {Sentence[] | null} */
  #sentences = null;
  /** @type {Stretch[] | null} */
  #sentenceEnds = null;
  /** @type {number[] | null} */
  #points = null;

  // `index` is its index in the sheet's passages, null for a text in which nothing is marked. Its text is the element's
  // current text; a child with `data-whole` is one word, whatever is drawn in it later (an equation).
  /** @param {HTMLElement} element @param {number | null} [index] */
  constructor(element, index = null) {
    this.element = element;
    this.index = index;
    this.text = element.textContent;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
      const isWhole = "whole" in (/** @type {HTMLElement} */ (node).dataset ?? {});
      return node.nodeType === Node.TEXT_NODE || isWhole ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP;
    });
    let at = 0;
    while (walker.nextNode()) {
      const node = /** @type {Text | HTMLElement} */ (walker.currentNode);
      const inside = this.#atoms.at(-1);
      if (inside?.whole && inside.node.contains(node)) continue;
      const end = at + node.textContent.length;
      this.#atoms.push({ node, start: at, end, whole: node.nodeType !== Node.TEXT_NODE });
      at = end;
    }
    if (!/[\ud800-\udfff]/.test(this.text)) return;
    this.#points = [0];
    for (const char of this.text) this.#points.push(this.#points.at(-1) + char.length);
  }

  /** @param {number} point */
  toUnits(point) { return this.#points ? this.#points[Math.min(point, this.#points.length - 1)] : point; }

  /** @param {number} unit */
  toPoints(unit) { return this.#points ? this.#points.findIndex((at) => at >= unit) : unit; }

  // [start, end) of each word, without the punctuation between them.
  get words() {
    this.#words ??= withWholes(decoded(this.element.dataset.words ?? ""), this.#wholes);
    return this.#words;
  }

  /** @returns {Stretch[]} */
  get #wholes() { return this.#atoms.filter((atom) => atom.whole).map(({ start, end }) => [start, end]); }

  // Characters of several units, and equations, which are not cut either.
  get #characters() {
    this.#clusters ??= withWholes(decoded(this.element.dataset.clusters ?? ""), this.#wholes);
    return this.#clusters;
  }

  // [start, end) of each character between two offsets that can be seen.
  /** @param {number} start @param {number} end @returns {Stretch[]} */
  charactersIn(start, end) {
    const found = [];
    for (let at = start; at < end; at = found.at(-1)[1]) found.push(characterAt(this.#characters, at));
    return found.filter((each) => this.slice(...each).trim());
  }

  // { start, end, element } of its elements with `data-sentence`; without any, the browser's segmentation.
  get sentences() {
    this.#sentences ??= this.#marked() ?? this.#segmented();
    return this.#sentences;
  }

  /** @returns {Sentence[] | null} */
  #marked() {
    const elements = [...this.element.querySelectorAll("[data-sentence]")];
    if (!elements.length) return null;
    return elements.flatMap((element) => {
      const inside = this.#atoms.filter(({ node }) => element.contains(node));
      return inside.length ? [{ start: inside[0].start, end: inside.at(-1).end, element }] : [];
    });
  }

  /** @returns {Sentence[]} */
  #segmented() {
    if (!globalThis.Intl?.Segmenter) return [sentence(0, this.text.length)];
    const lang = this.element.closest("[lang]:not([lang=''])")?.lang;
    return [...new Intl.Segmenter(lang, { granularity: "sentence" }).segment(this.text)]
      .map(({ index, segment }) => sentence(index, index + segment.trimEnd().length));
  }

  /** @param {number} offset */
  sentenceAt(offset) {
    this.#sentenceEnds ??= this.sentences.map(({ start, end }) => [start, end]);
    return Math.min(firstAfter(this.#sentenceEnds, offset), this.sentences.length - 1);
  }

  /** @param {number} start @param {number} end */
  slice(start, end) { return this.text.slice(start, end); }

  // The words that lie in a range.
  /** @param {number} start @param {number} end */
  wordsWithin(start, end) {
    const found = this.words.slice(firstAfter(this.words, start), firstAfter(this.words, end));
    return found.filter(([from]) => from >= start);
  }

  // How long people would say that a range is: the number of words that it touches or, in a text that is counted by
  // characters, of its characters without punctuation.
  /** @param {number} start @param {number} end */
  size(start, end) {
    if (this.unit === "characters") {
      return this.charactersIn(start, end).filter((each) => COUNTED.test(this.slice(...each))).length;
    }
    let [at, count] = [firstAfter(this.words, start), 0];
    for (; this.words[at]?.[0] < end; at += 1) count += Number(saysSomething(this.slice(...this.words[at])));
    return count;
  }

  // In what people count the text, as the server says.
  /** @returns {SizeUnit} */
  get unit() { return "inCharacters" in this.element.dataset ? "characters" : "words"; }

  // [start, end) of each paragraph: they are apart by blank lines or, in a text without any, by new lines.
  get paragraphs() {
    const apart = /\n[^\S\n]*\n/.test(this.text.trim()) ? /\n\s*\n/g : /\n/g;
    const ends = [...this.text.matchAll(apart)].map(({ index }) => index);
    return [...ends, this.text.length].map((end, at) => /** @type {[number, number]} */ ([ends[at - 1] ?? 0, end]));
  }

  // [start, end) extended to whole words or, if it is to be `fine`, to whole characters, without the white space around
  // them; null if the range has none.
  /** @param {number} from @param {number} to @param {{ fine?: boolean }} [how] @returns {Stretch | null} */
  snap(from, to, { fine = false } = {}) {
    if (!fine) return touched(this.words, from, to);
    let [start, end] = [characterAt(this.#characters, from)[0], characterAt(this.#characters, to - 1)[1]];
    while (start < end && this.#isBlank(start)) start = this.step(start, 1);
    while (start < end && this.#isBlank(end - 1)) end = this.step(end, -1);
    return start < end ? [start, end] : null;
  }

  // Whether nothing can be seen of the character at an offset.
  /** @param {number} at */
  #isBlank(at) { return !this.slice(...characterAt(this.#characters, at)).trim(); }

  // The next boundary of a character after an offset, or before it, that is no white space away.
  /** @param {number} offset @param {number} by 1 or -1 */
  step(offset, by) {
    const at = by > 0 ? characterAt(this.#characters, offset)[1] : characterAt(this.#characters, offset - 1)[0];
    return Math.max(0, Math.min(this.text.length, at));
  }

  /** @param {number} start @param {number} end */
  range(start, end) {
    const range = new Range();
    const first = this.#atoms.find((atom) => atom.end > start) ?? this.#atoms.at(-1);
    const last = this.#atoms.findLast((atom) => atom.start < end) ?? this.#atoms[0];
    if (first.whole) range.setStartBefore(first.node);
    else range.setStart(first.node, Math.max(0, start - first.start));
    if (last.whole) range.setEndAfter(last.node);
    else range.setEnd(last.node, Math.min(/** @type {Text} */ (last.node).length, end - last.start));
    return range;
  }

  // The offset of a DOM point; for one inside a `data-whole` element, its start or end.
  /** @param {Node} node @param {number} offset @param {{ end?: boolean }} [options] */
  offset(node, offset, { end = false } = {}) {
    const own = this.#atoms.find((atom) => atom.node === node || (atom.whole && atom.node.contains(node)));
    if (own?.whole) return end ? own.end : own.start;
    if (own) return own.start + offset;
    const point = new Range();
    point.setStart(node, offset);
    const next = this.#atoms.find((atom) => point.comparePoint(atom.node, 0) >= 0);
    return next ? next.start : this.text.length;
  }

  // The offset of the caret at a point of the page; null beside the text.
  /** @param {number} x @param {number} y */
  offsetAt(x, y) {
    const caret = document.caretPositionFromPoint?.(x, y);
    const range = caret ? null : document.caretRangeFromPoint?.(x, y); // in Safari
    const [node, inside] = [caret?.offsetNode ?? range?.startContainer, caret?.offset ?? range?.startOffset];
    return node && this.element.contains(node) ? this.offset(node, inside) : null;
  }

  // The word at a point of the page, or a character if it is to be `fine`; null beside the text. Only those around the
  // caret's place are measured: a text may have a hundred thousand words. In a line of both directions, what is seen
  // there may stand elsewhere in the text.
  /** @param {number} x @param {number} y @param {{ fine?: boolean }} [how] @returns {Stretch | null} */
  wordAt(x, y, { fine = false } = {}) {
    const at = this.offsetAt(x, y);
    if (at === null) return null;
    /** @param {number} reach @param {number} slack */
    const within = (reach, slack) => this.#around(at, reach, fine).find((unit) => (
      [...this.range(...unit).getClientRects()].some((rect) => (
        x >= rect.left - slack && x <= rect.right + slack && y >= rect.top - slack && y <= rect.bottom + slack
      ))
    ));
    return within(1, 0) ?? within(LINE, 0) ?? within(1, 4) ?? null;
  }

  // The words, or the characters if these are to be `fine`, as far from an offset as `reach` units.
  /** @param {number} at @param {number} reach @param {boolean} fine */
  #around(at, reach, fine) {
    const from = this.step(Math.max(1, at - reach + 1), -1);
    if (fine) return this.charactersIn(from, this.step(Math.min(this.text.length, at + reach) - 1, 1));
    return this.words.slice(firstAfter(this.words, from - 1), firstAfter(this.words, at + reach) + 1);
  }
}

export class Passages {
  /** @type {Map<number, Passage>} */
  #all = new Map();

  // Every element below `root` with `data-passage`, the index of its text in the sheet's `passages`.
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    for (const element of root.querySelectorAll("[data-passage]")) {
      const index = Number(element.dataset.passage);
      this.#all.set(index, new Passage(element, index));
    }
  }

  get all() { return [...this.#all.values()]; }

  /** @param {number} index */
  passage(index) { return this.#all.get(index); }

  // The passage that contains a node.
  /** @param {Node} node */
  passageAt(node) {
    const around = node.nodeType === Node.TEXT_NODE ? node.parentElement : /** @type {HTMLElement} */ (node);
    const element = around?.closest("[data-passage]");
    return element && this.root.contains(element) ? this.passage(Number(element.dataset.passage)) : undefined;
  }

  /** @param {TextSpan} span */
  range({ passage, start, end }) { return this.passage(passage).range(start, end); }

  // All words for select mode, where each paragraph is a block.
  get allWords() {
    const paragraphs = this.all.flatMap(({ index, paragraphs: all }) => (
      all.map(([start, end]) => ({ passage: index, start, end }))
    ));
    return this.wordsIn(paragraphs).map((word) => ({ ...word, part: word.passage }));
  }

  // The characters of the paragraph of a span (of the first one without a span), for select mode.
  /** @param {TextSpan | null} span */
  charactersAround(span) {
    const text = this.passage(span?.passage ?? this.all[0].index);
    const at = text.paragraphs.find(([, end]) => end > (span?.start ?? 0)) ?? text.paragraphs.at(-1);
    return text.charactersIn(...at).map(([start, end]) => (
      { passage: text.index, start, end, sentence: text.sentenceAt(start), block: 0, part: text.index }
    ));
  }

  // The words of some spans for select mode, where each span is a block; a selection stays in its `part`.
  /** @param {TextSpan[]} stretches */
  wordsIn(stretches) {
    return stretches.flatMap(({ passage, start, end }, block) => {
      const text = this.passage(passage);
      return text.wordsWithin(start, end).map(([from, to]) => (
        { passage, start: from, end: to, sentence: text.sentenceAt(from), block, part: block }
      ));
    });
  }
}
