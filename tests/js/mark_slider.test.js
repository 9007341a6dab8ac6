// The slider below people's scores, the field beside it, and the line in the plot are at the same mark.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage } from "./page.js";

const page = (mark) => `
  <form data-marks>
    <svg data-left="12" data-right="348" data-most="4"><line class="mark" x1="0" x2="0"></line></svg>
    <input type="range" min="0" max="4" step="0.1" hidden data-slide>
    <input name="mark-task" value="${mark}">
  </form>`;
const slide = () => document.querySelector("[data-slide]");
const field = () => document.querySelector("[name]");
const at = () => Number(document.querySelector("line").getAttribute("x1"));
const type = (input, value) => {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
};

describe("the slider of a mark", () => {
  for (const [mark, place] of [["1.5", "1.5"], ["1,5", "1.5"], ["7/2", "3.5"], ["4", "4"]]) {
    test(`begins at ${mark}`, async () => {
      await openPage(page(mark)).load("goldfinch/marks.js");
      assert.deepEqual([slide().value, slide().hidden], [place, false]);
    });
  }

  test("moves the line and fills the field", async () => {
    await openPage(page("1")).load("goldfinch/marks.js");
    type(slide(), "3");
    assert.deepEqual([field().value, at()], ["3", 12 + (336 * 3) / 4]);
  });

  test("follows what is typed, with a comma too, and leaves it as it is", async () => {
    await openPage(page("1")).load("goldfinch/marks.js");
    type(field(), "2,5");
    assert.deepEqual([field().value, slide().value, at()], ["2,5", "2.5", 222]);
  });
});
