// How questions read beside their paragraph. No DOM in here.

const LONG = 5; // words in a row that are more than a name or a number

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

export const plain = (text) => wordsOf(text).join(" ");

// The longest run of words that question and paragraph have in common, where it is a long one; else "".
export function copied(question, paragraph) {
  const words = wordsOf(question);
  const text = ` ${plain(paragraph)} `;
  let longest = [];
  for (let start = 0; start < words.length; start += 1) {
    let end = start + Math.max(LONG, longest.length + 1);
    while (end <= words.length && text.includes(` ${words.slice(start, end).join(" ")} `)) {
      longest = words.slice(start, end);
      end += 1;
    }
  }
  return longest.join(" ");
}
