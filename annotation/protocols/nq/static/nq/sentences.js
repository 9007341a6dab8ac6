// Split the words of the chosen box into blocks and sentences; the frame sends where blocks begin. No DOM.
/** @import { Spans } from "./spans.js" */

const ENDS = /[.!?…。！？؟۔।]$/;
const CLOSES = /^["'”’»)\]}」』]+$/; // closing marks after a full stop belong to the sentence
const INITIAL = /^\p{Lu}\.$/u;

// Block and sentence number of each word. `starts`: indexes of the first words of blocks, in order from 0.
/** @param {Spans} spans @param {number[]} starts */
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
