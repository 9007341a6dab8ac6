// Which words of a question stand in the passage: the same rule as overlap.py, with the passage's words from the page.
import { wordsOf } from "../goldfinch/spans/words.js";

/** @param {string} word */
const normalised = (word) => word.toLowerCase().replaceAll("’", "'").replace(/'s$/, "");

// [start, end, word as typed] of each, in UTF-16 units.
/** @param {string} text @param {Set<string>} there @returns {[start: number, end: number, word: string][]} */
export function overlap(text, there) {
  return wordsOf(text)
    .map(([start, end]) => /** @type {[number, number, string]} */ ([start, end, text.slice(start, end)]))
    .filter(([, , word]) => there.has(normalised(word)));
}
