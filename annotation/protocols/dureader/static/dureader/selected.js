// What is selected in a text, without white space around it and never with half a character. No DOM.

const characters = new Intl.Segmenter("und", { granularity: "grapheme" });

// A character that the selection cuts is in it as a whole.
/** @param {string} text @param {number} start @param {number} end in UTF-16 units */
export function wholeCharacters(text, start, end) {
  if (start >= end) return "";
  const inside = [...characters.segment(text)]
    .filter(({ index, segment }) => index < end && index + segment.length > start);
  return inside.map(({ segment }) => segment).join("").trim();
}
