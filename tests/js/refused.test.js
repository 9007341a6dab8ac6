// An answer that was refused: what says something, and where the focus goes.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage } from "./page.js";
import { openWork, workScreen } from "./work.js";

const PROBLEM = '<p data-problem="text">Write a question.</p>';

async function refuse(inside) {
  const page = await openWork();
  document.querySelector("#screen").outerHTML = workScreen({ attributes: { refused: "blank" }, inside });
  document.dispatchEvent(new CustomEvent("htmx:afterSettle", { detail: { elt: document.body } }));
  await page.clock.tickAsync(0);
  return document.querySelector("[name=text]");
}

describe("an answer that the server has refused", () => {
  test("has the focus in the field that is wrong, until that is changed", async () => {
    const box = await refuse(PROBLEM);
    assert.equal(document.activeElement, box);
    assert.equal(box.getAttribute("aria-invalid"), "true");
    box.dispatchEvent(new Event("input", { bubbles: true }));
    assert.equal(box.getAttribute("aria-invalid"), null);
  });

  test("has it in the first field that its stage has marked", async () => {
    await refuse(`<h1 tabindex="-1">Ask</h1><input id="second" aria-invalid="true">${PROBLEM}`);
    assert.equal(document.activeElement.id, "second");
  });

  test("has it on the heading if what is wrong can't be written in a field", async () => {
    await refuse('<h1 tabindex="-1">Ask</h1><p data-problem="reasons">Why?</p><p data-problem="seen">?</p>');
    assert.equal(document.activeElement.tagName, "H1");
  });
});

describe("a text says something", () => {
  const TEXTS = [
    ["a", true], ["7", true], ["٣", true], ["語", true], ["½", true], ["Ⅷ", true], ["…", false], ["?!", false],
    ["\u200b \u00ad", false], ["🔔", false], ["\u0301", false], ["_", false], ["", false],
  ];

  test("if it has a letter or a digit of any script, as the server says", async () => {
    const page = openPage("");
    const { saysSomething } = await page.load("goldfinch/spans/words.js");
    assert.deepEqual(TEXTS.map(([text]) => [text, saysSomething(text)]), TEXTS);
  });
});
