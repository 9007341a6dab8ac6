// The questions of a paper: the keys and buttons for the next and the previous one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { press } from "./page.js";
import { openPaper } from "./stages.js";

for (const [questions, previous, next] of [
  [["committed", "now", "untouched"], 1, 3],
  [["draft", "skipped", "now", "skipped", "skipped", "untouched"], 1, 6],
  [["skipped", "now", "skipped"], null, null],
]) {
  test(`around the question of ${questions.join(", ")} are ${previous} and ${next}`, async () => {
    const page = await openPaper(["We train on three corpora."], { questions });
    const went = [];
    page.document.addEventListener("click", (event) => {
      const link = event.target.closest(".questions a");
      if (link) went.push(link.getAttribute("href"));
      event.preventDefault();
    });
    const reached = (act) => { went.length = 0; act(); return went.at(0) ?? null; };
    const way = (number) => number && `/work/${number}/`;
    assert.equal(reached(() => press("[")), way(previous));
    assert.equal(reached(() => press("]")), way(next));
    assert.equal(reached(() => page.click("[data-previous]")), way(previous));
    assert.equal(reached(() => page.click("[data-next]")), way(next));
  });
}
