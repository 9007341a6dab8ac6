// Questions about a paper: what is removed comes back, and what was missing is no longer said once it is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { press } from "./page.js";
import { openWriting } from "./stages.js";

const texts = () => [...document.querySelectorAll("[data-asks] textarea")].map(({ value }) => value);
const remove = (at) => document.querySelectorAll("[data-asks] [data-remove]")[at].click();

test("all that is missing about the writer is said at once, each until it is there", async () => {
  const page = await openWriting("Which three corpora were it?");
  const send = () => press("Enter", { ctrlKey: true });
  const places = () => ["topic_background", "paper_read"].map((name) => {
    const place = page.document.querySelector(`[data-unsaid="${name}"]`);
    return place.hidden ? "" : place.textContent;
  });
  page.choose("nlp_background", "some");
  send();
  assert.deepEqual([page.problem(), ...places()], ["Answer the 2.", "Say how well.", "Say whether."]);
  page.choose("paper_read", "some");
  assert.deepEqual([page.problem(), ...places()], ["", "Say how well.", ""]);
  send();
  assert.deepEqual([page.problem(), ...places()], ["Say how well.", "Say how well.", ""]);
  page.choose("topic_background", "some");
  assert.deepEqual([page.problem(), ...places()], ["", "", ""]);
});

test("each removed question comes back at its place, the last one first", async () => {
  const page = await openWriting("One of the three?", "Two of the three?", "All of the three?");
  const said = () => page.document.querySelector("[data-removed]");
  remove(0);
  remove(1);
  page.leave();
  press("u");
  assert.deepEqual(texts(), ["Two of the three?", "All of the three?"]);
  assert.equal(said().textContent.trim(), "Removed 1");
  page.document.querySelector("[data-asks] textarea").value = "Two of the corpora?";
  said().querySelector("button").click();
  assert.deepEqual(texts(), ["One of the three?", "Two of the corpora?", "All of the three?"]);
  assert.equal(said().hidden, true);
});
