// Questions about a paper: what is removed comes back, and what was missing is no longer said once it is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { press } from "./page.js";
import { openWriting } from "./stages.js";

const texts = () => [...document.querySelectorAll("[data-asks] textarea")].map(({ value }) => value);
const remove = (at) => document.querySelectorAll("[data-asks] [data-remove]")[at].click();

test("that the topic is missing is said until it is there, in both places", async () => {
  const page = await openWriting("Which three corpora were it?");
  press("Enter", { ctrlKey: true });
  const place = page.document.querySelector('[data-unsaid="topic_background"]');
  assert.deepEqual([page.problem(), place.textContent], ["Say how well.", "Say how well."]);
  page.choose("topic_background", "some");
  assert.deepEqual([page.problem(), place.hidden], ["", true]);
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
