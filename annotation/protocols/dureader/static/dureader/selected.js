// What is selected in a text, without white space around it and never with half a character; and whether a text says
// something. No DOM.

const characters = new Intl.Segmenter("und", { granularity: "grapheme" });

// A character that the selection cuts is in it as a whole.
/** @param {string} text @param {number} start @param {number} end in UTF-16 units */
export function wholeCharacters(text, start, end) {
  if (start >= end) return "";
  const inside = [...characters.segment(text)]
    .filter(({ index, segment }) => index < end && index + segment.length > start);
  return inside.map(({ segment }) => segment).join("").trim();
}

const IN_WORDS = /[\p{L}\p{N}\p{M}]/u;
// Scripts that write words one after the other, or endings and particles with the word.
const TOGETHER = new RegExp(
  ["Han", "Hira", "Kana", "Hang", "Thai", "Laoo", "Khmr", "Mymr"].map((name) => `\\p{Script=${name}}`).join("|"), "u",
);

// Between these two characters a word may end.
/** @param {string} before @param {string} after */
const parts = (before, after) => !(IN_WORDS.test(before) && IN_WORDS.test(after))
  || TOGETHER.test(before) || TOGETHER.test(after);

// Whether these words stand in a text: "Neptun" does not in "Neptune", but 凯罗 does in 斯凯罗.
/** @param {string} text @param {string} words */
export function isSaidIn(text, words) {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, after] = [[...text.slice(0, at)].at(-1) ?? "", [...text.slice(at + words.length)][0] ?? ""];
    const [first, last] = [[...words][0], [...words].at(-1)];
    if (parts(before, first) && parts(last, after)) return true;
  }
  return false;
}
