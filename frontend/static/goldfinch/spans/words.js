// What counts as a word among the tokens of a text. No DOM.

const PUNCTUATION = /^[.,;:!?…()[\]{}"'“”‘’«»–—-]+$/;

// Whether a token of a frame is only punctuation: no span begins or ends with it, whichever way its words are marked.
/** @param {string} token */
export const isPunctuation = (token) => PUNCTUATION.test(token);

/** @typedef {"words" | "characters"} SizeUnit the key of its message */

// What is counted of a text that is counted by characters.
export const COUNTED = /[\p{L}\p{N}\p{S}]/u;
const NO_SPACES = (
  /[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\u{20000}-\u{3ffff}]/gu
);

/** @param {string} text @param {"word" | "grapheme"} granularity */
const segmented = (text, granularity) => [...new Intl.Segmenter("und", { granularity }).segment(text)]
  .map(({ segment }) => segment);

// How long people would say that a text is which is being written: its words or, in Chinese and Japanese, its
// characters, without punctuation. The server has the last word (annotation/documents/words.py: length_of).
/** @param {string} text @returns {{ n: number, unit: SizeUnit }} */
export function lengthOf(text) {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (2 * (text.match(NO_SPACES)?.length ?? 0) > letters) {
    return { n: segmented(text, "grapheme").filter((each) => COUNTED.test(each)).length, unit: "characters" };
  }
  return { n: segmented(text, "word").filter(saysSomething).length, unit: "words" };
}

// Whether a text has a letter or a digit, as annotation/documents/words.py says; a token without one is no word.
/** @param {string} text */
export const saysSomething = (text) => /[\p{L}\p{N}]/u.test(text);
