// Undo takes back a step, never what was typed since.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { press } from "./page.js";
import { openAnswer, openPaper, openQuestions } from "./stages.js";

const TEXT = "The old bell rang twice at noon, and the boats came home.";
const BELL = ["What rang?", "old bell"];
const BOATS = ["What came home?", "boats"];
const WHEN = ["When did it ring?", "noon"];

describe("questions about a paragraph", () => {
  const remove = (page, number) => page.click(`[data-row="${number}"] [data-remove]`);
  const texts = (page) => [1, 2, 3, 4, 5].map((number) => page.field(`text_${number}`).value).filter(Boolean);
  const words = (page) => [1, 2, 3, 4, 5].map((number) => page.marked(`span_${number}`)).filter(Boolean);

  test("a removed one comes back at its place, and what was written in another one stays", async () => {
    const page = await openQuestions(TEXT, [BELL, BOATS]);
    remove(page, 1);
    page.write("text_1", "Which boats came home?");
    page.leave();
    press("u");
    assert.deepEqual(texts(page), ["What rang?", "Which boats came home?"]);
    assert.deepEqual(words(page), ["old bell", "boats"]);
    const { text_1: first, text_2: second } = await page.draft();
    assert.deepEqual([first, second], ["What rang?", "Which boats came home?"]);
  });

  test("one that was written since stays beside it", async () => {
    const page = await openQuestions(TEXT, [BELL, BOATS]);
    remove(page, 2);
    page.click("[data-add]");
    page.write("text_2", "How often?");
    page.leave();
    press("u");
    assert.deepEqual(texts(page), ["What rang?", "What came home?", "How often?"]);
    assert.deepEqual(words(page), ["old bell", "boats"]);
  });

  test("without room for it nothing changes, and it comes back once there is some", async () => {
    const page = await openQuestions(TEXT, [BELL, BOATS, WHEN, ["How often?", "twice"], ["Who?", "The"]]);
    remove(page, 5);
    page.click("[data-add]");
    page.write("text_5", "Where to?");
    page.leave();
    press("u");
    assert.equal(page.problem(), "You have five.");
    assert.equal(texts(page)[4], "Where to?");
    remove(page, 1);
    page.leave();
    press("u");
    assert.equal(page.problem(), "");
    assert.deepEqual(texts(page), ["What came home?", "When did it ring?", "How often?", "Where to?", "Who?"]);
    assert.deepEqual(words(page), ["boats", "noon", "twice", "The"]);
  });

  test("marked words go back in their own question, wherever that stands now", async () => {
    const page = await openQuestions(TEXT, [BELL, BOATS]);
    page.field("text_2").focus();
    page.mark("boats came");
    remove(page, 1);
    page.leave();
    press("u");
    page.write("text_2", "Which boats?");
    page.leave();
    press("u");
    assert.deepEqual(texts(page), ["What rang?", "Which boats?"]);
    assert.deepEqual(words(page), ["old bell", "boats"]);
  });
});

describe("an answer copied from its rationale", () => {
  test("stays as it was written when the rationale is taken back", async () => {
    const page = await openAnswer(TEXT);
    page.mark("old bell");
    assert.equal(page.field("text").value, "old bell");
    page.write("text", "the bell of the harbour");
    page.leave();
    press("u");
    assert.deepEqual(page.added(), []);
    assert.equal(page.field("text").value, "the bell of the harbour");
  });

  test("goes with it if nobody has touched it", async () => {
    const page = await openAnswer(TEXT);
    page.mark("old bell");
    press("u");
    assert.deepEqual([page.added(), page.field("text").value], [[], "old bell"], "they wait to be added again");
    press("Escape");
    assert.equal(page.field("text").value, "");
  });

  test("comes back when it was copied over by the button", async () => {
    const page = await openAnswer(TEXT);
    page.mark("old bell");
    page.write("text", "a bell");
    page.click("[data-copy]");
    assert.equal(page.field("text").value, "old bell");
    page.leave();
    press("u");
    assert.equal(page.field("text").value, "a bell");
  });
});

describe("an answer about a paper", () => {
  const SENTENCES = ["We train on three corpora.", "Each has a million words."];
  const sentence = (page, number) => page.click(`[data-sentence="${number}"]`);
  const evidence = (page) => JSON.parse(page.field("evidence").value || "[]").map(({ quote }) => quote);

  test("keeps what was written since the evidence that is taken back", async () => {
    const page = await openPaper(SENTENCES);
    press("3");
    page.write("text", "Three");
    page.leave();
    sentence(page, 0);
    page.write("text", "Three corpora");
    page.choose("in_abstract", "on");
    page.leave();
    press("u");
    assert.deepEqual(evidence(page), []);
    assert.equal(page.field("text").value, "Three corpora");
    assert.equal(page.field("in_abstract").checked, true);
    press("u");
    assert.equal(page.field("kind").value, "");
    const { text } = await page.draft();
    assert.equal(text, "Three corpora");
  });

  test("has its words back when the kind that cleared them is taken back", async () => {
    const page = await openPaper(SENTENCES);
    press("3");
    page.write("text", "Three");
    page.leave();
    press("2");
    page.click("[data-switch-yes]");
    assert.equal(page.field("text").value, "");
    press("u");
    assert.deepEqual([page.field("kind").value, page.field("text").value], ["abstractive", "Three"]);
  });

  test("takes a clicked Yes or No back as a step of its own", async () => {
    const page = await openPaper(SENTENCES);
    press("2");
    press("y");
    sentence(page, 0);
    page.choose("value", "no");
    page.leave();
    press("u");
    assert.deepEqual([page.field("value").value, evidence(page).length], ["yes", 1]);
    press("u");
    assert.deepEqual([page.field("value").value, evidence(page).length], ["yes", 0]);
  });
});
