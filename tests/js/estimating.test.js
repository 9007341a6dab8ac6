// The estimate beside the numbers of a new project.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { openPage } from "./page.js";

const PAGE = `
  <form id="step"><input type="hidden" name="csrfmiddlewaretoken" value="t"><input name="items" value="5"></form>
  <div data-estimate="/projects/new/estimate/"><b>1 hour</b></div>
  <input name="pace-people" form="step" value="3"><input name="elsewhere">
  <button data-reckon>Calculate</button>`;
const said = () => document.querySelector("[data-estimate]").textContent;

describe("the estimate", () => {
  let page;
  beforeEach(async () => {
    page = openPage(PAGE);
    await page.load("goldfinch/estimating.js");
  });

  const type = (name, value) => {
    const field = document.querySelector(`[name=${name}]`);
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  test("is asked for 300 ms after the last key, with everything that is entered", async () => {
    type("items", "70");
    await page.clock.tickAsync(299);
    type("pace-people", "9");
    await page.clock.tickAsync(299);
    assert.equal(page.server.all.length, 0);
    await page.clock.tickAsync(1);
    const request = page.server.waiting("/estimate/");
    assert.deepEqual([request.fields.items, request.fields["pace-people"]], ["70", "9"]);
    await request.answer("<b>14 hours</b>");
    assert.equal(said(), "14 hours");
  });

  test("is asked for once more if something was typed while it was on its way", async () => {
    type("items", "70");
    await page.clock.tickAsync(300);
    type("items", "700");
    await page.clock.tickAsync(300);
    await page.server.waiting("/estimate/").answer("<b>14 hours</b>");
    const second = page.server.waiting("/estimate/");
    assert.equal(second.fields.items, "700");
    await second.answer("<b>140 hours</b>");
    assert.equal(said(), "140 hours");
  });

  test("stays as it was without a connection, or if the answer is another page", async () => {
    type("items", "70");
    await page.clock.tickAsync(300);
    await page.server.waiting("/estimate/").fail();
    assert.equal(said(), "1 hour");
    type("items", "71");
    await page.clock.tickAsync(300);
    await page.server.waiting("/estimate/").answer("Sign in", { status: 401 });
    assert.equal(said(), "1 hour");
  });

  test("is not asked for by fields elsewhere, and needs no button any more", async () => {
    type("elsewhere", "x");
    await page.clock.tickAsync(1000);
    assert.equal(page.server.all.length, 0);
    assert.equal(document.querySelector("[data-reckon]"), null);
  });
});
