// After a piece was moved, copied or deleted and the page has come again, the focus is where one goes on from.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage } from "./page.js";

const tools = (key, off = "") => ["up", "down", "copy", "delete"]
  .map((how) => `<button form="arrange" name="act" value="${how}:${key}" ${how === off ? "disabled" : ""}></button>`)
  .join("");
const PAGE = `
  <div class="page-messages"><button id="undo"></button></div>
  <form id="arrange"></form>
  <ol>
    <li id="first"><a href="/first">First</a>${tools("first", "up")}</li>
    <li id="last"><a href="/last">Last</a>${tools("last", "down")}</li>
  </ol>`;
const button = (value) => document.querySelector(`[value="${value}"]`);

async function pressAndComeAgain(value, hash = "") {
  let page = openPage(PAGE);
  await page.load("goldfinch/arranging.js");
  const form = document.getElementById("arrange");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.requestSubmit(button(value));
  const kept = sessionStorage.getItem("goldfinch:arranged");
  page = openPage(PAGE, { url: `http://goldfinch.test/work/7/${hash}` });
  sessionStorage.setItem("goldfinch:arranged", kept);
  await page.load("goldfinch/arranging.js");
  return document.activeElement;
}

describe("the focus after arranging", () => {
  test("is on the button that was pressed", async () => {
    assert.equal(await pressAndComeAgain("up:last"), button("up:last"));
  });

  test("is on the way back where the piece can go no further", async () => {
    assert.equal(await pressAndComeAgain("down:last"), button("up:last"));
  });

  test("is on the copy", async () => {
    assert.equal((await pressAndComeAgain("copy:first", "#last")).textContent, "Last");
  });

  test("is on what takes a deletion back", async () => {
    assert.equal((await pressAndComeAgain("delete:first")).id, "undo");
  });

  test("is left where it is on another page, and when the page is opened later", async () => {
    const page = openPage(PAGE);
    sessionStorage.setItem("goldfinch:arranged", "/elsewhere/ up:last");
    await page.load("goldfinch/arranging.js");
    assert.equal(document.activeElement, document.body);
    assert.equal(sessionStorage.getItem("goldfinch:arranged"), null);
  });
});
