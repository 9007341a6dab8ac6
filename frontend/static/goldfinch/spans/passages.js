// The texts of a page in which words can be marked, and the positions of their words on the page.
// Offsets here are UTF-16 units of a passage; they are converted to and from the code points of the record.
import { isCounted, wordsOf } from "./words.js";

export class Passage {
  #atoms = []; // { node, start, end, whole }: text nodes, and elements that are one word
  #words = null; #sentences = null; #points = null;

  // `index` is its index in the sheet's passages, null for a text in which nothing is marked. Its text is the element's
  // current text; a child with `data-whole` is one word, whatever is drawn in it later (an equation).
  constructor(element, index = null) {
    this.element = element;
    this.index = index;
    this.text = element.textContent;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
      if (node.nodeType === Node.TEXT_NODE || "whole" in node.dataset) return NodeFilter.FILTER_ACCEPT;
      return NodeFilter.FILTER_SKIP;
    });
    let at = 0;
    while (walker.nextNode()) {
      const node = walker.currentNode;
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

  toUnits(point) { return this.#points ? this.#points[Math.min(point, this.#points.length - 1)] : point; }

  toPoints(unit) { return this.#points ? this.#points.findIndex((at) => at >= unit) : unit; }

  // [start, end) of each word, without the punctuation between them.
  get words() {
    const wholes = () => this.#atoms.filter((atom) => atom.whole).map(({ start, end }) => [start, end]);
    this.#words ??= wordsOf(this.text, wholes());
    return this.#words;
  }

  // { start, end, element } of its elements with `data-sentence`; without any, the browser's segmentation.
  get sentences() {
    this.#sentences ??= this.#marked() ?? this.#segmented();
    return this.#sentences;
  }

  #marked() {
    const elements = [...this.element.querySelectorAll("[data-sentence]")];
    if (!elements.length) return null;
    return elements.flatMap((element) => {
      const inside = this.#atoms.filter(({ node }) => element.contains(node));
      return inside.length ? [{ start: inside[0].start, end: inside.at(-1).end, element }] : [];
    });
  }

  #segmented() {
    if (!globalThis.Intl?.Segmenter) return [{ start: 0, end: this.text.length, element: null }];
    const lang = this.element.closest("[lang]:not([lang=''])")?.lang;
    return [...new Intl.Segmenter(lang, { granularity: "sentence" }).segment(this.text)]
      .map(({ index, segment }) => ({ start: index, end: index + segment.trimEnd().length, element: null }));
  }

  sentenceAt(offset) {
    const at = this.sentences.findIndex(({ end }) => offset < end);
    return at < 0 ? this.sentences.length - 1 : at;
  }

  slice(start, end) { return this.text.slice(start, end); }

  // The number of words between two offsets.
  size(start, end) {
    const inside = this.words.filter(([from, to]) => from >= start && to <= end);
    return inside.filter((word) => isCounted(this.slice(...word))).length;
  }

  // [start, end) extended to whole words; null if the range touches none.
  snap(from, to) {
    const touched = this.words.filter(([start, end]) => start < to && end > from);
    return touched.length ? [touched[0][0], touched.at(-1)[1]] : null;
  }

  range(start, end) {
    const range = new Range();
    const first = this.#atoms.find((atom) => atom.end > start) ?? this.#atoms.at(-1);
    const last = this.#atoms.findLast((atom) => atom.start < end) ?? this.#atoms[0];
    if (first.whole) range.setStartBefore(first.node);
    else range.setStart(first.node, Math.max(0, start - first.start));
    if (last.whole) range.setEndAfter(last.node);
    else range.setEnd(last.node, Math.min(last.node.length, end - last.start));
    return range;
  }

  // The offset of a DOM point; for one inside a `data-whole` element, its start or end.
  offset(node, offset, { end = false } = {}) {
    const own = this.#atoms.find((atom) => atom.node === node || (atom.whole && atom.node.contains(node)));
    if (own?.whole) return end ? own.end : own.start;
    if (own) return own.start + offset;
    const point = new Range();
    point.setStart(node, offset);
    const next = this.#atoms.find((atom) => point.comparePoint(atom.node, 0) >= 0);
    return next ? next.start : this.text.length;
  }

  wordAt(x, y) {
    const near = (rect) => (
      x >= rect.left - 4 && x <= rect.right + 4 && y >= rect.top - 4 && y <= rect.bottom + 4
    );
    return this.words.find((word) => [...this.range(...word).getClientRects()].some(near)) ?? null;
  }
}

export class Passages {
  #all = new Map();

  // Every element below `root` with `data-passage`, the index of its text in the sheet's `passages`.
  constructor(root) {
    this.root = root;
    for (const element of root.querySelectorAll("[data-passage]")) {
      const index = Number(element.dataset.passage);
      this.#all.set(index, new Passage(element, index));
    }
  }

  get all() { return [...this.#all.values()]; }

  passage(index) { return this.#all.get(index); }

  // The passage that contains a node.
  passageAt(node) {
    const element = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest("[data-passage]");
    return element && this.root.contains(element) ? this.passage(Number(element.dataset.passage)) : undefined;
  }

  range({ passage, start, end }) { return this.passage(passage).range(start, end); }

  // The words of some spans for select mode, where each span is a block.
  wordsIn(stretches) {
    return stretches.flatMap(({ passage, start, end }, block) => {
      const text = this.passage(passage);
      const inside = text.words.filter(([from, to]) => from >= start && to <= end);
      return inside.map(([from, to]) => ({ passage, start: from, end: to, sentence: text.sentenceAt(from), block }));
    });
  }
}
