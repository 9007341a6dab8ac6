// What is selected in an answer becomes an entity of whole characters; and whether an answer says an entity.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isSaidIn, wholeCharacters } from "/static/dureader/selected.js";

const FAMILY = "👨‍👩‍👧";
const FLAGS = "🇩🇪🇫🇷";
const PERSIAN = "می‌خواهم";

const cases = [
  ["words without the white space around them", "the red  bell\n", 3, 14, "red  bell"],
  ["nothing", "bell", 2, 2, ""],
  ["only white space", "a bell", 1, 2, ""],
  ["a surrogate pair that is cut", "a🔔b", 1, 2, "🔔"],
  ["a joined family that is cut anywhere", `x${FAMILY}y`, 4, 5, FAMILY],
  ["one flag of two", FLAGS, 1, 3, "🇩🇪"],
  ["two flags, each cut", FLAGS, 3, 5, FLAGS],
  ["a letter with its combining accent", "cafe\u0301 noir", 4, 5, "e\u0301"],
  ["a Persian word with its joiner", `من ${PERSIAN}`, 3, 11, PERSIAN],
  ["a Persian joiner that ends the selection", PERSIAN, 0, 2, "می‌"],
  ["Chinese, character by character", "斯凯罗有灯塔", 1, 3, "凯罗"],
  ["a rare Chinese character of two units", "𠮷野家", 1, 3, "𠮷野"],
  ["a Hangul syllable of three letters", "\u1112\u1161\u11ab글", 1, 2, "\u1112\u1161\u11ab"],
];
for (const [what, text, start, end, wanted] of cases) {
  test(`selected: ${what}`, () => assert.equal(wholeCharacters(text, start, end), wanted));
}

const said = [
  ["a part of a word", "Neptune rose.", "Neptun", false],
  ["the end of a word", "Uncover it.", "cover", false],
  ["a word, after a part of another", "Neptune and Neptun.", "Neptun", true],
  ["a word with its possessive", "Neptune’s moons", "Neptune", true],
  ["several words", "the red bell.", "red bell", true],
  ["a number in a longer one", "in 1871", "187", false],
  ["a letter of which an accent is left out", "cafe\u0301", "cafe", false],
  ["punctuation at its ends", "«C++», she said", "C++", true],
  ["Chinese characters in a longer run", "斯凯罗有灯塔", "凯罗", true],
  ["Japanese before its particle", "灯台を見る", "灯台", true],
  ["Latin letters beside Chinese", "用LED灯", "LED", true],
  ["a Korean noun with its particle", "서울에 간다", "서울", true],
  ["Thai, which has no spaces", "ประภาคารเก่า", "ประภาคาร", true],
  ["a Russian word in another form", "маяками", "маяк", false],
  ["what is not there", "a bell", "buoy", false],
];
for (const [what, text, entity, wanted] of said) {
  test(`said: ${what}`, () => assert.equal(isSaidIn(text, entity), wanted));
}
