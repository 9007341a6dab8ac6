// A page of shared work: when it asks what the partner has done, and what it does with the answer.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hide, openPage } from "./page.js";
import { workScreen } from "./work.js";

const PART = '<section id="live"><p data-said="q1">Who rang?</p></section>';
const TWO = '<section id="live"><p data-said="q1">Who rang?</p><p data-said="a1">Ada</p></section>';
const SAME = { headers: { "X-Step": "question" } };

// The page of a step, following its partner. `socket`: with a connection, `opened` once it is open.
async function openLive({ waits = false, socket = false, random = 0, part = PART } = {}) {
  const inside = `${part}${socket ? '<i data-socket="/ws/7/"></i><i data-partner></i>' : ""}`;
  const attributes = waits ? { waits: "" } : {};
  const page = openPage(workScreen({ inside, attributes }), { random });
  const sockets = [];
  globalThis.WebSocket = class {
    constructor() { sockets.push(this); }

    send(text) { if (!this.isSilent) this.onmessage({ data: text }); } // the server sends back that somebody is here

    close() {}
  };
  const swapped = [];
  globalThis.htmx = { swap: (target, html) => swapped.push([target, html]) };
  const { Screen } = await page.load("goldfinch/screen.js");
  const { Live, poke } = await page.load("goldfinch/live.js");
  const { clock, document, server } = page;
  const taken = [];
  const show = async (root) => {
    const next = new Screen(root);
    const options = {
      swapped: (live) => taken.push(live.textContent), speak: (texts) => `Said: ${texts.join(" ")}`,
    };
    await next.start({ start: (started) => { new Live(started, options); return null; } });
    return next;
  };
  const screen = await show(document.querySelector("#screen"));
  const asked = () => server.to("/now/");
  return {
    ...page, Screen, asked, poke, screen, show, sockets, swapped, taken,
    answer: (html = PART, how = SAME) => server.waiting("/now/").answer(html, how),
    fail: () => server.waiting("/now/").fail(),
    async poll(ms) {
      const before = asked().length;
      await clock.tickAsync(ms - 1);
      assert.equal(asked().length, before, `asked before ${ms} ms`);
      await clock.tickAsync(1);
      assert.equal(asked().length, before + 1, `not asked after ${ms} ms`);
    },
    spoken: () => document.querySelector("[data-live]").textContent,
    notice: (name) => document.querySelector(`[data-notice="${name}"]`),
  };
}

describe("a page of shared work asks", () => {
  test("every two seconds while its person waits, and says that it shows no step", async () => {
    const { answer, asked, poll } = await openLive({ waits: true });
    await poll(2000);
    assert.equal(asked()[0].headers["X-Step"], "");
    await answer(PART, { headers: { "X-Step": "" } });
    await poll(2000);
  });

  test("every ten seconds at a step of its person, and says which it shows", async () => {
    const { answer, asked, poll } = await openLive();
    await poll(10_000);
    assert.equal(asked()[0].headers["X-Step"], "question");
    await answer();
    await poll(10_000);
  });

  test("every thirty seconds while a socket would say so, and often again once that is closed", async () => {
    const { answer, clock, poll, sockets } = await openLive({ waits: true, socket: true });
    sockets[0].onopen();
    await answer(PART, { headers: { "X-Step": "" } });
    await poll(30_000);
    await answer(PART, { headers: { "X-Step": "" } });
    sockets[0].onclose();
    await clock.tickAsync(0);
    await answer(PART, { headers: { "X-Step": "" } });
    await poll(2000);
  });

  test("often again, too, once the other end of its socket is silent", async () => {
    const { answer, asked, clock, sockets } = await openLive({ waits: true, socket: true });
    sockets[0].onopen();
    await answer(PART, { headers: { "X-Step": "" } });
    sockets[0].isSilent = true;
    await clock.tickAsync(9999);
    assert.equal(asked().length, 1);
    await clock.tickAsync(2); // what was said after five seconds is not answered after ten, so it asks in a moment
    assert.equal(asked().length, 2);
  });

  test("at once when the socket says that something has changed", async () => {
    const { answer, asked, poll, sockets } = await openLive({ socket: true });
    sockets[0].onopen();
    await answer();
    sockets[0].onmessage({ data: '{"poke": "work"}' });
    assert.equal(asked().length, 2);
    await answer();
    sockets[0].onmessage({ data: '{"poke": "partner"}' });
    assert.equal(asked().length, 2);
    await poll(30_000);
  });

  test("one thing at a time: what it is poked for meanwhile is asked for once, after the answer", async () => {
    const { answer, asked, clock, poke } = await openLive();
    poke();
    poke();
    poke();
    assert.equal(asked().length, 1);
    await clock.tickAsync(60_000);
    assert.equal(asked().length, 1);
    await answer();
    assert.equal(asked().length, 2);
    await answer();
    await clock.tickAsync(9999);
    assert.equal(asked().length, 2);
  });

  test("also after a failure for what it was poked for meanwhile", async () => {
    const { asked, fail, poke } = await openLive();
    poke();
    poke();
    await fail();
    assert.equal(asked().length, 2);
  });

  test("nothing while it is hidden, and at once when it is seen, focused or connected again", async () => {
    const { answer, asked, clock, window } = await openLive({ waits: true });
    hide(true);
    await clock.tickAsync(2000);
    await answer(PART, { headers: { "X-Step": "" } });
    await clock.tickAsync(60_000);
    assert.equal(asked().length, 1);
    hide(false);
    assert.equal(asked().length, 2);
    await answer(PART, { headers: { "X-Step": "" } });
    for (const [number, event] of ["focus", "online"].entries()) {
      window.dispatchEvent(new Event(event));
      assert.equal(asked().length, 3 + number);
      await answer(PART, { headers: { "X-Step": "" } });
    }
  });

  test("nothing once its screen has made way, once another page has taken over, or once the work is over", async () => {
    for (const end of [
      ({ screen }) => screen.stop(),
      ({ screen }) => { screen.tabs.overtaken = true; },
      ({ screen }) => screen.over("submitted"),
    ]) {
      const page = await openLive();
      await page.poll(10_000);
      end(page);
      if (page.asked()[0].open) await page.answer();
      await page.clock.tickAsync(120_000);
      assert.equal(page.asked().length, 1);
    }
  });
});

