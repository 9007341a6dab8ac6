// The same work in several pages: the newest one writes, an older one shows both versions and can take the work back.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { press } from "./page.js";
import { openWork } from "./work.js";

const BOTH = `<dialog id="overtaken" data-seq="9"><p>theirs</p><button data-take-back>Take back</button></dialog>`;
const refused = (why = "taken_over") => ({ status: 409, headers: { "X-Refused": why } });

// A page whose save has just been refused, because another page has taken the work over.
async function overtaken({ why = "taken_over", shown = BOTH, ...options } = {}) {
  const work = await openWork(options);
  work.type("mine");
  await work.clock.tickAsync(1000);
  await work.save().answer(shown, refused(why));
  const [dialog, main] = ["dialog#overtaken", "main"].map((name) => work.document.querySelector(name));
  return { ...work, dialog, main };
}

describe("a page that has just been loaded", () => {
  test("takes over, and its own name is then the one that its saves follow", async () => {
    const { clock, drafts, form, server, type } = await openWork();
    const [{ fields, method }] = server.to("/take/");
    assert.deepEqual({ ...fields }, { client: "page-b", stage: "question", csrfmiddlewaretoken: "token" });
    assert.equal(method, "POST");
    assert.equal(form.elements.namedItem("after").value, "page-b");
    type("mine");
    await clock.tickAsync(1000);
    assert.equal(drafts()[0].fields.after, "page-b");
  });

  test("goes on following the page before it if its request is lost", async () => {
    const { clock, drafts, server, type } = await openWork({ taken: null });
    await server.waiting("/take/").fail();
    type("mine");
    await clock.tickAsync(1000);
    assert.equal(drafts()[0].fields.after, "page-a");
  });

  test("says so if the work is over", async () => {
    const { notice, server } = await openWork({ taken: null });
    await server.waiting("/take/").answer("", { status: 410, headers: { "X-Closed": "submitted" } });
    assert.match(notice("closed").textContent, /Sent elsewhere/);
  });

  for (const why of ["place_taken", "taken_out"]) {
    test(`saves although nothing was changed if its work was taken away (${why}): the refusal says why`, async () => {
      const { drafts, notice, server } = await openWork({ taken: null });
      await server.waiting("/take/").answer("", { status: 410, headers: { "X-Closed": why } });
      assert.equal(notice("closed"), null);
      await drafts()[0].answer("<dialog id=overtaken></dialog>", refused(why));
      assert.match(notice("closed").textContent, /Closed elsewhere/);
    });
  }
});

describe("a page that another one has taken over from", () => {
  for (const why of ["taken_over", "stale_page", "stage_locked"]) {
    test(`shows both versions, and can only be read (${why})`, async () => {
      const { box, dialog, document, main, notice } = await overtaken({ why });
      assert.equal(dialog.open, true);
      assert.equal(main.inert, true);
      assert.equal(box.value, "mine");
      assert.match(notice("elsewhere").textContent, /That one counts now.*Take back/);
      assert.equal(document.querySelector(".saved").hidden, true);
    });
  }

  test("sends nothing more, whatever is typed and however long it stays open", async () => {
    const { clock, drafts, server, type } = await overtaken();
    type("more");
    await clock.tickAsync(1_800_000);
    assert.equal(drafts().length, 1);
    assert.deepEqual(server.to("/renew/"), []);
  });

  test("keeps what was typed on the device", async () => {
    const { copies, type } = await overtaken();
    type("more");
    assert.deepEqual(copies().map((key) => JSON.parse(localStorage.getItem(key)).data.text), ["more"]);
  });

  test("has no keys", async () => {
    const { dialog, document } = await overtaken();
    dialog.close();
    document.querySelector("#material").focus();
    press("?");
    assert.equal(document.querySelector("dialog#keys").open, false);
  });

  test("closes the dialogs that are open", async () => {
    const work = await openWork();
    const keys = work.document.querySelector("dialog#keys");
    work.document.querySelector("#material").focus();
    press("?");
    assert.equal(keys.open, true);
    work.type("mine");
    await work.clock.tickAsync(1000);
    await work.save().answer(BOTH, refused());
    assert.equal(keys.open, false);
  });

  test("learns it from the renewal of its time too, and then saves to be shown both versions", async () => {
    const { clock, document, drafts, server } = await openWork();
    await clock.tickAsync(60_000);
    await server.waiting("/renew/").answer("", { status: 409 });
    assert.equal(drafts().length, 1);
    await drafts()[0].answer(BOTH, refused());
    assert.equal(document.querySelector("dialog#overtaken").open, true);
  });

  for (const why of ["taken_out", "submitted"]) {
    test(`is closed for good if the work is not open elsewhere either (${why})`, async () => {
      const { dialog, main, notice } = await overtaken({ why });
      assert.equal(dialog.open, true);
      assert.equal(notice("elsewhere"), null);
      assert.match(notice("closed").textContent, /Go on/);
      assert.notEqual(main.inert, true);
    });
  }
});

