// What is in the form of a page that was loaded: the server's draft or what this device has kept, whichever is newer.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openWork } from "./work.js";

const OWN = "goldfinch:draft:7:question:page-b"; // the copy of the page that was loaded
const KEPT = "goldfinch:draft:7:question:page-a"; // that of the page before it
const STORED = {
  attributes: { seq: "4", "draft-client": "page-a", "draft-at": "2026-03-01T11:57:00Z" },
  draft: { text: "from the server" },
};
const copy = (more) => JSON.stringify({
  user: "ada", work: "7", stage: "question", url: "/work/7/", door: "/work/7/kept/", client: "page-a",
  seq: 5, base: 4, seen: 3, at: Date.UTC(2026, 2, 1, 11, 58), data: { text: "from the device", reasons: ["long"] },
  ...more,
});

describe("when a page is loaded again", () => {
  test("the server's draft is in the form, and its time is said", async () => {
    const { box, status } = await openWork(STORED);
    assert.equal(box.value, "from the server");
    assert.equal(status(), "Restored from 11:57");
  });

  test("a newer copy on the device comes before the server's draft, and is then the page's own", async () => {
    const { box, copies, document, status } = await openWork({ ...STORED, kept: { [KEPT]: copy() }, taken: null });
    assert.equal(box.value, "from the device");
    assert.deepEqual([...document.querySelectorAll("[name=reasons]")].map(({ checked }) => checked), [false, true]);
    assert.equal(status(), "Restored from this device, 11:58");
    assert.deepEqual(copies(), [OWN]);
  });

  test("what comes from the device is saved at once, after the page has taken over", async () => {
    const page = await openWork({ ...STORED, kept: { [KEPT]: copy() }, taken: null });
    assert.equal(page.drafts().length, 0);
    await page.server.waiting("/take/").answer({ seen: 3, expires_in: 1200 });
    assert.equal(JSON.parse(page.save().fields.data).text, "from the device");
    await page.save().answer({ saved_at: "2026-03-01T12:00:05Z", expires_in: 1200 });
    assert.equal(page.status(), "Saved 12:00:05");
    assert.deepEqual(page.copies(), []);
  });

  test("the server is asked about an older copy once it has what was restored, so that both are compared", async () => {
    const OLDER = "goldfinch:draft:7:question:page-z";
    const older = copy({ client: "page-z", base: 2, data: { text: "older" } });
    const page = await openWork({ ...STORED, kept: { [KEPT]: copy(), [OLDER]: older } });
    assert.equal(page.server.to("/kept/").length, 0);
    await page.save().answer({ saved_at: "2026-03-01T12:00:05Z", expires_in: 1200 });
    assert.deepEqual(JSON.parse(page.server.waiting("/kept/").fields.data), { text: "older" });
  });

  test("what comes from the server has nothing to save", async () => {
    const { clock, drafts } = await openWork(STORED);
    await clock.tickAsync(10_000);
    assert.deepEqual(drafts(), []);
  });

  test("a copy that the server has already is erased", async () => {
    const { box, copies } = await openWork({ ...STORED, kept: { [KEPT]: copy({ seq: 4, base: 3 }) } });
    assert.equal(box.value, "from the server");
    assert.deepEqual(copies(), []);
  });

  test("a copy based on an older version is not put over the newer one, but announced", async () => {
    const page = await openWork({ ...STORED, kept: { [KEPT]: copy({ client: "page-z", base: 2 }) } });
    assert.equal(page.box.value, "from the server");
    assert.deepEqual(page.copies(), [KEPT]);
    await page.server.waiting("/kept/").answer("<dialog id=kept></dialog>", { status: 409 });
    assert.match(page.notice("kept").textContent, /kept here/);
  });

  test("a copy from before the last answer was sent is not restored", async () => {
    const { box } = await openWork({ ...STORED, kept: { [KEPT]: copy({ seen: 2 }) } });
    assert.equal(box.value, "from the server");
  });

  test("a save of the page before that arrived late is taken as the base, since its text is here already", async () => {
    const { clock, drafts, type } = await openWork({
      ...STORED, kept: { [KEPT]: copy() }, taken: { seen: 3, expires_in: 1200, draft: { client: "page-a", seq: 5 } },
    });
    type("more");
    await clock.tickAsync(1000);
    assert.equal(drafts()[0].fields.base, "5");
  });
});
