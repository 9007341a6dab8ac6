// Where the focus is after a key has changed what is shown, so that the next key does what one expects.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { press } from "./page.js";
import { openAnswer, openPaper, openParagraph, openShortAnswer } from "./stages.js";

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
