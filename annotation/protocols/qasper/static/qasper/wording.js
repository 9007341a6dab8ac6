// The wording of questions: their words, and advice that never blocks sending. No DOM.

export const wordsOf = (text) => text.split(/\s+/).filter(Boolean);

export const plain = (text) => (text.toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []).join(" ");

// Whether there is advice about a single question; the server checks for similar ones when they are sent.
export const isTwo = (text) => (text.match(/[?？؟]/g) ?? []).length > 1;
