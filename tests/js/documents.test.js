// Answers to a question with documents: rows with what belongs to them, entities, and what has to be there.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { press } from "./page.js";
import { openDocuments } from "./stages.js";

const NUMBERS = [1, 2, 3, 4, 5];
const texts = (page) => NUMBERS.map((number) => page.field(`text_${number}`).value).filter(Boolean);
const remove = (page, number) => page.click(`[data-row="${number}"] [data-remove]`);
const undo = (page) => {
  page.leave();
  press("u");
};

describe("answers with opinions", () => {
  const opinions = (page) => NUMBERS.map((number) => page.field(`opinion_${number}`).value).filter(Boolean);

  test("one that is removed comes back at its place with its opinion", async () => {
    const page = await openDocuments("YES_NO", [["So it is.", "Yes"], ["It is not.", "No"]]);
    remove(page, 1);
    assert.deepEqual([texts(page), opinions(page)], [["It is not."], ["No"]]);
    undo(page);
    assert.deepEqual([texts(page), opinions(page)], [["So it is.", "It is not."], ["Yes", "No"]]);
  });

  test("without room it waits for the next one that goes", async () => {
    const page = await openDocuments("YES_NO", NUMBERS.map((number) => [`Number ${number}`, "No"]));
    remove(page, 5);
    page.click("[data-add]");
    page.write("text_5", "Another");
    undo(page);
    assert.equal(page.problem(), "You have five.");
    remove(page, 1);
    undo(page);
    assert.deepEqual(texts(page), ["Number 2", "Number 3", "Number 4", "Another", "Number 5"]);
    assert.deepEqual(opinions(page), ["No", "No", "No", "No"]);
  });

  test("an opinion goes back to the one before it, in its own answer wherever that stands", async () => {
    const page = await openDocuments("YES_NO", [["So it is.", "Yes"], ["It is not.", "No"]]);
    page.choose("opinion_2", "Depends");
    remove(page, 1);
    undo(page);
    undo(page);
    assert.deepEqual([texts(page), opinions(page)], [["So it is.", "It is not."], ["Yes", "No"]]);
  });

  test("none puts the answers away, and back they are as they were", async () => {
    const page = await openDocuments("YES_NO", [["So it is.", "Yes"]]);
    page.leave();
    press("n");
    assert.equal(page.field("kind").value, "none");
    press("n");
    assert.deepEqual([page.field("kind").value, texts(page), opinions(page)], ["answers", ["So it is."], ["Yes"]]);
  });
});

describe("entities", () => {
  const shown = (number = 1) => (
    [...document.querySelectorAll(`[data-row="${number}"] [data-entities] q`)].map((one) => one.textContent)
  );
  const input = (number = 1) => document.querySelector(`[data-row="${number}"] [data-entity]`);
  const advice = () => document.querySelector('[data-advice="absent-1"]');
  const add = (text) => {
    input().focus();
    input().value = text;
    press("Enter");
  };

  test("are added by Enter with single blanks, each once", async () => {
    const page = await openDocuments("ENTITY", [["Vik and New York"]]);
    add("  New   York ");
    add("Vik");
    add("Vik");
    assert.deepEqual(shown(), ["New York", "Vik"]);
    assert.equal(page.problem(), "Vik is there already.");
    assert.equal(page.field("entities_1").value, "New York\nVik");
    assert.equal(advice().hidden, true);
  });

  test("that are selected are taken as whole characters; without a selection that is said", async () => {
    const page = await openDocuments("ENTITY", [["斯凯罗 👨‍👩‍👧"]]);
    const pick = (start, end) => {
      page.field("text_1").setSelectionRange(start, end);
      page.click("[data-row='1'] [data-entity-pick]");
    };
    pick(0, 0);
    assert.equal(page.problem(), "Select words.");
    pick(1, 3);
    pick(6, 7);
    assert.deepEqual(shown(), ["凯罗", "👨‍👩‍👧"]);
    assert.equal(page.problem(), "");
  });

  test("one that the answer has not is asked about, and stays", async () => {
    await openDocuments("ENTITY", [["Vik"]]);
    add("Borgen");
    assert.deepEqual([shown(), advice().hidden], [["Borgen"], false]);
    assert.equal(advice().querySelector("[data-absent]").textContent, "Borgen");
  });

  test("go alone, and come back with undo", async () => {
    const page = await openDocuments("ENTITY", [["Vik, Borgen", "", ["Vik", "Borgen"]]]);
    page.click("[data-entities] button");
    assert.deepEqual(shown(), ["Borgen"]);
    undo(page);
    assert.deepEqual(shown(), ["Vik", "Borgen"]);
  });

  test("one that is only typed stays with its answer when another answer goes", async () => {
    const page = await openDocuments("ENTITY", [["Vik", "", ["Vik"]], ["Borgen"]]);
    input(2).value = "Borgen";
    remove(page, 1);
    assert.deepEqual([texts(page), input(1).value, input(2).value], [["Borgen"], "Borgen", ""]);
    undo(page);
    assert.deepEqual([texts(page), input(1).value, input(2).value], [["Vik", "Borgen"], "", "Borgen"]);
  });

  test("are taken by sending, before it asks for the documents", async () => {
    const page = await openDocuments("ENTITY", [["Vik"]]);
    input().value = "Vik";
    press("Enter", { ctrlKey: true });
    assert.deepEqual([shown(), page.problem()], [["Vik"], "Mark the documents."]);
  });
});

test("J and K go through the documents and M marks the one that was gone to; undo takes that back", async () => {
  const page = await openDocuments("DESCRIPTION");
  const used = () => [...document.querySelectorAll("[name=used]")].map((box) => box.checked);
  page.leave();
  for (const key of ["j", "j", "j", "m"]) press(key);
  assert.deepEqual(used(), [false, true]);
  press("k");
  press("m");
  assert.deepEqual(used(), [true, true]);
  press("u");
  press("u");
  assert.deepEqual(used(), [false, false]);
});
