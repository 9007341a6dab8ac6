// The list of items: who has chosen a whole page is offered all that match.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./page.js";

const ROWS = [1, 2].map((key) => `<tr><td><input type="checkbox" name="item" value="${key}"></td>
  <th><a href="/${key}/">${key}</a></th></tr>`).join("");
const BODY = `<input id="q"><form data-items>
  <label data-all-box hidden><input type="checkbox" data-all></label><table>${ROWS}</table>
  <button data-decide></button><span data-chosen data-words="%n chosen"></span>
  <label data-all-matching><input type="checkbox" name="all" value="1" data-n="20000"></label>
  <span data-chosen-n></span><p data-by-job hidden></p></form>`;

async function opened() {
  const page = openPage(BODY);
  await page.load("goldfinch/items.js");
  const find = (selector) => page.document.querySelector(selector);
  const tick = (selector) => {
    find(selector).checked = !find(selector).checked;
    find(selector).dispatchEvent(new page.window.Event("change", { bubbles: true }));
  };
  page.window.dispatchEvent(new page.window.Event("pageshow"));
  return { find, tick };
}

test("all that match are offered once the whole page is chosen, and counted when they are", async () => {
  const { find, tick } = await opened();
  assert.equal(find("[data-all-matching]").hidden, true);
  tick("[name=item]");
  assert.equal(find("[data-all-matching]").hidden, true);
  tick("[data-all]");
  assert.equal(find("[data-all-matching]").hidden, false);
  assert.equal(find("[data-chosen]").textContent, "2 chosen");
  assert.equal(find("[data-by-job]").hidden, true);
  tick("[name=all]");
  assert.equal(find("[data-chosen]").textContent, "20,000 chosen");
  assert.equal(find("[data-by-job]").hidden, false);
});

test("who takes one away again has not chosen all that match", async () => {
  const { find, tick } = await opened();
  tick("[data-all]");
  tick("[name=all]");
  tick("[name=item]");
  assert.equal(find("[name=all]").checked, false);
  assert.equal(find("[data-chosen]").textContent, "1 chosen");
});
