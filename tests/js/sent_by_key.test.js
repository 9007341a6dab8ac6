// Forms that Ctrl+Enter and their button send, and Enter alone does not: marked as the templates mark them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { openPage, press } from "./page.js";

const TEMPLATES = new URL("../../frontend/templates/", import.meta.url);
const FIELDS = '<input type="radio" name="how"><input type="checkbox" name="also"><input name="where">'
  + '<select name="which"></select><textarea name="why"></textarea><button>Send</button>';

// The attributes of the first form of a template that has this in its start tag, with nothing filled in.
function marked(path, has = "") {
  const source = readFileSync(new URL(path, TEMPLATES), "utf8").replace(/\{%.*?%\}|\{\{.*?\}\}/gs, "");
  if (!source.includes("<form")) return source;
  return [...source.matchAll(/<form\b([^>]*)>/g)].map(([, attributes]) => attributes).find((one) => one.includes(has));
}

// A page with these forms, each with a field of every kind; `sent` are the ids of those that were sent.
async function openForms(...attributes) {
  const forms = attributes.map((one, number) => `<form id="form-${number}" ${one}>${FIELDS}</form>`);
  const page = openPage(`${forms.join("")}<input id="elsewhere">`);
  const sent = [];
  document.addEventListener("submit", ({ target }) => sent.push(target.id));
  page.window.addEventListener("submit", (event) => event.preventDefault()); // after the page has seen it
  await page.load("goldfinch/page.js");
  return sent;
}

// Whether the browser does with Enter in the field of that name what it does by itself, as sending the form.
function enterIn(name, number = 0) {
  document.querySelector(`#form-${number} [name=${name}]`).focus();
  return press("Enter");
}

const LINES = ["how", "also", "where"];

describe("a form that shows Ctrl ↵", () => {
  for (const [what, path, has] of [
    ["a stage", "work/form/_attributes.html"],
    ["an answer in an exam", "courses/exam.html", "data-exam"],
    ["an answer in a tutorial", "courses/tutorial.html"],
    ["a flag", "work/_flag.html"],
    ["a skip", "work/_skip.html", "data-skip"],
    ["a report", "work/_report.html"],
    ["a note on what is sealed", "work/_reconsider.html"],
    ["the reason for leaving", "work/leaving.html"],
    ["a proposal in a meeting", "judging/room/_consensus.html", 'id="proposal"'],
    ["a decision", "experts/_decide.html", "data-kept"],
    ["asking for more annotations", "experts/_decide.html", "stack tight"],
  ]) {
    test(`is not sent by Enter in a line or on a choice, only by that key: ${what}`, async () => {
      const sent = await openForms(marked(path, has));
      assert.deepEqual(LINES.filter((name) => enterIn(name)), []);
      assert.equal(enterIn("why"), true); // a new line
      if (what === "a stage") return; // the screen sends it
      assert.equal(press("Enter", { ctrlKey: true }), false);
      assert.deepEqual(sent, ["form-0"]);
    });
  }

  for (const path of ["setup/settings.html", "setup/new_base.html", "judging/new.html", "judging/rubric.html"]) {
    test(`is sent by Enter as well if it is one of settings: ${path}`, async () => {
      const sent = await openForms(marked(path, "data-ctrl-enter"));
      assert.deepEqual(LINES.filter((name) => enterIn(name)), LINES);
      press("Enter", { ctrlKey: true });
      assert.deepEqual(sent, ["form-0"]);
    });
  }

  test("is sent by Enter neither from a field that is elsewhere on the page", async () => {
    await openForms(marked("courses/exam.html", "data-exam"));
    const line = document.querySelector("#elsewhere");
    line.focus();
    assert.equal(press("Enter"), true);
    line.setAttribute("form", "form-0");
    assert.equal(press("Enter"), false);
  });

  for (const [platform, opens] of [["Linux x86_64", true], ["Win32", true], ["MacIntel", false]]) {
    test(`is not sent by Enter on a list, which opens it but in macOS: ${platform}`, async () => {
      const attributes = marked("work/_flag.html");
      const page = openPage(`<form id="form-0" ${attributes}>${FIELDS}</form>`);
      Object.defineProperty(navigator, "platform", { value: platform });
      await page.load("goldfinch/page.js");
      assert.equal(enterIn("which"), opens);
    });
  }
});

describe("of two forms for Ctrl+Enter", () => {
  const open = () => openForms(...["data-kept", "stack tight"].map((has) => marked("experts/_decide.html", has)));
  const send = (name, number) => {
    document.querySelector(`#form-${number} [name=${name}]`).focus();
    press("Enter", { ctrlKey: true });
  };

  test("the one is sent that somebody is in", async () => {
    const sent = await open();
    send("where", 1);
    send("why", 0);
    assert.deepEqual(sent, ["form-1", "form-0"]);
  });

  test("the first is sent from elsewhere", async () => {
    const sent = await open();
    press("Enter", { ctrlKey: true });
    assert.deepEqual(sent, ["form-0"]);
  });

  test("one for which somebody has to be in it is not sent from elsewhere, also if there is no other", async () => {
    const sent = await openForms(marked("experts/_decide.html", "stack tight"));
    document.querySelector("#elsewhere").focus();
    press("Enter", { ctrlKey: true });
    assert.deepEqual(sent, []);
  });
});
