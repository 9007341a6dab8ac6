// Ctrl+Enter sends once for one press, and never a screen that nobody has looked at.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage, press } from "./page.js";
import { openWork, workScreen } from "./work.js";

const SEND = { ctrlKey: true };

// A page of work that counts how often its forms are sent; `follow()` answers what was sent with the next screen.
async function openCounting(screen) {
  const page = await openWork(screen);
  const forms = [];
  document.addEventListener("submit", (event) => forms.push(event.target));
  const settle = async (html) => {
    document.querySelector("#screen").outerHTML = html;
    document.dispatchEvent(new CustomEvent("htmx:afterSettle", { detail: { elt: document.body } }));
    await page.clock.tickAsync(0);
  };
  return {
    ...page, forms, settle,
    notice: (name) => document.querySelector(`[data-notice="${name}"]`),
    async follow() {
      page.sent.begins();
      page.sent.arrives();
      await settle(workScreen({ attributes: { work: "8" } }));
    },
  };
}

describe("the key that sends", () => {
  test("sends once, however long it is held", async () => {
    const { box, forms } = await openCounting();
    box.focus();
    press("Enter", SEND);
    for (let times = 0; times < 6; times += 1) press("Enter", { ...SEND, repeat: true });
    assert.equal(forms.length, 1);
  });

  test("does nothing while an answer is on its way, and sends again if that failed", async () => {
    const { box, forms, sent } = await openCounting();
    box.focus();
    press("Enter", SEND);
    sent.begins();
    press("Enter", SEND);
    assert.equal(forms.length, 1);
    sent.fails();
    press("Enter", SEND);
    assert.equal(forms.length, 2);
  });

  test("that is still held when the next screen is there does not send that", async () => {
    const { box, follow, forms, type } = await openCounting();
    box.focus();
    press("Enter", SEND);
    await follow();
    type("a draft that was complete");
    press("Enter", { ...SEND, repeat: true });
    assert.equal(forms.length, 1);
  });
});

describe("what came in place of what was sent", () => {
  test("is not sent by another press before somebody has looked at it, and says so", async () => {
    const { box, follow, forms, notice } = await openCounting();
    box.focus();
    press("Enter", SEND);
    await follow();
    for (const key of ["Control", "Enter", "Control", "Enter"]) press(key, SEND);
    assert.equal(forms.length, 1);
    assert.match(notice("unread").textContent, /Not looked at/);
  });

  for (const [what, look] of [
    ["another key", () => press("j")],
    ["scrolling", () => document.querySelector("#material").dispatchEvent(new Event("wheel", { bubbles: true }))],
    ["a click", () => document.querySelector("#material").dispatchEvent(new Event("pointerdown", { bubbles: true }))],
  ]) {
    test(`is sent by the key after ${what}`, async () => {
      const { follow, forms, notice } = await openCounting();
      await follow();
      press("Enter", SEND);
      look();
      assert.equal(notice("unread"), null);
      press("Enter", SEND);
      assert.equal(forms.length, 1);
    });
  }

  test("is sent at once if nothing was sent before it", async () => {
    const { forms, settle } = await openCounting();
    await settle(workScreen({ attributes: { work: "9" } }));
    press("Enter", SEND);
    assert.equal(forms.length, 1);
  });

  test("has the focus on its safe button, if it is a choice", async () => {
    const { settle } = await openCounting();
    await settle(`<div id="screen" data-screen><main><h1 data-prompt tabindex="-1">You answered this twice</h1>
      <button>Replace</button><button autofocus>Keep</button></main></div>`);
    assert.equal(document.activeElement.textContent, "Keep");
  });
});

