// What a word is in plain text, by the rule of annotation/documents/words.py. No DOM.

const TOKENS = /[\p{L}\p{N}\p{M}]+(?:[-'’.,·][\p{L}\p{N}\p{M}]+)*|[^\s\x1c-\x1f\x85]/gu;
const BETWEEN = /^[.,;:!?…()[\]{}"'“”‘’«»–—-]$/; // punctuation by itself is nothing that anybody marks

// [start, end) of each word in UTF-16 units. `wholes` are stretches that are one word whatever is in them (equations).
export function wordsOf(text, wholes = []) {
  const found = [];
  const read = (from, to) => {
    for (const { 0: token, index } of text.slice(from, to).matchAll(TOKENS)) {
      if (!BETWEEN.test(token)) found.push([from + index, from + index + token.length]);
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

// Whether it counts as a word, where words are counted.
export const isCounted = (token) => /[\p{L}\p{N}]/u.test(token);
