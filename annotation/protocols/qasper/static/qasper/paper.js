// The displayed paper: its texts split into sentences, with separate elements for equations and references.
import { Passage, Passages } from "../goldfinch/spans/passages.js";
import { setMaths } from "./maths.js";

// Dollars around TeX, around a short formula with signs, or around something without a space; two prices in one
// sentence are no formula.
const TEX = String.raw`(?<!\\)\$(?!\s)(?=[^$]*[\\^_{}])[^$]+\$`;
const SIGNS = String.raw`(?<!\\)\$(?!\s|\d[\d.,]*\s+\p{L})(?=[^$]*[=<>+])[^$]+\$(?!\d)`;
const SHORT = String.raw`(?<!\\)\$(?:[^\s$]{1,20}|\p{L}+\([^$()]*\))\$(?!\d)`;
const MATHS = [TEX, SIGNS, SHORT].join("|");
const REFERENCE = String.raw`\b((?:BIBREF|TABREF|FIGREF|SECREF|EQREF|UID|INLINEFORM|DISPLAYFORM)\d+)`;
const PIECES = new RegExp(`(${MATHS})|${REFERENCE}`, "gu");
const NAMED = /(?:Tables?|Tabs?\.|Fig(?:ures?|s?\.)|Sec(?:tions?|s?\.)|§|Eq(?:uations?|s?\.)|Footnotes?)$/iu;
const READ = "[data-abstract], [data-passage], [data-caption], .cells :is(td, th)";
const HEADINGS = ".title, [data-section] > :is(h3, h4, h5)";

/** @param {string} tag @param {string} className @param {string} [textContent] */
function element(tag, className, textContent = "") {
  return Object.assign(document.createElement(tag), { className, textContent });
}

/** @param {string} text */
function* pieces(text) {
  let at = 0;
  for (const found of text.matchAll(PIECES)) {
    if (found.index > at) yield text.slice(at, found.index);
    const piece = found[1] ? element("code", "maths", found[0]) : element("span", "ref", found[0]);
    piece.dataset.whole = ""; // one word, even after it is drawn in another way
    yield piece;
    at = found.index + found[0].length;
  }
  if (at < text.length) yield text.slice(at);
}

// The same for a text that is not split into sentences, and whose words may be marked.
/** @param {HTMLElement} box */
export function markPieces(box) {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  for (const text of texts) text.replaceWith(...pieces(text.data));
}

// Split the text of an element into sentences and the text between them; `cuts` are [start, end) in code points.
/** @param {HTMLElement} box @param {[number, number][]} [cuts] */
export function cutText(box, cuts = []) {
  const points = [...box.textContent];
  /** @type {HTMLElement[]} */
  const parts = [];
  /** @param {HTMLElement} part @param {number} start @param {number} end */
  const add = (part, start, end) => {
    part.append(...pieces(points.slice(start, end).join("")));
    parts.push(part);
  };
  let at = 0;
  cuts.forEach(([start, end], number) => {
    if (start > at) add(element("span", "gap"), at, start);
    const sentence = element("span", "s");
    sentence.dataset.sentence = String(number);
    sentence.tabIndex = -1;
    add(sentence, start, end);
    at = end;
  });
  if (at < points.length) add(element("span", "gap"), at, points.length);
  box.replaceChildren(...parts);
}

/** @param {HTMLElement} box @returns {[start: number, end: number][]} */
const cutsOf = (box) => (box.dataset.sentences ?? "").trim().split(" ").filter(Boolean)
  .map((cut) => /** @type {[number, number]} */ (cut.split(",").map(Number)));

// Show what a reference is to instead of the name that the file has for it: the number in it is not the one that
// readers know. `said` has what to show for the kinds of reference. Where the text says the kind itself ("Table
// TABREF3"), it is not said twice.
/** @param {HTMLElement | null} root */
export function drawReferences(root, said = root?.closest("[data-references]")) {
  const words = JSON.parse(said?.dataset.references ?? "{}");
  for (const place of root?.querySelectorAll(".ref") ?? []) {
    const written = place.textContent;
    const [, kind, number] = /^([A-Z]+)(\d+)$/.exec(written) ?? [];
    if (!words[kind]) continue;
    const before = place.previousSibling?.textContent.trimEnd() ?? "";
    const isNamed = kind !== "BIBREF" && NAMED.test(before);
    place.textContent = isNamed ? "[…]" : words[kind].replace("{n}", Number(number) + 1);
    place.title = written;
  }
}

// The same for words that are shown once more, such as in a card: equations and references as in the paper.
/** @param {Iterable<HTMLElement>} boxes @param {HTMLElement | null} said */
export function drawAgain(boxes, said) {
  for (const box of boxes) {
    markPieces(box);
    drawReferences(box, said);
    setMaths(box);
  }
}

/**
 * A paragraph, by its index, or a figure or table, by its own.
 * @typedef {{ element: HTMLElement, paragraph?: number, float?: number, caption?: string, kind?: string }} Stop
 */

export class Paper {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    // A cell with markup of its own is left as it is.
    const boxes = [...root.querySelectorAll(`${READ}, ${HEADINGS}`)]
      .filter((box) => !box.closest(".cells") || !box.childElementCount);
    for (const box of boxes) if (!box.matches(HEADINGS)) cutText(box, cutsOf(box));
    this.passages = new Passages(root);
    /** @type {Passage[]} */
    this.read = []; // every text that find searches, in order
    /** @type {Stop[]} */
    this.stops = []; // paragraphs and floats, in order: where J and K go
    for (const box of boxes) {
      const text = "passage" in box.dataset ? this.block(Number(box.dataset.passage)) : new Passage(box);
      this.read.push(text);
      if (box.querySelector("[data-sentence]")) this.stops.push({ paragraph: text.index, element: box });
      const figure = "caption" in box.dataset && box.closest("[data-float]");
      if (!figure) continue;
      const { float, kind } = figure.dataset;
      this.stops.push({ float: Number(float), element: figure, caption: text.text, kind });
    }
  }

  // A paragraph's text, by its index in the paper.
  /** @param {number} index */
  block(index) { return this.passages.passage(index); }

  /** @param {number} index */
  float(index) { return this.stops.find((stop) => stop.float === index); }

  /** @param {number} index */
  path(index) { return this.block(index).element.closest("[data-section]").dataset.path; }
}
