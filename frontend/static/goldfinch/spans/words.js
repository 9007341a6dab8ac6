// Tokenise plain text into words by the rule of annotation/documents/words.py. No DOM.

const TOKENS = /[\p{L}\p{N}\p{M}]+(?:[-'’.,·][\p{L}\p{N}\p{M}]+)*|[^\s\x1c-\x1f\x85]/gu;
const PUNCTUATION = /^[.,;:!?…()[\]{}"'“”‘’«»–—-]+$/;

// Whether a token is only punctuation: no span begins or ends with it, whichever way its words are marked.
/** @param {string} token */
export const isPunctuation = (token) => PUNCTUATION.test(token);

// [start, end) of each word in UTF-16 units. `wholes` are ranges that are one word each (equations).
/** @param {string} text @param {[number, number][]} [wholes] @returns {[start: number, end: number][]} */
export function wordsOf(text, wholes = []) {
  /** @type {[start: number, end: number][]} */
  const found = [];
  /** @param {number} from @param {number} to */
  const read = (from, to) => {
    for (const { 0: token, index } of text.slice(from, to).matchAll(TOKENS)) {
      if (!isPunctuation(token)) found.push([from + index, from + index + token.length]);
    }
  };
  let at = 0;
  for (const [start, end] of wholes) {
    read(at, start);
    found.push([start, end]);
    at = end;
  }
  read(at, text.length);
  return found;
}

// Whether a text has a letter or a digit, as annotation/documents/words.py says; a token without one is no word.
/** @param {string} text */
export const saysSomething = (text) => /[\p{L}\p{N}]/u.test(text);