describe("if it gets no answer", () => {
  for (const [random, which, waits] of [
    [0, "shortest", [2000, 4000, 8000, 15_000, 15_000]], [1, "longest", [4000, 8000, 16_000, 30_000, 30_000]],
  ]) {
    test(`the ${which} pauses grow up to ${waits.at(-1) / 1000} s`, async () => {
      const { fail, poll } = await openLive({ waits: true, random });
      await poll(2000);
      for (const wait of waits) { await fail(); await poll(wait); }
    });
  }

  test("it says so after the second time, and when it is connected again; then the pauses are short", async () => {
    const { answer, clock, fail, notice, poll, spoken } = await openLive({ waits: true });
    await poll(2000);
    await fail();
    assert.equal(notice("connection"), null);
    await poll(2000);
    await fail();
    assert.match(notice("connection").textContent, /Not connected/);
    await poll(4000);
    await answer(PART, { headers: { "X-Step": "" } });
    await clock.tickAsync(150);
    assert.equal(notice("connection"), null);
    assert.equal(spoken(), "Connected again");
    await poll(1850);
  });

  test("it does not wait for the rest of a pause when it is seen again", async () => {
    const { asked, fail, poll } = await openLive();
    await poll(10_000);
    await fail();
    hide(true);
    hide(false);
    assert.equal(asked().length, 2);
  });
});

describe("an answer about the same step", () => {
  test("that is the same changes nothing", async () => {
    const { answer, document, poke, taken } = await openLive();
    const part = document.querySelector("#live");
    poke();
    await answer();
    assert.equal(document.querySelector("#live"), part);
    assert.deepEqual(taken, []);
  });

  test("brings the live part only, speaks what is new in it, and tells the stage", async () => {
    const { answer, clock, document, poke, spoken, taken } = await openLive();
    document.querySelector("[name=text]").value = "half a question";
    poke();
    await answer(TWO);
    await clock.tickAsync(150);
    assert.equal(document.querySelector("#live").textContent, "Who rang?Ada");
    assert.equal(document.querySelector("[name=text]").value, "half a question");
    assert.equal(spoken(), "Said: Ada");
    assert.deepEqual(taken, ["Who rang?Ada"]);
  });

  test("leaves the focus in the live part where it was, and outside of it alone", async () => {
    const part = (name) => `<section id="live"><p>${name}</p><button>Flag</button></section>`;
    const { answer, document, poke } = await openLive({ part: part("one") });
    document.querySelector("#live button").focus();
    poke();
    await answer(part("two"));
    assert.equal(document.activeElement, document.querySelector("#live button"));
    document.querySelector("[name=text]").focus();
    poke();
    await answer(part("three"));
    assert.equal(document.activeElement.name, "text");
  });
});

