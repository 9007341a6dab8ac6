// What a choice hides is kept in the draft, and back with the other choice, after the page was loaded again too.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { press } from "./page.js";
import { openAnswer, openPaper, openParagraph, openShortAnswer } from "./stages.js";

const TEXT = "The old bell rang twice at noon, and the boats came home.";

describe("what is set aside", () => {
  test("by Unknown: the rationale and the answer", async () => {
    const page = await openAnswer(TEXT);
    page.mark("old bell");
    page.write("text", "a bell");
    press("u", { altKey: true });
    assert.equal(page.field("unknown").checked, true);
    assert.equal(page.document.querySelector("[data-words-part]").hidden, true);
    const again = await openAnswer(TEXT, { draft: await page.draft() });
    assert.equal(again.field("unknown").checked, true);
    press("u", { altKey: true });
    assert.deepEqual([again.marked("rationale"), again.field("text").value], ["old bell", "a bell"]);
    assert.equal(again.field("unknown").checked, false);
  });

  test("by No answer: the marked words of a paragraph", async () => {
    const page = await openParagraph(TEXT);
    page.mark("old bell");
    press("n");
    const again = await openParagraph(TEXT, { draft: await page.draft() });
    again.choose("kind", "span");
    assert.equal(again.marked("span"), "old bell");
  });

  test("by None: the marked words of a box", async () => {
    const page = await openShortAnswer(TEXT);
    press("s");
    press("Enter");
    press("Escape");
    press("0");
    const draft = await page.draft();
    assert.equal(draft.kind, "none");
    const again = await openShortAnswer(TEXT, { draft });
    assert.equal(again.document.querySelector("[data-spans-part]").hidden, true);
    again.choose("kind", "spans");
    assert.equal(again.marked("spans"), "The");
    assert.equal(again.document.querySelector("[data-spans] q").textContent, "The");
  });

  test("by evidence: that the paper does not mention it", async () => {
    const page = await openPaper(["We train on three corpora.", "Each has a million words."]);
    press("2");
    press("x");
    page.choose("by_absence", "on");
    page.click('[data-sentence="0"]');
    assert.equal(page.document.querySelector("[data-absence]").hidden, true);
    assert.equal((await page.draft()).by_absence, "on");
    page.click('[data-sentence="0"]');
    assert.equal(page.field("by_absence").checked, true);
    press("y");
    press("Enter", { ctrlKey: true });
    assert.equal(page.problem(), "Choose the evidence.");
  });
});

test("words marked from None on are the only ones", async () => {
  const page = await openShortAnswer(TEXT);
  press("s");
  press("Enter");
  press("Escape");
  press("0");
  const quote = page.document.querySelector("[data-quote]");
  quote.value = "noon";
  page.click("[data-find-quote]");
  await page.server.waiting("/find-quote/").answer({ matches: [{ text: 0, start: 6, end: 7 }] });
  page.leave();
  press("Enter");
  assert.equal(page.marked("spans"), "noon,");
});
