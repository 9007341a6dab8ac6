// What a questioner has written stays theirs when they propose to end.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openAsking } from "./stages.js";

describe("a questioner who proposes to end", () => {
  const warned = (page) => {
    const place = page.document.querySelector("[data-unasked]");
    return place.hidden ? "" : place.textContent;
  };

  test("reads and hears that the question in the box is not asked", async () => {
    const page = await openAsking();
    page.choose("why", "done");
    assert.equal(warned(page), "");
    page.write("text", "Who kept the light?");
    assert.equal(warned(page), "Not asked now.");
    await page.clock.tickAsync(150);
    assert.equal(page.spoken(), "Not asked now.");
    page.choose("why", "exhausted");
    assert.equal(warned(page), "Not asked.");
    page.choose("why", '""');
    assert.equal(warned(page), "");
  });

  test("finds a reason again that was hidden in between", async () => {
    const page = await openAsking();
    page.choose("why", "exhausted");
    page.write("reason", "It says no more.");
    page.choose("why", "done");
    assert.equal(page.document.querySelector("[data-reason-part]").hidden, true);
    assert.equal((await page.draft()).reason, "It says no more.");
    page.choose("why", "exhausted");
    assert.equal(page.field("reason").value, "It says no more.");
  });
});
