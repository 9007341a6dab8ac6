// Several exhibits on one screen: keys mark the one in focus and lead to the next.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { press } from "./page.js";
import { openTogether } from "./stages.js";

const stand = ({ form }) => [...form.querySelectorAll("input:checked:not([name*=check])")]
  .map(({ name, value }) => `${name.split("-")[0]} ${value}`).join(", ");
const now = ({ form }) => form.querySelector("[data-now]").dataset.candidate;
const pressed = async (...keys) => {
  const page = await openTogether();
  for (const key of keys) press(key);
  return page;
};

describe("keys on a screen with three exhibits", () => {
  for (const [keys, chosen, at] of [
    [[], "", "A"],
    [["3"], "e4 good", "B"],
    [["3", "1", "3"], "e4 good, e5 bad, e6 good", "C"], // the last one stays in focus
    [["2"], "e4 fair", "A"], // its part is still to be chosen
    [["2", "b"], "e4 fair, e4 long", "B"],
    [["2", "b", "ArrowUp", "3"], "e4 good", "B"], // a part goes with its mark
    [["b"], "", "A"], // no part is there
    [["ArrowDown", "1"], "e5 bad", "C"],
    [["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "3"], "e5 good", "C"],
    [["ArrowUp", "1"], "e4 bad", "B"],
    [["1", "1", "u"], "e4 bad", "B"], // undone, and meant again
    [["1", "1", "u", "u", "u"], "", "A"],
    [["1", "ArrowUp", "1"], "e4 bad", "B"], // the same again is no change
  ]) {
    test(`${keys.join(" ") || "none"} mark ${chosen || "nothing"} and lead to ${at}`, async () => {
      const page = await pressed(...keys);
      assert.deepEqual([stand(page), now(page)], [chosen, at]);
    });
  }

  test("leads to the comment of the one in focus", async () => {
    const { document } = await pressed("3", "c");
    assert.equal(document.activeElement.name, "e5-comment");
  });
});

describe("what is missing", () => {
  for (const [keys, said, at] of [
    [["3", "ArrowDown", "3"], "B: Choose a mark.", "B"],
    [["3", "3", "2"], "C: Choose which of them.", "C"],
  ]) {
    test(`after ${keys.join(" ")} is said, and comes into focus`, async () => {
      const page = await pressed(...keys);
      press("Enter", { ctrlKey: true });
      assert.deepEqual([page.problem(), now(page)], [said, at]);
      assert.equal(page.document.activeElement.dataset.candidate, at);
    });
  }
});

test("every mark is in the draft, with the one in focus", async () => {
  const page = await pressed("3", "1");
  const { "e4-mark": one, "e5-mark": other, "e6-mark": none, _view } = await page.draft();
  assert.deepEqual([one, other, none, _view.candidate], ["good", "bad", undefined, 2]);
});

test("how many have a mark is told", async () => {
  const told = async (...keys) => (await pressed(...keys)).document.querySelector("[data-summary]").textContent;
  assert.deepEqual([await told(), await told("3", "2"), await told("3", "3")], ["No mark yet", "1 / 3", "2 / 3"]);
});

test("a screen reader hears the mark, and that all have one", async () => {
  const page = await pressed("3", "3");
  await page.clock.tickAsync(150);
  assert.equal(page.spoken(), "B: good");
  press("1");
  await page.clock.tickAsync(150);
  assert.equal(page.spoken(), "C: bad. All have a mark.");
});

describe("checks beside the marks", () => {
  const said = ({ form }) => [4, 5, 6].map((place) => form.elements.namedItem(`e${place}-check-opinion`).value);

  for (const [keys, answers, at] of [
    [["q"], ["yes", "", ""], "A"], // the one in focus stays
    [["q", "3", "q", "q"], ["yes", "no", ""], "B"],
    [["ArrowDown", "q", "u"], ["", "", ""], "B"],
    [["q", "3", "u", "u"], ["", "", ""], "A"],
  ]) {
    test(`are ${answers.join(", ")} after ${keys.join(" ")}, with ${at} in focus`, async () => {
      const page = await pressed(...keys);
      assert.deepEqual([said(page), now(page)], [answers, at]);
    });
  }

  test("are no marks", async () => {
    const page = await pressed("q");
    assert.equal(stand(page), "");
    press("Enter", { ctrlKey: true });
    assert.equal(page.problem(), "A: Choose a mark.");
  });

  test("that count get the focus in the one that is meant", async () => {
    const { document } = await pressed("3", "w");
    assert.equal(document.activeElement.name, "e5-check-entities");
  });

  test("that lack a number are said with the letter", async () => {
    const page = await pressed("3", "3", "3");
    page.write("e5-check-entities", "2");
    press("Enter", { ctrlKey: true });
    assert.deepEqual([page.problem(), now(page)], ["B: Both numbers, or none.", "B"]);
  });
});
