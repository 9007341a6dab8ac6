// The paper as it is read: paragraphs cut into sentences and words, and where each of them stands in the page.
// Offsets in here are UTF-16 units of a paragraph's text; the record counts code points, so they are converted.

// Dollars around something that looks like TeX; a price and another price are none.
const MATHS = String.raw`(?<!\\)\$(?!\s|\d[\d.,]*\s+\p{L})(?=[^$]*[\\^_{}=<>+]|[\p{L}\d]{1,3}\$)[^$]+\$(?!\d)`;
const PIECES = new RegExp(`(${MATHS})|\\b((?:BIBREF|TABREF|FIGREF|SECREF|EQREF|UID|INLINEFORM|DISPLAYFORM)\\d+)`, "gu");
const TOKENS = new RegExp(`${MATHS}|[\\p{L}\\p{N}\\p{M}]+(?:[-'’.,·][\\p{L}\\p{N}\\p{M}]+)*|\\S`, "gu");
const OUTER = /^[.,;:!?…()[\]{}"'“”‘’«»–—-]$/;

const element = (tag, className, text = "") => Object.assign(document.createElement(tag), { className, textContent: text });

// Text with its equations and references in elements of their own; every node is told with where it stands.
function* nodesOf(text, start) {
  let at = 0;
  for (const found of text.matchAll(PIECES)) {
    if (found.index > at) yield { node: document.createTextNode(text.slice(at, found.index)), start: start + at };
    if (found[1]) yield { node: element("code", "maths", found[1]), start: start + found.index, whole: true, length: found[1].length };
    else {
      const box = element("span", "ref", found[2]);
      yield { node: box.firstChild, box, start: start + found.index };
    }
    at = found.index + found[0].length;
  }
  if (at < text.length) yield { node: document.createTextNode(text.slice(at)), start: start + at };
}

export class Block {
  atoms = [];
  sentences = [];
  #words = null;

  // `index` is the paragraph's, null for what is read but is no paragraph; `cuts` are code points.
  constructor(box, index, cuts) {
    this.element = box;
    this.index = index;
    this.text = box.textContent;
    this.#countPoints();
    const parts = [];
    let at = 0;
    for (const [start, end] of cuts) {
      const [from, to] = [this.toUnits(start), this.toUnits(end)];
      if (from > at) parts.push(this.#part("span", "gap", at, from));
      const part = this.#part("span", "s", from, to);
      part.dataset.sentence = String(this.sentences.length);
      part.tabIndex = -1;
      this.sentences.push({ start: from, end: to, element: part });
      parts.push(part);
      at = to;
    }
    if (at < this.text.length) parts.push(this.#part("span", "gap", at, this.text.length));
    box.replaceChildren(...parts);
  }

  #part(tag, className, from, to) {
    const part = element(tag, className);
    for (const { node, box, start, whole = false, length = node.length } of nodesOf(this.text.slice(from, to), from)) {
      this.atoms.push({ node, start, end: start + length, whole });
      part.append(box ?? node);
    }
    return part;
  }

  #countPoints() {
    if (!/[\ud800-\udfff]/.test(this.text)) return;
    this.points = [0];
    for (const char of this.text) this.points.push(this.points.at(-1) + char.length);
  }

  toUnits(point) { return this.points ? this.points[Math.min(point, this.points.length - 1)] : point; }

  toPoints(unit) { return this.points ? this.points.findIndex((at) => at >= unit) : unit; }

  // [start, end) of each word; punctuation by itself is no word, an equation is one.
  get words() {
    this.#words ??= [...this.text.matchAll(TOKENS)].filter(([token]) => !OUTER.test(token)).map((found) => [found.index, found.index + found[0].length]);
    return this.#words;
  }

  slice(start, end) { return this.text.slice(start, end); }

  size(start, end) { return this.words.filter(([from, to]) => from >= start && to <= end && /[\p{L}\p{N}]/u.test(this.slice(from, to))).length; }

  // The words that the offsets touch, whole; null where there are none.
  snap(from, to) {
    const touched = this.words.filter(([start, end]) => start < to && end > from);
    return touched.length ? [touched[0][0], touched.at(-1)[1]] : null;
  }

  sentenceAt(offset) {
    const at = this.sentences.findIndex(({ end }) => offset < end);
    return at < 0 ? this.sentences.length - 1 : at;
  }

  range(start, end) {
    const range = new Range();
    const first = this.atoms.find((atom) => atom.end > start) ?? this.atoms.at(-1);
    const last = this.atoms.findLast((atom) => atom.start < end) ?? this.atoms[0];
    if (first.whole) range.setStartBefore(first.node); else range.setStart(first.node, Math.max(0, start - first.start));
    if (last.whole) range.setEndAfter(last.node); else range.setEnd(last.node, Math.min(last.node.length, end - last.start));
    return range;
  }

  // Where a point of the page stands in the text; inside an equation that is its start or its end.
  offset(node, offset, { end = false } = {}) {
    const own = this.atoms.find((atom) => atom.node === node || (atom.whole && atom.node.contains(node)));
    if (own) return own.whole ? (end ? own.end : own.start) : own.start + offset;
    const point = new Range();
    point.setStart(node, offset);
    const next = this.atoms.find((atom) => point.comparePoint(atom.node, 0) >= 0);
    return next ? next.start : this.text.length;
  }
}

export class Paper {
  #blocks = new Map();

  constructor(root) {
    this.root = root;
    this.read = []; // every text that find looks through, in order
    this.stops = []; // paragraphs and floats, in order: where J and K go
    for (const box of root.querySelectorAll("[data-abstract], [data-paragraph], [data-caption], .cells :is(td, th)")) {
      if (box.closest(".cells") && box.childElementCount) continue; // a cell with marks of its own stays as it is
      const isParagraph = "paragraph" in box.dataset;
      const cuts = (box.dataset.sentences ?? "").trim().split(" ").filter(Boolean).map((cut) => cut.split(",").map(Number));
      const block = new Block(box, isParagraph ? Number(box.dataset.paragraph) : null, cuts);
      this.read.push(block);
      if (isParagraph) this.#blocks.set(block.index, block);
      if (isParagraph && block.sentences.length) this.stops.push({ paragraph: block.index, element: box });
      const figure = "caption" in box.dataset && box.closest("[data-float]");
      if (figure) this.stops.push({ float: Number(figure.dataset.float), element: figure, caption: block.text, kind: figure.dataset.kind });
    }
  }

  block(index) { return this.#blocks.get(index); }

  // The words of some stretches of text for select mode, in which each stretch is a block of its own.
  wordsIn(places) {
    return places.flatMap(({ paragraph, start, end }, stretch) => {
      const block = this.block(paragraph);
      return block.words.filter(([from, to]) => from >= start && to <= end).map(([from, to]) => ({ paragraph, start: from, end: to, sentence: block.sentenceAt(from), block: stretch }));
    });
  }

  blockAt(node) {
    const box = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest("[data-paragraph]");
    return box && this.root.contains(box) ? this.#blocks.get(Number(box.dataset.paragraph)) : undefined;
  }

  float(index) { return this.stops.find((stop) => stop.float === index); }

  path(index) { return this.block(index).element.closest("[data-section]").dataset.path; }
}
