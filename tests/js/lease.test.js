// The time that somebody has for a piece of work: renewed by what they do, and said before it ends.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hide, press } from "./page.js";
import { openWork } from "./work.js";

const MINUTE = 60_000;

async function openTimed(options) {
  const work = await openWork(options);
  const { clock, document, server } = work;
  return {
    ...work,
    renewals: () => server.to("/renew/"),
    renewed: (seconds = 1200) => server.waiting("/renew/").answer({ expires_in: seconds }),
    act: () => document.querySelector("#material").dispatchEvent(new Event("pointerdown", { bubbles: true })),
    tick: (ms) => clock.tickAsync(ms),
  };
}

describe("the time for a piece of work", () => {
  test("that the bar says is the one that the last renewal has set", async () => {
    const { act, document, server, tick } = await openTimed({
      inside: "<span data-block-ends>yours until <time>12:20</time></span>",
    });
    await tick(30_001);
    act();
    await server.waiting("/renew/").answer({ expires_in: 1200, until: "<time>12:21</time>" });
    assert.equal(document.querySelector("[data-block-ends]").textContent, "yours until 12:21");
  });

  test("is renewed by what somebody does, at most every thirty seconds", async () => {
    const { act, renewals, renewed, tick } = await openTimed();
    await tick(30_000);
    act();
    assert.equal(renewals().length, 0);
    await tick(1);
    act();
    assert.equal(renewals().length, 1);
    await renewed();
    await tick(29_999); // the minute is full
    await renewed();
    await tick(30_000);
    act();
    assert.equal(renewals().length, 2);
    await tick(1);
    act();
    assert.equal(renewals().length, 3);
  });

  test("is renewed every minute for ten minutes after the last input, and then no more", async () => {
    const { renewals, renewed, tick } = await openTimed();
    for (let minute = 1; minute < 10; minute += 1) {
      await tick(MINUTE);
      await renewed();
    }
    await tick(30 * MINUTE);
    assert.equal(renewals().length, 9);
  });

  test("is not renewed by a page that nobody sees", async () => {
    const { renewals, tick } = await openTimed();
    hide(true);
    await tick(5 * MINUTE);
    assert.equal(renewals().length, 0);
  });

  test("is renewed by a save too, if the renewal itself is lost", async () => {
    const { clock, notice, save, type } = await openTimed({ attributes: { "expires-in": "120" } });
    assert.match(notice("lease").textContent, /2 minutes left/);
    type("a bell");
    await clock.tickAsync(1000);
    await save().answer({ saved_at: "2026-03-01T12:00:00Z", expires_in: 1200 });
    assert.equal(notice("lease"), null);
  });
});

describe("before it ends", () => {
  test("a line says so from exactly two minutes on, then one minute, then that it has ended", async () => {
    const { notice, tick } = await openTimed({ attributes: { "expires-in": "180" } });
    await tick(59_000);
    assert.equal(notice("lease"), null);
    await tick(1000);
    assert.match(notice("lease").textContent, /^2 minutes left.*Keep working/);
    await tick(59_000);
    assert.match(notice("lease").textContent, /2 minutes left/);
    await tick(1000);
    assert.match(notice("lease").textContent, /1 minute left/);
    await tick(MINUTE);
    assert.equal(notice("lease").textContent, "The time has ended.");
  });

  for (const [how, keep] of [
    ["the button", ({ notice }) => notice("lease").querySelector("button").click()],
    ["Alt+K", ({ document }) => { document.querySelector("#material").focus(); press("k", { altKey: true }); }],
  ]) {
    test(`${how} keeps working, with one request, and says so`, async () => {
      const work = await openTimed({ attributes: { "expires-in": "120" } });
      await work.tick(31_000);
      keep(work);
      assert.equal(work.renewals().length, 1);
      await work.renewed();
      await work.tick(150);
      assert.equal(work.notice("lease"), null);
      assert.equal(work.spoken(), "You have the full time again");
    });
  }

  test("any input gives the full time back", async () => {
    const { act, notice, renewed, tick } = await openTimed({ attributes: { "expires-in": "100" } });
    await tick(40_000);
    act();
    await renewed();
    assert.equal(notice("lease"), null);
    await tick(20 * MINUTE - 121_000);
    assert.equal(notice("lease"), null);
  });
});

describe("work that can't be renewed", () => {
  const attributes = { "url-renew": "", "expires-in": "180" };

  test("ends when it ends, which a line says without a way to go on", async () => {
    const taken = { seen: 3, expires_in: 180 };
    const { act, document, notice, renewals, tick } = await openTimed({ attributes, taken });
    await tick(40_000);
    act();
    document.querySelector("#material").focus();
    press("k", { altKey: true });
    await tick(20_000);
    assert.equal(notice("lease").textContent, "2 minutes left");
    assert.equal(notice("lease").querySelector("button"), null);
    await tick(2 * MINUTE);
    assert.equal(notice("lease").textContent, "The time has ended.");
    assert.equal(renewals().length, 0);
  });

  test("says nothing about time if it has no end", async () => {
    const endless = { ...attributes, "expires-in": "" };
    const { notice, renewals, save, tick, type } = await openTimed({
      attributes: endless, taken: { seen: 3, expires_in: 0 },
    });
    type("a bell");
    await tick(1000);
    await save().answer({ saved_at: "2026-03-01T12:00:00Z", expires_in: 0 });
    await tick(60 * MINUTE);
    assert.equal(notice("lease"), null);
    assert.equal(renewals().length, 0);
  });
});

describe("a renewal that fails", () => {
  test("is tried again after pauses that double up to fifteen seconds at least", async () => {
    const { clock, notice, renewals, server, tick } = await openTimed();
    await tick(MINUTE);
    for (const wait of [1000, 2000, 4000, 8000, 15_000, 15_000]) {
      const before = renewals().length;
      await server.waiting("/renew/").fail();
      assert.match(notice("connection").textContent, /Not connected/);
      await clock.tickAsync(wait - 1);
      assert.equal(renewals().length, before);
      await clock.tickAsync(1);
      assert.equal(renewals().length, before + 1);
    }
  });

  test("is forgotten once one arrives", async () => {
    const { notice, renewals, renewed, server, tick } = await openTimed();
    await tick(MINUTE);
    await server.waiting("/renew/").fail();
    await tick(1000);
    await renewed();
    assert.equal(notice("connection"), null);
    await tick(50_000);
    assert.equal(renewals().length, 2);
  });
});
