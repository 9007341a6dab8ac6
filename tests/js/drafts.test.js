// Autosave: what is typed is saved soon, never twice at once, and never lost while it can't be.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hide } from "./page.js";
import { openWork } from "./work.js";

const SAVED = { saved_at: "2026-03-01T12:00:05Z", expires_in: 1200 };
const COPY = "goldfinch:draft:7:question:page-b";

describe("when a change is saved", () => {
  test("it is saved once it has rested for exactly one second", async () => {
    const { clock, drafts, type } = await openWork();
    type("a bell");
    await clock.tickAsync(999);
    assert.equal(drafts().length, 0);
    await clock.tickAsync(1);
    assert.equal(drafts().length, 1);
  });

  test("each further change begins the second anew", async () => {
    const { clock, drafts, type } = await openWork();
    type("a");
    await clock.tickAsync(999);
    type("a bell");
    await clock.tickAsync(999);
    assert.equal(drafts().length, 0);
    await clock.tickAsync(1);
    assert.equal(JSON.parse(drafts()[0].fields.data).text, "a bell");
  });

  test("what never rests is saved every five seconds", async () => {
    const { clock, drafts, save, type } = await openWork();
    for (let at = 0; at < 4500; at += 900) { type(`after ${at}`); await clock.tickAsync(900); }
    type("after 4500");
    await clock.tickAsync(499);
    assert.equal(drafts().length, 0);
    await clock.tickAsync(1);
    assert.equal(drafts().length, 1);
    await save().answer(SAVED);
    for (let at = 0; at < 4500; at += 900) { type(`again ${at}`); await clock.tickAsync(900); }
    assert.equal(drafts().length, 1);
    type("again 4500");
    await clock.tickAsync(500);
    assert.equal(drafts().length, 2);
  });

  test("without a change nothing is saved", async () => {
    const { clock, drafts } = await openWork();
    await clock.tickAsync(55_000);
    assert.deepEqual(drafts(), []);
  });

  test("a field without a name is no part of the answer", async () => {
    const { box, clock, drafts, type } = await openWork();
    box.removeAttribute("name");
    type("find this");
    await clock.tickAsync(10_000);
    assert.deepEqual(drafts(), []);
  });

  test("a page that is hidden saves at once, and the request outlives it", async () => {
    const { drafts, type } = await openWork();
    type("a bell");
    hide(true);
    assert.equal(drafts().length, 1);
    assert.equal(drafts()[0].keepalive, true);
    assert.equal(JSON.parse(drafts()[0].fields.data).text, "a bell");
  });

  test("a page that is hidden does so beside a save that is under way", async () => {
    const { clock, drafts, type } = await openWork();
    type("a");
    await clock.tickAsync(1000);
    type("a bell");
    hide(true);
    assert.deepEqual(drafts().map(({ fields }) => JSON.parse(fields.data).text), ["a", "a bell"]);
  });

  test("a page without unsaved changes saves nothing when it is hidden", async () => {
    const { clock, drafts, save, type } = await openWork();
    type("a bell");
    await clock.tickAsync(1000);
    await save().answer(SAVED);
    hide(true);
    assert.equal(drafts().length, 1);
  });
});

describe("what a save holds", () => {
  test("it holds the fields of the answer, lists of what is ticked, and none of the form's own fields", async () => {
    const { clock, document, drafts, type } = await openWork();
    for (const tick of document.querySelectorAll("[name=reasons]")) tick.checked = true;
    type("a bell");
    await clock.tickAsync(1000);
    const data = JSON.parse(drafts()[0].fields.data);
    assert.deepEqual(data, { text: "a bell", reasons: ["dull", "long"], _view: { y: 0 } });
  });

  test("it names the page and the versions that it is based on, and its number grows with each change", async () => {
    const { clock, drafts, save, type } = await openWork({ attributes: { seq: "4", "draft-client": "page-a" } });
    type("a");
    type("a bell");
    await clock.tickAsync(1000);
    const { client, after, base, seen, seq } = drafts()[0].fields;
    assert.deepEqual([client, after, base, seen, seq], ["page-b", "page-b", "4", "3", "6"]);
    await save().answer(SAVED);
    type("two bells");
    await clock.tickAsync(1000);
    assert.equal(drafts()[1].fields.seq, "7");
  });
});

