// Compare the wording of questions with each other and with the paragraph. No DOM.

const LONG = 5; // fewer words in a row may be just a name or a number

/** @param {string} text */
const wordsOf = (text) => [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => (
  { word: word.normalize("NFKC").toLowerCase(), start: index, end: index + word.length }
));

/** @param {string} text */
export const plain = (text) => wordsOf(text).map(({ word }) => word).join(" ");

// The longest run of words that the question shares with the paragraph, as written there; "" if it is short.
/** @param {string} question @param {string} paragraph */
export function copied(question, paragraph) {
  const [asked, given] = [wordsOf(question), wordsOf(paragraph)];
  let [longest, from] = [0, 0];
  for (let at = 0; at < asked.length; at += 1) {
    for (let place = 0; place < given.length; place += 1) {
      let size = 0;
      while (asked[at + size] && asked[at + size].word === given[place + size]?.word) size += 1;
      if (size > longest) [longest, from] = [size, place];
    }
  }
  return longest < LONG ? "" : paragraph.slice(given[from].start, given[from + longest - 1].end);
}
