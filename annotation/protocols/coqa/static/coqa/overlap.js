// Which words of a question stand in the passage: the same rule as overlap.py, with the passage's words from the page.

const WORDS = /[\p{L}\p{N}\p{M}]+(?:[-'’.,·][\p{L}\p{N}\p{M}]+)*/gu;

/** @param {string} word */
const normalised = (word) => word.toLowerCase().replaceAll("’", "'").replace(/'s$/, "");

// [start, end, word as typed] of each, in UTF-16 units.
/** @param {string} text @param {Set<string>} there @returns {[start: number, end: number, word: string][]} */
export function overlap(text, there) {
  return [...text.matchAll(WORDS)]
    .map(({ 0: word, index }) => /** @type {[number, number, string]} */ ([index, index + word.length, word]))
    .filter(([, , word]) => there.has(normalised(word)));
}
