// What opens over a page and is no <dialog>: Tab stays in what decides something, and a menu closes when it leaves it.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { openPage, press } from "./page.js";

const DECIDING = `
  <button id="opener" popovertarget="end">End…</button>
  <div id="end" popover role="dialog" shown>
    <input type="hidden" name="role">
    <input type="radio" name="how" id="now"><input type="radio" name="how" id="finish" checked>
    <textarea id="reason"></textarea>
    <button id="confirm">End</button><button id="cancel">Cancel</button>
    <p hidden><a href="/" id="unseen">More</a></p><button disabled id="never">No</button>
  </div>
  <a href="/" id="below">Below</a>`;
const MENU = `
  <button id="opener" popovertarget="menu">Menu</button>
  <div id="menu" popover shown><a href="/" id="inside">Account</a></div>
  <a href="/" id="below">Below</a>`;

const here = () => document.activeElement.id;
const go = (id) => document.querySelector(`#${id}`).focus();

async function open(body) {
  const page = openPage(body);
  let closed = 0;
  page.window.HTMLElement.prototype.hidePopover = () => { closed += 1; };
  await page.load("goldfinch/popovers.js");
  return { closed: () => closed };
}

describe("a decision that is open", () => {
  beforeEach(() => open(DECIDING));

  test("has Tab go round in it, forwards and backwards", () => {
    go("cancel");
    assert.equal(press("Tab"), false);
    assert.equal(here(), "finish");
    assert.equal(press("Tab", { shiftKey: true }), false);
    assert.equal(here(), "cancel");
  });

  test("leaves Tab to the browser between its first and its last stop", () => {
    for (const [id, shiftKey] of [["finish", false], ["confirm", false], ["reason", true], ["cancel", true]]) {
      go(id);
      assert.equal(press("Tab", { shiftKey }), true, id);
    }
  });

  test("takes the focus in from the page below it", () => {
    go("opener");
    assert.equal(press("Tab"), false);
    assert.equal(here(), "finish");
    go("below");
    assert.equal(press("Tab", { shiftKey: true }), false);
    assert.equal(here(), "cancel");
  });

  test("leaves Tab alone with other keys, and once it is closed", () => {
    go("cancel");
    assert.equal(press("Tab", { ctrlKey: true }), true);
    document.querySelector("#end").removeAttribute("shown");
    assert.equal(press("Tab"), true);
    assert.equal(here(), "cancel");
  });
});

test("a menu closes when the focus goes elsewhere, and neither in it nor at its button", async () => {
  const { closed } = await open(MENU);
  for (const [id, times] of [["inside", 0], ["opener", 0], ["below", 1]]) {
    go(id);
    assert.equal(closed(), times, id);
  }
});

test("a decision stays open when the focus goes elsewhere", async () => {
  const { closed } = await open(DECIDING);
  go("below");
  assert.equal(closed(), 0);
});
