// Keys: how they are named, which layer answers, and where a letter is only a letter.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { openPage, press } from "./page.js";

const OFF = { "goldfinch:single-keys": "off" };
let page;
let described;
let named;
let keyRows;
let Keys;
let keys;
let ran;

// A page whose keys note what they do in `ran`.
async function open(kept = {}) {
  page = openPage(`
    <header class="topbar"><button id="in-bar">Menu</button></header><div id="text" tabindex="0"></div>
    <input id="field"><textarea id="area"></textarea><select id="select"></select>
    <div contenteditable id="free" tabindex="0"></div>
    <input type="radio" id="radio"><input type="checkbox" id="box"><button id="button">Send</button>
    <a href="/" id="link">Home</a><dialog></dialog>`);
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  ({ Keys, describe: described, keyRows, named } = await page.load("goldfinch/keys.js"));
  ran = [];
  keys = new Keys({ changed() {} });
  document.addEventListener("keydown", (event) => keys.press(event));
}

const bind = (...all) => { for (const key of all) keys.bind(key, (pressed) => ran.push(pressed)); };
const on = (id) => document.querySelector(`#${id}`).focus();

beforeEach(() => open());

describe("the name of a key", () => {
  for (const [name, how] of [
    ["j", { key: "j" }],
    ["j", { key: "J", shiftKey: true }], // Shift with a letter is the letter
    ["?", { key: "?", shiftKey: true }],
    [" ", { key: " " }],
    ["Enter", { key: "Enter" }],
    ["Shift+ArrowLeft", { key: "ArrowLeft", shiftKey: true }],
    ["Mod+Enter", { key: "Enter", ctrlKey: true }],
    ["Mod+Enter", { key: "Enter", metaKey: true }],
    ["Mod+Shift+ArrowLeft", { key: "ArrowLeft", ctrlKey: true, shiftKey: true }],
    ["Alt+s", { key: "ß", code: "KeyS", altKey: true }], // what the keyboard writes with Alt does not matter
    ["Alt+Shift+d", { key: "Î", code: "KeyD", altKey: true, shiftKey: true }],
    ["Mod+Alt+Shift+F3", { key: "F3", ctrlKey: true, altKey: true, shiftKey: true }],
    ["é", { key: "É", shiftKey: true }],
  ]) {
    test(`${JSON.stringify(how)} is ${name}`, () => {
      assert.equal(described(new KeyboardEvent("keydown", how)), name);
    });
  }

  test("is shown as it is printed on a keyboard", () => {
    assert.deepEqual(["Mod+Enter", "Alt+s", " ", "ArrowUp", "Escape", "F3"].map((key) => named(key)),
      ["Ctrl ↵", "Alt S", "␣", "↑", "Esc", "F3"]);
  });
});

describe("of several that bind a key", () => {
  test("the last one runs, and the other ones again once its layer has gone", () => {
    keys.bind("Enter", () => ran.push("stage"));
    keys.push();
    keys.bind("Enter", () => ran.push("mode"));
    keys.run("Enter");
    keys.pop();
    keys.run("Enter");
    keys.bind("Enter", () => ran.push("later"));
    keys.run("Enter");
    assert.deepEqual(ran, ["mode", "stage", "later"]);
  });

  test("a layer lets through what it does not bind, and the lowest one stays", () => {
    bind("j");
    keys.push();
    bind("k");
    keys.run("j");
    keys.pop();
    keys.pop();
    assert.equal(keys.run("j"), true);
    assert.equal(keys.run("k"), false);
    assert.deepEqual(ran, ["j", "j"]);
  });

  test("several keys may do the same, and are told which one it was", () => {
    bind(["1", "2"]);
    keys.run("2");
    keys.run("1");
    assert.deepEqual(ran, ["2", "1"]);
  });
});

describe("single keys that are switched off", () => {
  test("do nothing, except those of a mode, and ?", () => {
    bind("j", "?", "Enter", "Alt+s");
    keys.switchSingles(false);
    keys.push();
    bind(" ");
    for (const key of ["j", "?", "Enter", "Alt+s", " "]) keys.run(key);
    assert.deepEqual(ran, ["?", "Enter", "Alt+s", " "]);
    assert.deepEqual(keys.all(), ["?", "Enter", "Alt+s", " "]);
  });

  test("stay off on this device until they are switched on again", async () => {
    keys.switchSingles(false);
    const kept = localStorage.getItem("goldfinch:single-keys");
    await open({ "goldfinch:single-keys": kept });
    assert.equal(keys.singles, false);
    keys.switchSingles(true);
    bind("j");
    assert.equal(keys.run("j"), true);
  });

  test("are off from the start of the next page", async () => {
    await open(OFF);
    bind("j");
    assert.equal(keys.run("j"), false);
  });
});

