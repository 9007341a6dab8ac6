// Where the tokens and characters of a text begin and end, as the server cuts them: annotation/documents/words.py has
// the rule and the codes. All offsets are UTF-16 units. No DOM.

const DIGITS = [...Array(94).keys()].map((at) => String.fromCharCode(33 + at))
  .filter((char) => !"\"&'<>\\`~".includes(char));
const MORE = "~"; // as many as there are digits, and what follows
const VALUES = new Map(DIGITS.map((digit, value) => [digit, value]));

/** @typedef {[start: number, end: number]} Stretch */

// [start, end) of each range in a code: by turns, how far it is to the next one and how long that is.
/** @param {string} code @returns {Stretch[]} */
export function decoded(code) {
  /** @type {Stretch[]} */
  const found = [];
  let [at, start, number, isLength] = [0, 0, 0, false];
  for (const digit of code) {
    if (digit === MORE) {
      number += DIGITS.length;
    } else {
      at += number + VALUES.get(digit);
      if (isLength) found.push([start, at]);
      start = at;
      number = 0;
      isLength = !isLength;
    }
  }
  return found;
}

// The place of the first range that ends after `at`.
/** @param {Stretch[]} ranges @param {number} at */
export function firstAfter(ranges, at) {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle][1] > at) high = middle; else low = middle + 1;
  }
  return low;
}

// [start, end) from the first to the last of the ranges that one touches; null if it touches none.
/** @param {Stretch[]} ranges @param {number} start @param {number} end @returns {Stretch | null} */
export function touched(ranges, start, end) {
  const first = firstAfter(ranges, start);
  let last = first;
  while (last + 1 < ranges.length && ranges[last + 1][0] < end) last += 1;
  return ranges[first]?.[0] < end ? [ranges[first][0], ranges[last][1]] : null;
}

// The tokens, of which each of `wholes` (an equation) is one.
/** @param {Stretch[]} tokens @param {Stretch[]} wholes @returns {Stretch[]} */
export function withWholes(tokens, wholes) {
  if (!wholes.length) return tokens;
  const apart = tokens.filter(([start, end]) => !touched(wholes, start, end));
  return [...apart, ...wholes].sort(([a], [b]) => a - b);
}

// The start and the end of the character at an offset; one unit where nothing else is said.
/** @param {Stretch[]} clusters @param {number} at @returns {Stretch} */
export function characterAt(clusters, at) {
  const found = clusters[firstAfter(clusters, at)];
  return found && found[0] <= at ? found : [at, at + 1];
}
