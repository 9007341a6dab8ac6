// The lobby: what changes while somebody waits never takes the focus from them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage } from "./page.js";

const part = (version, inside) => `
  <div data-lobby data-version="${version}" data-state="${version}" data-calls="" data-waited="3" data-left="20">
    ${inside}<dl data-facts></dl>
  </div>`;
const PARTS = '<button name="part" value="asks">Ask</button><button name="part" value="answers">Answer</button>';
const LEAVE = '<button data-key="l">Leave</button>';
const WAITING = part("waits", `<h1>Waiting</h1>${PARTS}${LEAVE}`);
const HERE = '<h1>A partner was found</h1><button data-key="h">I’m here</button>';
const READY = "<h1>You are ready</h1>";

// The lobby of somebody who waits.
async function waiting(first = WAITING) {
  const page = openPage(`
    <div data-url="/lobby/" data-lost="Lost">
      <template data-not-found><p class="note">The other did not begin.</p></template>${first}
      <div data-sound-choice><input type="checkbox" data-sound><p data-sound-blocked></p></div>
      <p data-connection></p><p data-live></p>
    </div>`);
  await page.load("goldfinch/lobby.js");
  return page;
}

// That lobby with the focus there; then this part comes.
async function focused(selector, next) {
  const { document, clock, server } = await waiting();
  document.querySelector(selector)?.focus();
  await clock.tickAsync(2000);
  await server.waiting("/lobby/").answer(`<div>${next}</div>`);
  return document.activeElement;
}

describe("when the lobby changes, the focus", () => {
  test("stays on a control that is still there, with or without a key of its own", async () => {
    const next = part("offered", `${HERE}${PARTS}${LEAVE}`);
    assert.equal((await focused('[value="answers"]', next)).textContent, "Answer");
    assert.equal((await focused('[data-key="l"]', next)).textContent, "Leave");
  });

  test("goes from one that is gone to the button that says that one is here", async () => {
    assert.equal((await focused('[value="answers"]', part("offered", HERE))).textContent, "I’m here");
  });

  test("or, without such a button, to the heading", async () => {
    assert.equal((await focused('[data-key="l"]', part("ready", READY))).textContent, "You are ready");
  });

  test("is left alone where nothing had it", async () => {
    assert.equal((await focused(".nothing", part("offered", HERE))).tagName, "BODY");
  });
});

test("who waits again since the other did not begin is told so, and not who has missed it", async () => {
  const note = async (first, next) => {
    const { document, clock, server } = await waiting(first);
    await clock.tickAsync(2000);
    await server.waiting("/lobby/").answer(`<div>${next}</div>`);
    return [document.querySelector(".note")?.textContent, document.querySelector("[data-live]").textContent];
  };
  const offered = part("offered", READY);
  const again = part("waiting", "<div><h1>Waiting</h1></div>");
  assert.deepEqual(await note(offered, again), ["The other did not begin.", "Waiting The other did not begin."]);
  const missed = again.replace("data-version", "data-missed data-version");
  assert.deepEqual(await note(offered, missed), [undefined, "Waiting"]);
  assert.deepEqual(await note(part("asked", READY), again), [undefined, "Waiting"]);
});

describe("who is asked whether they are still here and moves", () => {
  const asked = (version = "asked") => part(version, "<h1>Still here?</h1>")
    .replace('data-calls=""', 'data-calls="Still here?"').replace(`data-state="${version}"`, 'data-state="waiting"');
  const move = async ({ window, clock }) => {
    window.dispatchEvent(new window.Event("pointermove"));
    await clock.tickAsync(0);
  };
  const idle = ({ server }) => server.to("/lobby/").map(({ headers }) => headers["X-Idle"]);

  test("tells it at once, and not again with each movement while nothing else is shown", async () => {
    const page = await waiting(asked());
    await page.clock.tickAsync(1000);
    await move(page);
    assert.deepEqual(idle(page), ["0"]);
    await page.server.waiting("/lobby/").answer(`<div>${asked()}</div>`);
    await move(page);
    assert.deepEqual(idle(page), ["0"]);
    await page.clock.tickAsync(1000);
    assert.deepEqual(idle(page), ["0", "1"]);
  });

  test("tells it after a poll that was under way, and again when asked again", async () => {
    const page = await waiting(asked());
    await page.clock.tickAsync(2000);
    await move(page);
    assert.deepEqual(idle(page), ["2"]);
    await page.server.waiting("/lobby/").answer(`<div>${asked()}</div>`);
    assert.deepEqual(idle(page), ["2", "0"]);
    await page.server.waiting("/lobby/").answer(`<div>${asked("again")}</div>`);
    await move(page);
    assert.deepEqual(idle(page), ["2", "0", "0"]);
  });

  test("who is not asked tells it with the next poll", async () => {
    const page = await waiting(part("waiting", "<h1>Waiting</h1>"));
    await page.clock.tickAsync(1000);
    await move(page);
    assert.deepEqual(idle(page), []);
    const found = await waiting(part("offered", HERE).replace('data-calls=""', 'data-calls="Partner found"'));
    await move(found);
    assert.deepEqual(idle(found), []);
  });
});

test("when a poll says to go on, one goes once, while more polls say so, and again when it led nowhere", async () => {
  const { clock, moved, server } = await waiting();
  const poll = async () => {
    await clock.tickAsync(2000);
    await server.waiting("/lobby/").answer("", { headers: { "X-Go": "/work/7/" } });
  };
  for (let polls = 0; polls < 15; polls += 1) await poll();
  assert.deepEqual(moved, ["/work/7/"]);
  await poll();
  assert.deepEqual(moved, ["/work/7/", "/work/7/"]);
});
