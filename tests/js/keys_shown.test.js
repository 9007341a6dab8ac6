// Keys that a screen shows are keys that work there, and none of them takes away what was found or chosen.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage, press } from "./page.js";
import { openPaper, openVerdict } from "./stages.js";

describe("the key of a fault", () => {
  const stand = ({ field, form }) => [
    field("verdict").value, ...[...form.querySelectorAll("[name=reasons]:checked")].map(({ value }) => value),
  ];

  test("calls the question bad for it, as a click does", async () => {
    const page = await openVerdict();
    press("2");
    assert.deepEqual(stand(page), ["bad", "opinion"]);
    assert.equal(page.document.querySelector("[data-commit-label]").textContent, "Bad");
  });

  test("also after the question was called good, and is undone in one step", async () => {
    const page = await openVerdict();
    press("g");
    press("1");
    assert.deepEqual(stand(page), ["bad", "ambiguous"]);
    press("u");
    assert.deepEqual(stand(page), ["good"]);
  });
});

describe("arrow keys in a table of contents", () => {
  async function openContents() {
    const page = openPage(`<ul><li><a href="#a" id="a">A</a></li><li><a id="gone">skipped</a></li>
      <li><a href="#b" id="b">B</a></li><li><a href="#c" id="c">C</a></li></ul><a href="/" id="out">Home</a>`);
    const { stepByArrows } = await page.load("goldfinch/arrows.js");
    stepByArrows(document.querySelector("ul"), { signal: new AbortController().signal });
    return (from, ...keys) => {
      document.querySelector(`#${from}`).focus();
      for (const key of keys) press(key);
      return document.activeElement.id;
    };
  }

  for (const [from, keys, to] of [
    ["a", ["ArrowDown"], "b"], ["b", ["ArrowUp"], "a"], ["a", ["ArrowUp"], "a"], ["c", ["ArrowDown"], "c"],
    ["b", ["End"], "c"], ["c", ["Home"], "a"], ["out", ["ArrowDown"], "out"],
  ]) {
    test(`${keys} goes from ${from} to ${to}`, async () => {
      const go = await openContents();
      assert.equal(go(from, ...keys), to);
    });
  }
});

describe("Esc in the search field", () => {
  test("first leaves it with what was found, then puts the search away", async () => {
    const page = await openPaper(["A bell rang.", "The bell fell."]);
    const find = page.document.querySelector("[data-find]");
    find.focus();
    find.value = "bell";
    find.dispatchEvent(new Event("input", { bubbles: true }));
    await page.clock.tickAsync(150);
    press("Escape");
    assert.equal(document.activeElement.id, "material");
    assert.equal(find.value, "bell");
    press("Escape");
    assert.equal(find.value, "");
  });
});
