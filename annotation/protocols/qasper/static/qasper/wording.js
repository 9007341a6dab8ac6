// How questions read: their words, and advice about them that never stops anybody. No DOM in here.

const SMALL = new Set("a an and are as at be by can could did do does for from has have how in is it its of on or that the their them there they this to was were what when where which who why will with would".split(" "));
const ALIKE = 0.7;

export const wordsOf = (text) => text.split(/\s+/).filter(Boolean);

export const plain = (text) => (text.toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []).join(" ");

const content = (text) => new Set(plain(text).split(" ").filter((word) => word && !SMALL.has(word)));

// 0 (no content word in common) to 1 (the same content words).
export function likeness(one, other) {
  const [a, b] = [content(one), content(other)];
  if (!a.size || !b.size) return 0;
  const both = [...a].filter((word) => b.has(word)).length;
  return both / (a.size + b.size - both);
}

// What may be said about the question at a place: { kind, like } or null.
export function advice(texts, at) {
  if ((texts[at].match(/[?？؟]/g) ?? []).length > 1) return { kind: "marks" };
  const like = texts.findIndex((text, place) => place < at && plain(text) !== plain(texts[at]) && likeness(text, texts[at]) >= ALIKE);
  return like < 0 ? null : { kind: "alike", like };
}
