// A mark of a judging round, and which of its parts: by keys alone, each key for what is there to be chosen.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { press } from "./page.js";
import { openJudging } from "./stages.js";

const stand = ({ form }) => [...form.querySelectorAll("input:checked")].map(({ value }) => value);
const summary = ({ document }) => document.querySelector("[data-summary]").textContent;
const pressed = async (...keys) => {
  const page = await openJudging();
  for (const key of keys) press(key);
  return page;
};

describe("a mark with parts", () => {
  for (const [keys, chosen] of [
    ["1", ["yes"]], ["2", ["edited"]], ["2b", ["edited", "noun"]],
    ["3b", ["other", "chosen"]], ["3a", ["other", "counted"]],
    ["a", []], ["1a", ["yes"]], // no part is there
    ["2a1", ["yes"]], ["2a3", ["other"]], // a part goes with its mark
    ["2a1u", ["edited", "article"]], ["2au", ["edited"]], ["2auu", []],
  ]) {
    test(`${keys} chooses ${chosen.join(" and ") || "nothing"}`, async () => {
      assert.deepEqual(stand(await pressed(...keys)), chosen);
    });
  }

  test("can't be sent without one of them, which is said", async () => {
    const page = await pressed("2");
    press("Enter", { ctrlKey: true });
    assert.equal(page.problem(), "Choose which of them.");
    press("a");
    assert.equal(page.problem(), "");
  });

  test("is named with its part, by the titles alone", async () => {
    assert.equal(summary(await pressed("1")), "Yes");
    assert.equal(summary(await pressed("2", "a")), "Edited · article");
    assert.equal(summary(await pressed("a")), "No mark yet");
  });

  test("is in the draft with its part", async () => {
    const page = await pressed("3", "a");
    const { mark, part } = await page.draft();
    assert.deepEqual([mark, part], ["other", "counted"]);
  });
});
