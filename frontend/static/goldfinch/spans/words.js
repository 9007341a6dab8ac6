// What counts as a word among the tokens of a text. No DOM.

const PUNCTUATION = /^[.,;:!?…()[\]{}"'“”‘’«»–—-]+$/;

// Whether a token of a frame is only punctuation: no span begins or ends with it, whichever way its words are marked.
/** @param {string} token */
export const isPunctuation = (token) => PUNCTUATION.test(token);

// Whether a text has a letter or a digit, as annotation/documents/words.py says; a token without one is no word.
/** @param {string} text */
export const saysSomething = (text) => /[\p{L}\p{N}]/u.test(text);