describe("while a save is under way", () => {
  test("there is no second one; what was changed last is saved a second after its answer", async () => {
    const { clock, drafts, save, type } = await openWork();
    type("a");
    await clock.tickAsync(1000);
    type("a bell");
    await clock.tickAsync(2000);
    assert.equal(drafts().length, 1);
    await save().answer(SAVED);
    await clock.tickAsync(999);
    assert.equal(drafts().length, 1);
    await clock.tickAsync(1);
    assert.equal(JSON.parse(drafts()[1].fields.data).text, "a bell");
  });

  test("what has waited for five seconds then is saved at once", async () => {
    const { clock, drafts, save, type } = await openWork();
    type("a");
    await clock.tickAsync(1000);
    type("a bell");
    await clock.tickAsync(5000);
    assert.equal(drafts().length, 1);
    await save().answer(SAVED);
    assert.equal(drafts().length, 2);
  });

  test("the device keeps a copy until all of it is stored, and the page says when that was", async () => {
    const { clock, copies, save, status, type } = await openWork();
    type("a");
    assert.deepEqual(copies(), [COPY]);
    await clock.tickAsync(1000);
    assert.equal(status(), "Saving…");
    type("a bell");
    await save().answer(SAVED);
    assert.equal(JSON.parse(localStorage.getItem(COPY)).data.text, "a bell");
    await clock.tickAsync(1000);
    await save().answer(SAVED);
    assert.deepEqual(copies(), []);
    assert.equal(status(), "Saved 12:00:05");
  });

  test("a shared computer keeps no copy", async () => {
    const { copies, type } = await openWork({ kept: { "goldfinch:shared": "1" } });
    type("a bell");
    assert.deepEqual(copies(), []);
  });
});

describe("when a save fails", () => {
  for (const [random, which, waits] of [
    [0, "shortest", [1000, 2000, 4000, 8000, 15_000, 15_000]],
    [1, "longest", [2000, 4000, 8000, 16_000, 30_000, 30_000]],
  ]) {
    test(`the ${which} pauses before it is tried again double up to ${waits.at(-1) / 1000} s`, async () => {
      const { clock, drafts, save, type } = await openWork({ random });
      type("a bell");
      await clock.tickAsync(1000);
      for (const [tries, wait] of waits.entries()) {
        await save().fail();
        await clock.tickAsync(wait - 1);
        assert.equal(drafts().length, tries + 1, `a try before ${wait} ms`);
        await clock.tickAsync(1);
        assert.equal(drafts().length, tries + 2, `no try after ${wait} ms`);
      }
    });
  }

  test("the page says so until it is connected again, and keeps the text on the device", async () => {
    const { clock, copies, notice, save, spoken, status, type } = await openWork();
    type("a bell");
    await clock.tickAsync(1000);
    await save().fail();
    assert.equal(status(), "Not saved, trying again");
    assert.match(notice("connection").textContent, /Not connected/);
    assert.deepEqual(copies(), [COPY]);
    await clock.tickAsync(1000);
    await save().answer(SAVED);
    await clock.tickAsync(150);
    assert.equal(notice("connection"), null);
    assert.equal(spoken(), "Connected again");
    assert.match(status(), /^Saved/);
  });

  for (const status of [500, 502, 503, 429]) {
    test(`an answer of ${status} is a failure like any other`, async () => {
      const { clock, drafts, save, type } = await openWork();
      type("a bell");
      await clock.tickAsync(1000);
      await save().answer("", { status });
      await clock.tickAsync(1000);
      assert.equal(drafts().length, 2);
    });
  }

  test("a success begins the pauses anew", async () => {
    const { clock, drafts, save, type } = await openWork();
    type("a");
    await clock.tickAsync(1000);
    await save().fail();
    await clock.tickAsync(1000);
    await save().fail();
    await clock.tickAsync(2000);
    await save().answer(SAVED);
    type("a bell");
    await clock.tickAsync(1000);
    await save().fail();
    await clock.tickAsync(1000);
    assert.equal(drafts().length, 5);
  });
});