describe("a key pressed on the page", () => {
  test("that does something is not the browser's as well", () => {
    bind("j");
    on("text");
    assert.equal(press("j"), false);
    assert.equal(press("k"), true);
    assert.deepEqual(ran, ["j"]);
  });

  for (const field of ["field", "area", "select", "free"]) {
    test(`is only text in a field (${field}), but for find, Esc, and keys with Ctrl or Alt`, () => {
      bind("j", "Enter", "ArrowLeft", "F3", "Shift+F3", "Escape", "Mod+Enter", "Alt+s");
      on(field);
      for (const key of ["j", "Enter", "ArrowLeft", "F3", "Escape"]) press(key);
      press("F3", { shiftKey: true });
      press("Enter", { ctrlKey: true });
      press("s", { altKey: true });
      assert.deepEqual(ran, ["F3", "Escape", "Shift+F3", "Mod+Enter", "Alt+s"]);
    });
  }

  for (const control of ["radio", "box", "button", "link"]) {
    test(`works on a control (${control}), but for Enter, Space and arrows, which the control needs`, () => {
      bind("j", "Enter", " ", "ArrowDown", "Mod+Enter");
      on(control);
      for (const key of ["j", "Enter", " ", "ArrowDown"]) press(key);
      press("Enter", { ctrlKey: true });
      assert.deepEqual(ran, ["j", "Mod+Enter"]);
    });
  }

  test("is no shortcut in the bar above the work if it is a letter, but ? and keys with Alt are", () => {
    bind("j", "?", "Alt+s");
    on("in-bar");
    for (const key of ["j", "?"]) press(key);
    press("s", { altKey: true });
    assert.deepEqual(ran, ["?", "Alt+s"]);
  });

  test("that is held runs again only if it moves something, and is never the browser's", () => {
    bind("u", "Enter", "Mod+Enter");
    keys.bind("j", (key) => ran.push(key), { repeats: true });
    on("text");
    for (const key of ["u", "Enter", "j"]) {
      press(key);
      assert.equal(press(key, { repeat: true }), false);
    }
    press("Enter", { ctrlKey: true, repeat: true });
    assert.deepEqual(ran, ["u", "Enter", "j", "j"]);
  });

  test("does nothing behind an open dialog", () => {
    bind("j", "Mod+Enter");
    document.querySelector("dialog").showModal();
    on("text");
    press("j");
    press("Enter", { ctrlKey: true });
    assert.deepEqual(ran, []);
  });

  test("closes an open menu if it is Esc, and nothing else", () => {
    bind("Escape", "j");
    on("text");
    document.querySelector("header").setAttribute("shown", "");
    press("Escape");
    assert.deepEqual(ran, []);
    press("j");
    assert.deepEqual(ran, ["j"]);
  });

  // Safari ends the composition before it tells of the key that has ended it.
  for (const how of [{ isComposing: true }, { keyCode: 229 }]) {
    test(`is left alone while an input method composes: ${JSON.stringify(how)}`, async () => {
      await page.load("goldfinch/composing.js");
      bind("j", "Mod+Enter");
      on("text");
      assert.ok(press("j", how));
      assert.ok(press("Enter", { ctrlKey: true, ...how }));
      assert.deepEqual(ran, []);
      press("j");
      assert.deepEqual(ran, ["j"]);
    });
  }

  test("is left alone if another script has taken it", () => {
    bind("j");
    on("text");
    document.querySelector("#text").addEventListener("keydown", (event) => event.preventDefault());
    press("j");
    assert.deepEqual(ran, []);
  });
});

describe("the list of keys", () => {
  test("has those with a label, the stage's own first", () => {
    keys.bind("?", () => {}, { label: "show the keys", general: true });
    keys.bind(["j", "k"], () => {}, { label: "next and previous" });
    keys.bind("Enter", () => {});
    keys.bind(["1", "2", "3"], () => {}, { label: "choose", shown: ["1", "3"] });
    assert.deepEqual(keyRows(keys.map()).map((row) => row.textContent),
      ["JK", "next and previous", "13", "choose", "?", "show the keys"]);
  });

  test("names the keys that are in use now to a frame, once each", () => {
    bind("j", "Enter");
    keys.push();
    bind("Enter", " ");
    assert.deepEqual(keys.all(), ["j", "Enter", " "]);
  });
});
