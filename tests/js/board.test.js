// The board of a project: its parts follow what happens, but none changes under somebody's hands.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hide, openPage } from "./page.js";

const part = (id, text) => `<section id="${id}" data-live>${text} <a href="/">more</a></section>`;
const fresh = (seen, ...parts) => [parts.join(""), { headers: { "X-Goldfinch-Seen": seen } }];

async function openBoard() {
  const page = openPage(`<div data-board="/projects/x/live/?filter=all" data-seen="5" data-ago="measured %s ago">
    ${part("head", "0 of 3")}${part("tables", "0 of 3")}
    <span data-age="2026-03-01T11:59:00Z"></span></div>`);
  await page.load("goldfinch/board.js");
  const { clock, document, server } = page;
  return {
    ...page, asked: () => server.to("/live/"), text: (id) => document.getElementById(id).textContent,
    async answer(...how) { await server.waiting("/live/").answer(...how); },
    next: () => clock.tickAsync(15_000), age: () => document.querySelector("[data-age]").textContent,
  };
}

describe("an open board", () => {
  test("asks every 15 seconds what has changed since it was last told", async () => {
    const { answer, asked, clock } = await openBoard();
    await clock.tickAsync(14_999);
    assert.equal(asked().length, 0);
    await clock.tickAsync(1);
    assert.equal(asked()[0].address, "/projects/x/live/?filter=all&seen=5");
    await answer(...fresh("6", part("head", "1 of 3")));
    await clock.tickAsync(15_000);
    assert.equal(asked()[1].address, "/projects/x/live/?filter=all&seen=6");
  });

  test("puts in the parts that differ, and leaves the elements of the others", async () => {
    const { answer, document, next, text } = await openBoard();
    const tables = document.getElementById("tables");
    await next();
    await answer(...fresh("6", part("head", "1 of 3"), part("tables", "0 of 3")));
    assert.match(text("head"), /1 of 3/);
    assert.equal(document.getElementById("tables"), tables);
  });

  test("with 204 keeps its parts, and knows from when they are", async () => {
    const { age, answer, asked, clock, next, text } = await openBoard();
    await next();
    const headers = { "X-Goldfinch-Seen": "6", "X-Goldfinch-Measured": "2026-03-01T12:00:10Z" };
    await answer("", { status: 204, headers });
    assert.match(text("head"), /0 of 3/);
    await clock.tickAsync(15_000);
    assert.equal(age(), "measured 20 s ago");
    assert.match(asked()[1].address, /seen=6$/);
  });

  for (const [after, said] of [
    [1000, "61 s"], [59_000, "119 s"], [60_000, "2 min"], [119_000, "2 min"], [120_000, "3 min"],
  ]) {
    test(`says how old its numbers are: ${said} after ${60 + after / 1000} s`, async () => {
      const { age, clock } = await openBoard();
      await clock.tickAsync(after);
      assert.equal(age(), `measured ${said} ago`);
    });
  }

  test("asks nothing while it is hidden, and at once when it is seen again", async () => {
    const { asked, clock } = await openBoard();
    hide(true);
    await clock.tickAsync(60_000);
    assert.equal(asked().length, 0);
    hide(false);
    assert.equal(asked().length, 1);
  });

  test("stays as it is without a connection or after an error of the server, and asks again", async () => {
    const { answer, asked, next, moved, server, text } = await openBoard();
    await next();
    await server.waiting("/live/").fail();
    await next();
    await answer("oops", { status: 500 });
    await next();
    assert.equal(asked().length, 3);
    assert.match(asked()[2].address, /seen=5$/);
    assert.match(text("head"), /0 of 3/);
    assert.deepEqual(moved, []);
  });

  test("is loaded anew once the right to see it has ended (404)", async () => {
    const { answer, moved, next } = await openBoard();
    await next();
    await answer("", { status: 404 });
    assert.deepEqual(moved, ["reload"]);
  });

  test("never puts in an older answer that comes after a newer one", async () => {
    const { asked, next, text } = await openBoard();
    await next();
    await next();
    const [first, second] = asked();
    await second.answer(...fresh("7", part("head", "2 of 3")));
    await first.answer(...fresh("6", part("head", "1 of 3")));
    assert.match(text("head"), /2 of 3/);
    await next();
    assert.match(asked()[2].address, /seen=7$/);
  });
});

describe("a part that somebody is using", () => {
  const uses = {
    "has the focus in it": (tables) => tables.querySelector("a").focus(),
    "has details open": (tables) => tables.insertAdjacentHTML("beforeend", "<details open></details>"),
    "has a menu open": (tables) => tables.insertAdjacentHTML("beforeend", "<div popover shown></div>"),
  };
  for (const [how, use] of Object.entries(uses)) {
    test(`stays while it ${how}, the others follow, and all is asked for again`, async () => {
      const { answer, asked, document, next, text } = await openBoard();
      use(document.getElementById("tables"));
      await next();
      await answer(...fresh("6", part("head", "1 of 3"), part("tables", "1 of 3")));
      assert.match(text("head"), /1 of 3/);
      assert.match(text("tables"), /0 of 3/);
      await next();
      assert.match(asked()[1].address, /seen=5$/);
    });
  }

  test("is replaced once they have left it", async () => {
    const { answer, document, next, text } = await openBoard();
    document.querySelector("#tables a").focus();
    await next();
    await answer(...fresh("6", part("tables", "1 of 3")));
    document.activeElement.blur();
    await next();
    await answer(...fresh("6", part("tables", "1 of 3")));
    assert.match(text("tables"), /1 of 3/);
  });

  test("is not taken from who was signed out meanwhile; the page then says so", async () => {
    const { answer, document, moved, next } = await openBoard();
    document.querySelector("#tables a").focus();
    await next();
    await answer("", { status: 401, headers: { "X-Sign-In": "/accounts/login/" } });
    assert.deepEqual(moved, []);
    document.activeElement.blur();
    await next();
    await answer("", { status: 401, headers: { "X-Sign-In": "/accounts/login/" } });
    assert.deepEqual(moved, ["reload"]);
  });
});