describe("when a save is refused", () => {
  for (const code of [400, 413, 422]) {
    test(`with ${code} it is called too long, and tried again only after a change`, async () => {
      const { clock, copies, drafts, notice, save, spoken, status, type } = await openWork();
      type("very long");
      await clock.tickAsync(1000);
      await save().answer("", { status: code });
      assert.equal(status(), "Too long to save.");
      assert.equal(notice("connection"), null);
      await clock.tickAsync(55_000);
      assert.equal(spoken(), "Too long to save.");
      assert.equal(drafts().length, 1);
      assert.deepEqual(copies(), [COPY]);
      type("short");
      await clock.tickAsync(1000);
      await save().answer(SAVED);
      assert.match(status(), /^Saved/);
    });
  }

  test("what was changed meanwhile is tried on its own", async () => {
    const { clock, drafts, save, type } = await openWork();
    type("very long");
    await clock.tickAsync(1000);
    type("short");
    await save().answer("", { status: 422 });
    await clock.tickAsync(1000);
    assert.equal(JSON.parse(drafts()[1].fields.data).text, "short");
  });

  for (const status of [404, 410]) {
    test(`with ${status} the work is over: nothing more is sent, and the text stays`, async () => {
      const { box, clock, drafts, notice, save, server, type } = await openWork();
      type("a bell");
      await clock.tickAsync(1000);
      await save().answer("", { status, headers: { "X-Closed": "submitted" } });
      assert.match(notice("closed").textContent, /Sent elsewhere/);
      type("two bells");
      await clock.tickAsync(1_800_000);
      assert.equal(drafts().length, 1);
      assert.deepEqual(server.to("/renew/"), []);
      assert.equal(box.value, "two bells");
    });
  }

  test("with 401 a dialog asks to sign in, and the draft is saved afterwards", async () => {
    const { clock, document, drafts, notice, save, server, status, type } = await openWork();
    type("a bell");
    await clock.tickAsync(1000);
    await save().answer("", { status: 401, headers: { "X-Sign-In": "1" } });
    const dialog = document.querySelector("dialog#sign-in");
    assert.equal(dialog.open, true);
    assert.equal(status(), "Not saved: signed out");
    await clock.tickAsync(30_000);
    assert.equal(drafts().length, 1);
    dialog.querySelector("[name=password]").value = "nine lighthouses";
    dialog.querySelector("form").requestSubmit();
    await server.waiting("/login/").answer();
    await server.waiting("/login/").answer();
    assert.equal(dialog.open, false);
    assert.equal(notice("session"), null);
    await clock.tickAsync(1000);
    assert.equal(drafts().length, 2);
  });

  test("a 401 of somebody else's, such as a proxy, is a failure like any other", async () => {
    const { clock, document, drafts, save, type } = await openWork();
    type("a bell");
    await clock.tickAsync(1000);
    await save().answer("", { status: 401 });
    assert.equal(document.querySelector("dialog#sign-in").open, false);
    await clock.tickAsync(1000);
    assert.equal(drafts().length, 2);
  });
});

describe("while the answer is sent", () => {
  test("a save under way is cut off, and none is begun", async () => {
    const { clock, drafts, sent, type } = await openWork();
    type("a");
    await clock.tickAsync(1000);
    type("a bell");
    sent.begins();
    await clock.tickAsync(30_000);
    assert.equal(drafts().length, 1);
    assert.equal(drafts()[0].signal.aborted, true);
  });

  test("its arrival erases the copy on the device", async () => {
    const { clock, copies, drafts, sent, type } = await openWork();
    type("a bell");
    sent.begins();
    sent.arrives();
    await clock.tickAsync(30_000);
    assert.deepEqual(copies(), []);
    assert.deepEqual(drafts(), []);
  });

  test("if it does not arrive, the draft is saved after a second, and the answer offered again", async () => {
    const { clock, copies, drafts, notice, sent, type } = await openWork();
    type("a bell");
    sent.begins();
    sent.fails(500);
    assert.match(notice("sending").textContent, /Went wrong.*Send again/);
    assert.deepEqual(copies(), [COPY]);
    await clock.tickAsync(999);
    assert.deepEqual(drafts(), []);
    await clock.tickAsync(1);
    assert.equal(drafts().length, 1);
  });

  test("its notice stays where it is when it fails again, with the focus and one button", async () => {
    const { clock, document, notice, sent, spoken, type } = await openWork();
    type("a bell");
    sent.begins();
    sent.fails(500);
    const line = notice("sending");
    line.querySelector("button").focus();
    const first = document.activeElement;
    sent.begins();
    sent.fails(500);
    assert.equal(notice("sending"), line);
    assert.deepEqual([...line.querySelectorAll("button")], [document.activeElement]);
    assert.notEqual(document.activeElement, first); // it sends what failed last
    await clock.tickAsync(150);
    assert.doesNotMatch(spoken() ?? "", /Went wrong/);
    document.activeElement.click();
    sent.begins();
    sent.fails(500);
    await clock.tickAsync(150);
    assert.match(spoken(), /Went wrong/); // who asked is answered, though nothing looks different
    sent.begins();
    sent.fails(0);
    assert.notEqual(notice("sending"), line);
    assert.match(notice("sending").textContent, /Not sent/);
  });

  test("a draft that a partner has made void is dropped", async () => {
    const { clock, copies, drafts, save, type } = await openWork();
    type("a bell");
    await clock.tickAsync(1000);
    await save().answer({ gone: true });
    assert.deepEqual(copies(), []);
    type("two bells");
    await clock.tickAsync(10_000);
    assert.equal(drafts().length, 1);
  });
});