describe("taking the work back", () => {
  test("saves what this page has, numbered after the version that was shown and based on it", async () => {
    const { clock, dialog, drafts, main, notice, server } = await overtaken();
    dialog.querySelector("[data-take-back]").click();
    await server.waiting("/take/").answer({ seen: 3, expires_in: 600 });
    assert.equal(dialog.open, false);
    assert.equal(main.inert, false);
    assert.equal(notice("elsewhere"), null);
    await clock.tickAsync(1000);
    const { base, data, seq } = drafts()[1].fields;
    assert.deepEqual({ base, seq, text: JSON.parse(data).text }, { base: "9", seq: "10", text: "mine" });
  });

  test("works from the notice as well, once the dialog is closed", async () => {
    const { clock, dialog, drafts, notice, server } = await overtaken();
    dialog.close();
    notice("elsewhere").querySelector("button").click();
    await server.waiting("/take/").answer({ seen: 3, expires_in: 600 });
    await clock.tickAsync(1000);
    assert.equal(drafts().length, 2);
  });

  test("begins the time anew, with what the server says is left", async () => {
    const { clock, dialog, notice, server } = await overtaken();
    dialog.querySelector("[data-take-back]").click();
    await server.waiting("/take/").answer({ seen: 3, expires_in: 180 });
    await clock.tickAsync(59_000);
    assert.equal(notice("lease"), null);
    await clock.tickAsync(1000);
    assert.match(notice("lease").textContent, /2 minutes left/);
  });

  test("loads the page anew if something was sent meanwhile: what is here is kept, and announced there", async () => {
    const { clock, copies, dialog, drafts, moved, server } = await overtaken();
    dialog.querySelector("[data-take-back]").click();
    await server.waiting("/take/").answer({ seen: 4, expires_in: 600 });
    await clock.tickAsync(5000);
    assert.deepEqual(moved, ["/work/7/"]);
    assert.equal(drafts().length, 1);
    assert.equal(copies().length, 1);
  });

  test("loads the page anew if nothing was changed in it", async () => {
    const { clock, document, drafts, moved, server } = await openWork();
    await clock.tickAsync(60_000);
    await server.waiting("/renew/").answer("", { status: 409 });
    await drafts()[0].answer(BOTH, refused());
    document.querySelector("[data-take-back]").click();
    await server.waiting("/take/").answer({ seen: 3, expires_in: 600 });
    assert.deepEqual(moved, ["/work/7/"]);
  });

  test("without a connection says so, and the page stays as it is", async () => {
    const { dialog, main, moved, notice, server } = await overtaken();
    dialog.querySelector("[data-take-back]").click();
    await server.waiting("/take/").fail();
    assert.match(notice("connection").textContent, /Not connected/);
    assert.equal(main.inert, true);
    assert.deepEqual(moved, []);
  });

  test("says so if the work is over by then", async () => {
    const { dialog, moved, notice, server } = await overtaken();
    dialog.querySelector("[data-take-back]").click();
    await server.waiting("/take/").answer("", { status: 410, headers: { "X-Closed": "submitted" } });
    assert.match(notice("closed").textContent, /Sent elsewhere/);
    assert.deepEqual(moved, []);
  });
});
