// Mark words: a drag, double click or two taps select whole words; marks are painted, the page's text is unchanged.

/** @type {Word[]} */
let words = []; // [token, start, end] in UTF-16 units over the text nodes of the material
/** @type {{ node: Text, start: number }[]} */
let textNodes = [];
let selecting = false;
/** @type {number | null} */
let anchor = null; // the first of two taps
let dragged = false;
/** @type {Set<number>} */
let visited = new Set(); // the indexes of words with which a span may begin or end: not of punctuation

/** @param {number} offset @param {boolean} after @returns {[node: Text, offset: number]} */
function point(offset, after) {
  let [low, high] = [0, textNodes.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textNodes[middle].start < offset || (!after && textNodes[middle].start === offset)) low = middle;
    else high = middle - 1;
  }
  return [textNodes[low].node, offset - textNodes[low].start];
}

/** @param {number} first @param {number} end */
function rangeOfWords(first, end) {
  const range = new Range();
  range.setStart(...point(words[first][1], false));
  range.setEnd(...point(words[end - 1][2], true));
  return range;
}

/** @param {Node} node @param {number} offset */
function offsetOf(node, offset) {
  const range = new Range();
  range.setStart(material, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

// Expand to whole words, then trim punctuation from both ends; null if nothing else is left.
/** @param {number} from @param {number} to @returns {Span | null} */
function wordsBetween(from, to) {
  let first = words.findIndex(([, , end]) => end > from);
  let end = words.findLastIndex(([, start]) => start < to) + 1;
  if (first < 0) return null;
  while (first < end && !visited.has(first)) first += 1;
  while (end > first && !visited.has(end - 1)) end -= 1;
  return first < end ? [first, end] : null;
}

/** @param {number} x @param {number} y */
function wordAt(x, y) {
  const caret = document.caretPositionFromPoint?.(x, y);
  const range = caret ? null : document.caretRangeFromPoint?.(x, y);
  /** @type {[node: Node, offset: number] | null} */
  const place = caret ? [caret.offsetNode, caret.offset] : range && [range.startContainer, range.startOffset];
  if (!place || !material.contains(place[0])) return null;
  const at = offsetOf(...place);
  const near = words.flatMap(([, start, end], i) => (start <= at && at <= end ? [i] : []));
  /** @param {DOMRect} r */
  const covers = (r) => x >= r.left - 6 && x <= r.right + 6 && y >= r.top - 6 && y <= r.bottom + 6;
  /** @param {number} i */
  const touched = (i) => [...rangeOfWords(i, i + 1).getClientRects()].some(covers);
  return near.find((i) => visited.has(i) && touched(i)) ?? null;
}

/** @param {Span | null} range @param {string} how */
function pick(range, how) {
  if (range) say("picked", { start: range[0], end: range[1], how });
}

function selected() {
  const selection = getSelection();
  if (selection.isCollapsed || !selection.rangeCount || !material.contains(selection.anchorNode)) return null;
  const range = selection.getRangeAt(0);
  return wordsBetween(offsetOf(range.startContainer, range.startOffset), offsetOf(range.endContainer, range.endOffset));
}

/** @param {Hello} hello */
function startWords(hello) {
  words = hello.words;
  visited = new Set(hello.visited);
  textNodes = [];
  let length = 0;
  const walker = document.createTreeWalker(material, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    textNodes.push({ node, start: length });
    length += node.data.length;
  }
  say("set", { blocks: firstWords() });
}

// The first words of paragraphs, list items and cells.
function firstWords() {
  const blocks = words.map(([, start]) => point(start, false)[0].parentElement.closest(BLOCKS));
  return blocks.flatMap((block, at) => (block === blocks[at - 1] ? [] : [at]));
}

/** @type {number | undefined} */
let settling;
document.addEventListener("selectionchange", () => {
  if (!words.length) return;
  cancel(settling); // a cleared selection has been picked already
  const range = selected();
  if (!range) return;
  dragged = true;
  paint("pending", [rangeOfWords(...range)]);
  // A long press on a touch screen ends without a pointer event, so debounce instead.
  if (matchMedia("(pointer: coarse)").matches) settling = later(() => pick(range, "touch"), 400);
});
addEventListener("pointerdown", () => { dragged = false; });
addEventListener("pointerup", () => {
  if (!words.length || !dragged) return;
  cancel(settling);
  const range = selected();
  anchor = null;
  getSelection().removeAllRanges();
  pick(range, "drag");
});
material.addEventListener("click", (event) => {
  if (!words.length || dragged) return;
  const at = wordAt(event.clientX, event.clientY);
  if (at === null) return;
  if (anchor === null) {
    anchor = at;
    return pick([at, at + 1], "tap");
  }
  const first = anchor;
  anchor = null;
  pick([Math.min(first, at), Math.max(first, at) + 1], "tap");
});

/** @param {Range | null} range */
function edges(range) {
  for (const old of page.querySelectorAll(".edge")) old.remove();
  if (!range) return;
  const rects = [...range.getClientRects()].filter((r) => r.width > 0);
  const origin = page.getBoundingClientRect();
  if (!rects.length) return;
  const ends = /** @type {const} */ ([[rects[0].left, rects[0]], [rects.at(-1).right, rects.at(-1)]]);
  for (const [x, rect] of ends) {
    const edge = document.createElement("div");
    edge.className = "edge";
    edge.setAttribute("aria-hidden", "true");
    edge.style.left = `${x - origin.left - 1}px`;
    edge.style.top = `${rect.top - origin.top}px`;
    edge.style.height = `${rect.height}px`;
    page.append(edge);
  }
}

/** @type {Marks | null} */
let lastMarks = null;
/** @param {Marks} message */
function paintMarks(message) {
  if (!words.length) return;
  lastMarks = message;
  /** @param {Span} options */
  const range = ([first, end]) => rangeOfWords(first, end);
  paint("span", message.spans.map(range));
  paint("pending", message.pending ? [range(message.pending)] : []);
  paint("cursor", message.cursor === null ? [] : [range([message.cursor, message.cursor + 1])]);
  if (!message.pending) anchor = null;
  edges(message.pending ? range(message.pending) : null);
  if (message.selecting !== selecting) {
    selecting = message.selecting;
    material.toggleAttribute("data-selecting", selecting);
    if (selecting) {
      material.setAttribute("role", "application");
      material.tabIndex = 0;
      material.focus({ preventScroll: true });
    } else {
      material.removeAttribute("role");
      material.removeAttribute("tabindex");
    }
  }
  if (message.show) {
    const rect = range(message.show).getBoundingClientRect();
    say("reveal", { top: Math.round(rect.top), bottom: Math.round(rect.bottom) });
  }
}
hear("marks", paintMarks);
addEventListener("resize", () => { if (lastMarks) paintMarks({ ...lastMarks, show: null }); });
