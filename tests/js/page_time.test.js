// How long a page was visible that belongs to no piece of work, as it reports it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage } from "./page.js";

const MINUTE = 60_000;

// The page, and all that it has reported in milliseconds; `lasts`: seconds for which an input counts there.
async function shown(lasts = "") {
  const stretch = lasts && `data-time-lasts="${lasts}"`;
  const page = openPage(`<div data-time-note="n" data-url-time="/time/" ${stretch}></div>`);
  const sum = { ms: 0, active: 0 }, reports = [];
  navigator.sendBeacon = (_url, body) => {
    reports.push(Number(body.get("ms")));
    for (const name of Object.keys(sum)) sum[name] += Number(body.get(name));
    return true;
  };
  await page.load("goldfinch/page_time.js");
  const input = () => page.document.dispatchEvent(new page.window.Event("keydown", { bubbles: true }));
  return { ...page, input, reports, sum };
}

describe("in a meeting", () => {
  test("time counts from the start, until five minutes after an input", async () => {
    const { clock, sum } = await shown("300");
    await clock.tickAsync(8 * MINUTE);
    assert.deepEqual(sum, { ms: 8 * MINUTE, active: 5 * MINUTE });
  });

  test("a further input makes it count for five minutes more", async () => {
    const { clock, input, sum } = await shown("300");
    await clock.tickAsync(3 * MINUTE);
    input();
    await clock.tickAsync(7 * MINUTE);
    assert.deepEqual(sum, { ms: 10 * MINUTE, active: 8 * MINUTE });
  });
});

test("elsewhere an input counts for five seconds", async () => {
  const { clock, input, sum } = await shown();
  input();
  await clock.tickAsync(2 * MINUTE);
  assert.deepEqual(sum, { ms: 2 * MINUTE, active: 5000 });
});

test("a page that is left reports once, although it is hidden a moment later", async () => {
  const { clock, document, reports, window } = await shown();
  await clock.tickAsync(3000);
  window.dispatchEvent(new window.Event("pagehide"));
  await clock.tickAsync(3);
  Object.defineProperty(document, "hidden", { configurable: true, value: true });
  document.dispatchEvent(new window.Event("visibilitychange"));
  assert.deepEqual(reports, [3000]);
});
