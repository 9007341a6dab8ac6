// Find on the page, including what is not laid out yet; hits are painted with the CSS Custom Highlight API.

/** @type {{ nodes: Text[], at: number[], offsets: number[], text: string } | null} */
let haystack = null;
/** @type {Range[]} */
let hits = [];
let hitAt = -1;
let query = "";
const BLOCKS = "p, li, dd, dt, td, th, tr, table, ul, ol, dl, div, h1, h2, h3, h4, h5, h6, caption, blockquote, "
  + "pre, figcaption";

// The text in lower case, with white space collapsed and a line end between blocks; `nodes` and `offsets` map each
// character to its origin.
function build() {
  const walker = document.createTreeWalker(material, NodeFilter.SHOW_TEXT);
  /** @type {[Text[], number[], number[], string[]]} */
  const [nodes, at, offsets, text] = [[], [], [], []];
  let block = null;
  let blank = true;
  /** @param {string} char @param {number} offset */
  const push = (char, offset) => { text.push(char); at.push(nodes.length - 1); offsets.push(offset); };
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    nodes.push(node);
    const own = node.parentElement.closest(BLOCKS);
    if (own !== block && text.length) { push("\n", 0); blank = true; }
    block = own;
    for (let i = 0; i < node.data.length; i += 1) {
      const space = /\s/.test(node.data[i]);
      if (space && blank) continue;
      const lower = node.data[i].toLowerCase();
      push(space ? " " : lower.length === 1 ? lower : node.data[i], i);
      blank = space;
    }
  }
  return { nodes, at, offsets, text: text.join("") };
}

/** @param {number} start @param {number} end */
function rangeOf(start, end) {
  const range = new Range();
  range.setStart(haystack.nodes[haystack.at[start]], haystack.offsets[start]);
  range.setEnd(haystack.nodes[haystack.at[end - 1]], haystack.offsets[end - 1] + 1);
  return range;
}

/** @param {string} wanted */
function search(wanted) {
  haystack ??= build();
  const needle = wanted.toLowerCase().replace(/\s+/g, " ").trim();
  const found = [];
  /** @param {number} from */
  const next = (from) => haystack.text.indexOf(needle, from);
  for (let i = needle ? next(0) : -1; i >= 0 && found.length < 1000; i = next(i + needle.length)) {
    const range = rangeOf(i, i + needle.length);
    if (range.startContainer.parentElement.checkVisibility?.({ visibilityProperty: true }) ?? true) found.push(range);
  }
  return found;
}

/** @param {string} name @param {Range[]} ranges */
function paint(name, ranges) {
  if (!globalThis.CSS?.highlights) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

/** @param {Range} range */
function reveal(range) {
  bring(range.startContainer.parentElement, { block: "center", inline: "nearest" }, () => {
    const rect = range.getBoundingClientRect();
    if (rect.top < 40 || rect.bottom > innerHeight - 40) scrollBy(0, rect.top - innerHeight / 2);
    drawAll();
  });
}

function tell() {
  const counts = new Map();
  for (const range of hits) {
    const id = sectionOf(range.startContainer.parentElement);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  say("found", { count: hits.length, at: hitAt + 1, sections: [...counts] });
}

// step 0 starts at the first hit from the top of the screen; 1 and -1 wrap around.
hear("find", (message) => {
  const wanted = String(message.query ?? "");
  if (wanted !== query) {
    query = wanted;
    hits = search(query);
    hitAt = -1;
  }
  /** @param {Range} range */
  const below = (range) => range.startContainer.parentElement.getBoundingClientRect().bottom > 0;
  if (hits.length && message.step === 0) hitAt = Math.max(0, hits.findIndex(below));
  else if (hits.length) hitAt = (Math.max(hitAt, message.step > 0 ? -1 : 0) + message.step + hits.length) % hits.length;
  paint("find", hits.filter((_, i) => i !== hitAt));
  paint("found", hitAt < 0 ? [] : [hits[hitAt]]);
  if (hitAt >= 0) {
    reveal(hits[hitAt]);
    standAt(hits[hitAt].startContainer.parentElement);
  }
  tell();
});
