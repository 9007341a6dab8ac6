// How questions read: their words, and advice about them that never stops anybody. No DOM in here.

export const wordsOf = (text) => text.split(/\s+/).filter(Boolean);

export const plain = (text) => (text.toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []).join(" ");

// Whether there is advice about a question by itself; what is very like another one the server asks, once it was sent.
export const isTwo = (text) => (text.match(/[?？؟]/g) ?? []).length > 1;
