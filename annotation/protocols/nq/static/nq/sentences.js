// Which block and which sentence each word of the chosen box belongs to; the frame knows where its blocks begin.
// No DOM.

const ENDS = /[.!?…。！？؟۔।]$/;
const CLOSES = /^["'”’»)\]}」』]+$/; // what closes with a sentence belongs to it
const INITIAL = /^\p{Lu}\.$/u;

// `starts` are the words with which blocks begin; the first one is at 0.
export function cut(spans, starts) {
  const begins = new Set(starts);
  const words = [];
  let [block, sentence, over] = [0, 0, false];
  for (let at = 0; at < spans.count; at += 1) {
    const word = spans.word(at);
    if (at && begins.has(at)) { block += 1; sentence += 1; over = false; }
    else if (over && !CLOSES.test(word)) { sentence += /^\p{Ll}/u.test(word) ? 0 : 1; over = false; }
    words.push({ block, sentence });
    if (ENDS.test(word)) over = !INITIAL.test(word);
  }
  return words;
}
