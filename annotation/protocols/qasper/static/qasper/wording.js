// The wording of questions: their words, and advice that never blocks sending. No DOM.

/** @param {string} text */
export const plain = (text) => (text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []).join(" ");

// Words that say nothing about the subject of a question.
const DULL = new Set(`a about all also among an and any are as at authors be been between both but by can could did do
  does each for from had has have how if in into is it its kind many much more most not of on or other paper papers part
  than that the their them then there these they this those to took under use used uses using was we were what when
  where which who whom whose why will with would`.split(/\s+/));
const ENDING = /(?:ings?|ers?|ions?|ed|es|e|s)$/u;
const LONGEST = 60; // characters of the abstract that advice repeats

// As many whole words as fit.
/** @param {string} text */
const clip = (text) => {
  if (text.length <= LONGEST) return text;
  const cut = text.slice(0, LONGEST);
  return `${cut.slice(0, cut.lastIndexOf(" ")).trimEnd()} …`;
};

// Roughly the same for "readers" and "reading".
/** @param {string} word */
const stem = (word) => { const cut = word.replace(ENDING, ""); return cut.length > 2 ? cut : word; };
/** @param {string} text */
const stems = (text) => plain(text).split(" ").filter((word) => word && !DULL.has(word)).map(stem);

// What of the abstract may answer a question already: a number of something that a question "How many" names, or the
// place in one sentence that has all of at least two words that matter; "" for none. For English, and never certain.
/** @param {string} abstract @param {string} question */
export function saidIn(abstract, question) {
  const wanted = new Set(stems(question));
  if (/\bhow (?:many|much)\b/i.test(question)) {
    for (const [found, counted] of abstract.matchAll(/\p{N}[\p{N}.,]* (\p{L}+)/gu)) {
      if (wanted.has(stem(counted.toLowerCase()))) return found;
    }
  }
  if (wanted.size < 2) return "";
  for (const sentence of abstract.split(/(?<=[.!?])\s+/)) {
    const words = [...sentence.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)];
    const hits = words.filter(([word]) => wanted.has(stem(word.toLowerCase())));
    if (new Set(hits.map(([word]) => stem(word.toLowerCase()))).size < wanted.size) continue;
    return clip(sentence.slice(hits[0].index, hits.at(-1).index + hits.at(-1)[0].length));
  }
  return "";
}

// Whether there is advice about a single question; the server checks for similar ones when they are sent.
/** @param {string} text */
export const isTwo = (text) => (text.match(/[?？؟]/g) ?? []).length > 1;
