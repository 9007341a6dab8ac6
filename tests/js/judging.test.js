// A mark of a judging round, and which of its parts: by keys alone, each key for what is there to be chosen.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { press } from "./page.js";
import { openJudging } from "./stages.js";

const stand = ({ form }) => [...form.querySelectorAll(":is([name=mark], [name=part]):checked")]
  .map(({ value }) => value);
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

describe("a check beside the mark", () => {
  const opinion = ({ form }) => form.elements.namedItem("check-opinion").value;
  const focused = ({ document }) => document.activeElement.name;

  for (const [keys, said] of [
    ["", ""], ["q", "yes"], ["qq", "no"], ["qqq", ""], ["qqqq", "yes"], // its key goes through all answers
    ["qu", ""], ["qqu", "yes"], ["q1u", "yes"], ["1qu", ""], ["1quu", ""],
  ]) {
    test(`is ${said || "open"} after ${keys || "nothing"}`, async () => {
      assert.equal(opinion(await pressed(...keys)), said);
    });
  }

  test("is taken back with U after a click as after its key, and the mark before it stays", async () => {
    const page = await pressed("1");
    page.choose("check-opinion", "no");
    press("u");
    assert.deepEqual([opinion(page), stand(page)], ["", ["yes"]]);
    press("u");
    assert.deepEqual(stand(page), []);
  });

  test("chooses no mark and is no part of the summary, even if it says what a mark is called", async () => {
    const page = await pressed("q");
    assert.deepEqual(stand(page), []);
    assert.equal(summary(page), "No mark yet");
    press("Enter", { ctrlKey: true });
    assert.equal(page.problem(), "Choose a mark.");
  });

  test("is in the draft, and restored from it", async () => {
    const page = await pressed("1", "q");
    page.write("check-entities", "2");
    page.write("check-entities-of", "3");
    const { _view, ...draft } = await page.draft();
    const { "check-opinion": said, "check-entities": n, "check-entities-of": m } = draft;
    assert.deepEqual([said, n, m], ["yes", "2", "3"]);
    const again = await openJudging({ draft });
    assert.deepEqual([opinion(again), again.field("check-entities-of").value], ["yes", "3"]);
  });

  test("that counts gets the focus by its key, and letters typed there are no keys", async () => {
    const page = await pressed("w");
    assert.equal(focused(page), "check-entities");
    press("q");
    assert.equal(opinion(page), "");
  });

  for (const [n, m, problem] of [
    ["2", "", "Both numbers, or none."], ["", "2", "Both numbers, or none."], ["3", "2", "At most the second."],
    ["10", "9", "At most the second."], ["2", "2", ""], ["0", "1", ""], ["", "", ""],
  ]) {
    test(`says ${problem || "nothing"} of ${n || "nothing"} of ${m || "nothing"} when the mark is sent`, async () => {
      const page = await pressed("1");
      page.write("check-entities", n);
      page.write("check-entities-of", m);
      press("Enter", { ctrlKey: true });
      assert.equal(page.problem(), problem);
    });
  }
});
