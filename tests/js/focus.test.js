// Where the focus is after a key has changed what is shown, so that the next key does what one expects.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { press } from "./page.js";
import { openAnswer, openPaper, openParagraph, openQuestions, openShortAnswer } from "./stages.js";

const TEXT = "The old bell rang twice at noon, and the boats came home.";
const name = () => document.activeElement.name || document.activeElement.id || document.activeElement.tagName;

describe("what is hidden passes the focus on", () => {
  test("from the answer to Unknown, and back", async () => {
    const page = await openAnswer(TEXT);
    page.write("text", "a bell");
    press("u", { altKey: true });
    assert.equal(name(), "unknown");
    press("u", { altKey: true });
    assert.equal(name(), "text");
  });

  test("not back to the answer if Unknown was chosen elsewhere", async () => {
    const page = await openAnswer(TEXT);
    page.write("text", "a bell");
    page.field("unknown").focus();
    press("u", { altKey: true });
    press("u", { altKey: true });
    assert.equal(name(), "unknown");
  });

  for (const [what, open, selector, key] of [
    ["the marked words of a paragraph", () => openParagraph(TEXT), "[data-select]", "n"],
    ["the marked words of a box", () => openShortAnswer(TEXT), "[data-select]", "0"],
    ["a tick about a paper", () => openPaper([TEXT]), "[name=in_abstract]", "4"],
  ]) {
    test(`from ${what} to the text`, async () => {
      const page = await open();
      if (key === "4") press("2");
      page.document.querySelector(selector).focus();
      press(key);
      assert.equal(name(), "material");
    });
  }
});

describe("select mode", () => {
  test("is over once its words have led to the box", async () => {
    const page = await openAnswer(TEXT);
    press("s");
    press("ArrowRight");
    press("Enter");
    await page.clock.tickAsync(16);
    assert.equal(name(), "text");
    assert.equal(page.field("text").value, "old");
    assert.equal(page.document.querySelector("[data-select]").getAttribute("aria-pressed"), "false");
    await page.clock.tickAsync(150);
    assert.equal(page.spoken(), "Rationale: old");
    press("Escape");
    assert.equal(name(), "material");
  });

  test("is over in a field of the answer, and what is selected waits to be added", async () => {
    const page = await openQuestions(TEXT, []);
    press("s");
    press("ArrowRight", { shiftKey: true });
    page.field("text_1").focus();
    assert.equal(page.document.querySelector("[data-select]").getAttribute("aria-pressed"), "false");
    assert.equal(page.document.querySelector("[data-pending-words]").textContent, "The old");
    page.leave();
    press("Enter");
    assert.equal(page.marked("span_1"), "The old");
  });
});
