// How a question reads beside its paragraph. No DOM in here.

const LONG = 5; // words in a row that are more than a name or a number

const wordsOf = (text) => [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => (
  { word: word.toLowerCase(), start: index, end: index + word.length }
));

export const plain = (text) => wordsOf(text).map(({ word }) => word).join(" ");

// The longest run of words that the question has from the paragraph, as the paragraph writes it; "" for a short one.
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