describe("an answer about another step", () => {
  const NEXT = `<div id="screen"><div class="notices"><p role="status">Ada went back.</p></div>${TWO}</div>`;
  const OTHER = { headers: { "X-Step": "answer" } };

  test("is the whole next screen; what was not saved yet is saved before it comes", async () => {
    const { answer, document, poke, server, swapped } = await openLive();
    const box = document.querySelector("[name=text]");
    box.value = "half a question";
    box.dispatchEvent(new Event("input", { bubbles: true }));
    poke();
    await answer(NEXT, OTHER);
    assert.deepEqual(swapped, [["#screen", NEXT]]);
    assert.equal(JSON.parse(server.waiting("/draft/").fields.data).text, "half a question");
    assert.equal(server.waiting("/draft/").keepalive, true);
  });

  test("is spoken once that screen is there: its notices, and what the partner said", async () => {
    const { answer, clock, document, poke, screen, show } = await openLive();
    poke();
    await answer(NEXT, OTHER);
    screen.stop();
    document.querySelector("#screen").outerHTML = workScreen({ inside: TWO });
    await show(document.querySelector("#screen"));
    await clock.tickAsync(150);
    assert.equal(document.querySelector("[data-live]").textContent, "Ada went back. Said: Ada");
  });

  test("waits while this person's own answer is under way, whose answer is the next screen", async () => {
    const { answer, asked, document, poke, screen, show, swapped } = await openLive();
    document.querySelector("form[data-commit]").classList.add("htmx-request");
    poke();
    await answer(NEXT, OTHER);
    assert.deepEqual(swapped, []);
    screen.stop();
    document.querySelector("#screen").outerHTML = workScreen({ inside: PART });
    await show(document.querySelector("#screen"));
    assert.equal(asked().length, 2, "what was left aside is asked for by the next screen");
  });

  test("is asked for anew by the next screen if it was poked for between the two", async () => {
    const { asked, document, poke, screen, show } = await openLive();
    screen.stop();
    poke();
    assert.equal(asked().length, 0);
    document.querySelector("#screen").outerHTML = workScreen({ inside: PART });
    await show(document.querySelector("#screen"));
    assert.equal(asked().length, 1);
  });
});

describe("an end", () => {
  for (const status of [404, 410]) {
    test(`of the work (${status}) leads to what follows it`, async () => {
      const { answer, moved, poke } = await openLive();
      poke();
      await answer("", { status });
      assert.deepEqual(moved, ["/work/7/"]);
    });
  }

  const LEAVES = '<form data-leaves></form>';

  test("that this person has sent leads nowhere else, under way or once the page leaves", async () => {
    const { answer, clock, document, moved, notice, poke, screen, window } = await openLive({ part: PART + LEAVES });
    const form = document.querySelector("[data-leaves]");
    form.classList.add("htmx-request");
    poke();
    await answer("", { status: 410 });
    screen.over("submitted");
    form.classList.remove("htmx-request");
    window.dispatchEvent(new Event("beforeunload"));
    poke();
    await answer("", { status: 410 });
    screen.over("submitted");
    assert.deepEqual([moved, notice("closed"), screen.ended], [[], null, false]);
    await clock.tickAsync(30_000); // the page has stayed after all
    await answer("", { status: 410 });
    assert.deepEqual(moved, ["/work/7/"]);
  });

  test("that was sent leads where its answer says, though the browser has not begun to leave", async () => {
    const { answer, document, load, moved, poke, screen } = await openLive();
    await load("goldfinch/work.js");
    const elt = screen.form;
    const xhr = { status: 204, getResponseHeader: (name) => (name === "HX-Redirect" ? "/lobby/" : null) };
    document.dispatchEvent(new CustomEvent("htmx:afterRequest", {
      detail: { elt, xhr, requestConfig: { elt }, successful: true },
    }));
    poke();
    await answer("", { status: 410 });
    assert.deepEqual(moved, []);
  });

  test("is not missed where leaving could not be sent", async () => {
    const { answer, document, moved, poke, poll } = await openLive({ part: PART + LEAVES });
    const form = document.querySelector("[data-leaves]");
    form.classList.add("htmx-request");
    poke();
    await answer("", { status: 410 });
    form.classList.remove("htmx-request");
    await poll(10_000);
    await answer("", { status: 410 });
    assert.deepEqual(moved, ["/work/7/"]);
  });

  test("of the session asks to sign in again, and nothing is lost", async () => {
    const { answer, document, moved, poke } = await openLive();
    poke();
    await answer("", { status: 401, headers: { "X-Sign-In": "1" } });
    assert.equal(document.querySelector("dialog#sign-in").open, true);
    assert.deepEqual(moved, []);
  });
});
