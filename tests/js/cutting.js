// What the server says with a text of where its words and characters begin (annotation/documents/words.py): here cut by
// Node's own ICU.
const DIGITS = [...Array(94).keys()].map((at) => String.fromCharCode(33 + at))
  .filter((char) => !"\"&'<>\\`~".includes(char));
const SIGNS = "%‰#@&*/\\§¶†‡％＃＠＆＊／＼";

const isToken = (segment) => /[\p{L}\p{N}\p{S}]/u.test(segment) || [...segment].some((char) => SIGNS.includes(char));

function coded(ranges) {
  let [code, last] = ["", 0];
  for (const [start, end] of ranges) {
    for (const number of [start - last, end - start]) {
      code += "~".repeat(Math.floor(number / DIGITS.length)) + DIGITS[number % DIGITS.length];
    }
    last = end;
  }
  return code;
}

function segments(text, granularity) {
  const found = [...new Intl.Segmenter("und", { granularity }).segment(text)];
  return found.map(({ index, segment }) => [index, index + segment.length]);
}

const codes = (text) => ({
  words: coded(segments(text, "word").filter(([start, end]) => isToken(text.slice(start, end)))),
  clusters: coded(segments(text, "grapheme").filter(([start, end]) => end - start > 1)),
});

// The attributes that say it, for the markup of a page.
export function boundaries(text) {
  const { words, clusters } = codes(text);
  return `data-words="${words}" data-clusters="${clusters}"`;
}

// Say it of every text below `root` in which words are marked.
export function cut(root) {
  for (const element of root.querySelectorAll("[data-passage]")) {
    Object.assign(element.dataset, codes(element.textContent));
  }
}