describe("a choice between two versions in a dialog", () => {
  const CHOICE = '<dialog id="overtaken"><form><button autofocus>Keep</button></form></dialog>';

  test("is not made by the key that sends", async () => {
    const { clock, document, drafts, forms, save, type } = await openCounting();
    type("a bell");
    await clock.tickAsync(1000);
    await save().answer(CHOICE, { status: 409, headers: { "X-Refused": "taken_over" } });
    document.querySelector("#overtaken button").focus();
    assert.equal(press("Enter", SEND), false);
    assert.equal(drafts().length, 1);
    assert.equal(forms.length, 0);
  });

  test("is made by it in a dialog whose form shows that key, once it is open", async () => {
    const { load, document, forms } = await openCounting({
      beside: '<dialog id="skip"><form data-ctrl-enter><textarea></textarea><button>Skip</button></form></dialog>',
    });
    await load("goldfinch/page.js");
    let skips = 0;
    const dialog = document.querySelector("#skip");
    dialog.addEventListener("submit", (event) => { event.preventDefault(); skips += 1; });
    press("Enter", SEND);
    assert.deepEqual([skips, forms.map(({ id }) => id)], [0, ["answer"]]);
    dialog.showModal();
    dialog.querySelector("textarea").focus();
    press("Enter", SEND);
    press("Enter", { ...SEND, repeat: true });
    assert.equal(skips, 1);
    assert.deepEqual(forms.map(({ id }) => id), ["answer", ""]);
  });

  test("nor by that of a dialog over a page that is not overtaken", async () => {
    const { document, forms } = await openCounting();
    document.querySelector("#keys").showModal();
    assert.equal(press("Enter", SEND), false);
    assert.equal(forms.length, 0);
  });
});

describe("on a page without a work screen", () => {
  // Its forms and buttons note what is pressed.
  async function openForms(body) {
    const page = openPage(body);
    const done = [];
    document.addEventListener("submit", (event) => done.push(event.target.id));
    document.addEventListener("click", (event) => { if (event.target.id) done.push(event.target.id); });
    page.window.addEventListener("submit", (event) => event.preventDefault()); // after the page has seen it
    await page.load("goldfinch/page.js");
    return done;
  }

  test("a form is sent once by Ctrl+Enter, held or pressed twice", async () => {
    const done = await openForms('<form id="decide" data-ctrl-enter><input id="why"></form>');
    press("Enter", SEND);
    press("Enter", { ...SEND, repeat: true });
    press("Enter", SEND);
    assert.deepEqual(done, ["decide"]);
  });

  test("Ctrl+Enter in a field of another form with words in it sends neither", async () => {
    const done = await openForms(
      '<form id="invite" data-ctrl-enter></form><form id="roles"><input id="name" value="Ada"></form>');
    document.querySelector("#name").focus();
    press("Enter", SEND);
    assert.deepEqual(done, []);
    document.querySelector("#name").blur();
    press("Enter", SEND);
    assert.deepEqual(done, ["invite"]);
  });

  test("Ctrl+Enter in an empty field of another form sends the form of the page", async () => {
    const done = await openForms('<form id="invite" data-ctrl-enter></form><form id="roles"><input id="name"></form>');
    document.querySelector("#name").focus();
    press("Enter", SEND);
    assert.deepEqual(done, ["invite"]);
  });

  for (const [what, body, begins] of [
    ["what was just done", "", "done"],
    ["a field that the page begins with, and not there", '<input id="field" autofocus>', ""],
    ["what was just done before a decision that is closed", '<div popover><input autofocus></div>', "done"],
  ]) {
    test(`the keyboard begins at ${what}`, async () => {
      await openForms(`<main><div id="done" tabindex="-1" data-done>Closed.</div>${body}</main>`);
      assert.equal(document.activeElement.id, begins);
    });
  }

  test("a key on a button presses it once while it is held, and does not send the same form again", async () => {
    const done = await openForms(`
      <form id="more"><button type="submit" data-key="m">More</button></form><button id="on" data-key="n">On</button>`);
    for (const repeat of [false, true, true]) press("m", { repeat });
    press("m");
    for (const repeat of [false, true]) press("n", { repeat });
    assert.deepEqual(done, ["more", "on"]);
  });

  test("Enter that is held presses what has the focus once, and is text only where there are lines", async () => {
    await openForms('<button id="one">One</button><textarea id="text"></textarea><input id="line">');
    for (const [id, free] of [["one", false], ["line", false], ["text", true]]) {
      document.querySelector(`#${id}`).focus();
      assert.equal(press("Enter"), true);
      assert.equal(press("Enter", { repeat: true }), free, id);
    }
  });
});
