// What was written into a form and not sent is there again when its page is, and gone once it was sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./page.js";

/** @param {string} [reason] */
const form = (reason = "") => `<form data-kept="7:decide:annotate:12">
  <input type="hidden" name="csrfmiddlewaretoken" value="t">
  <label><input type="radio" name="chosen" value="a"> A</label>
  <label><input type="radio" name="chosen" value="b"> B</label>
  <textarea name="reason">${reason}</textarea>
</form>`;
const KEY = "goldfinch:form:7:decide:annotate:12";

// The page anew, in the same browser.
async function show(body, stored = {}) {
  const page = openPage(body);
  for (const [key, value] of Object.entries(stored)) page.window.localStorage.setItem(key, value);
  await page.load("goldfinch/kept_forms.js");
  const { elements } = page.document.querySelector("form");
  return { ...page, elements, stored: () => ({ ...page.window.localStorage }) };
}

function write(page, reason) {
  page.elements.chosen[1].checked = true;
  page.elements.reason.value = reason;
  page.elements.reason.dispatchEvent(new page.window.Event("input", { bubbles: true }));
}

test("a choice and its reason are there again after a key led to another page", async () => {
  const before = await show(form());
  write(before, "The smallest box.");
  const after = await show(form(), before.stored());
  assert.equal(after.elements.chosen.value, "b");
  assert.equal(after.elements.reason.value, "The smallest box.");
});

test("the token of the form is not kept", async () => {
  const page = await show(form());
  write(page, "Because.");
  assert.deepEqual(JSON.parse(page.stored()[KEY]), { chosen: "b", reason: "Because." });
});

test("what was sent is not kept", async () => {
  const page = await show(form());
  write(page, "Because.");
  page.document.querySelector("form").dispatchEvent(new page.window.Event("submit", { bubbles: true }));
  assert.equal(KEY in page.stored(), false);
});

test("what the server sends back is not overwritten by what was kept before, and is kept", async () => {
  const page = await show(form("Sent back."), { [KEY]: JSON.stringify({ chosen: "a", reason: "Older." }) });
  assert.equal(page.elements.reason.value, "Sent back.");
  assert.deepEqual(JSON.parse(page.stored()[KEY]), { reason: "Sent back." });
});

test("on a shared computer nothing is kept", async () => {
  const page = await show(form(), { "goldfinch:shared": "1" });
  write(page, "Because.");
  assert.equal(KEY in page.stored(), false);
});
