// Requests to our server: what is sent with them, and what becomes of those that fail.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage } from "./page.js";

async function open() {
  const page = openPage('<form><input name="csrfmiddlewaretoken" value="of the form"></form>');
  return { ...page, ...await page.load("goldfinch/fetching.js") };
}

describe("a request", () => {
  test("says that a script sends it, and is null without a connection or if it is aborted", async () => {
    const { get, server } = await open();
    const first = get("/now/", { headers: { "X-Part": "1" } });
    assert.deepEqual(server.waiting("/now/").headers, { "X-Requested-With": "fetch", "X-Part": "1" });
    await server.waiting("/now/").fail();
    assert.equal(await first, null);
    const stop = new AbortController();
    const second = get("/now/", { signal: stop.signal });
    stop.abort();
    assert.equal(await second, null);
  });

  test("with fields has the token of the cookie, which is newer, or else that of the form", async () => {
    const { document, post, server } = await open();
    post("/draft/", { seq: 4, data: "{}" });
    assert.deepEqual(server.waiting("/draft/").fields, { seq: "4", data: "{}", csrfmiddlewaretoken: "of the form" });
    await server.waiting("/draft/").answer("");
    document.cookie = "csrftoken=of the cookie";
    post("/draft/", new FormData(document.querySelector("form")));
    assert.deepEqual(server.waiting("/draft/").fields, { csrfmiddlewaretoken: "of the cookie" });
    assert.equal(server.waiting("/draft/").method, "POST");
  });
});

describe("a pause", () => {
  test("is twice as long after each failure, thirty seconds at most, and a half of that at least", async () => {
    const { pause } = await open();
    const random = Math.random;
    Math.random = () => 0;
    assert.deepEqual([1, 2, 4, 5, 60].map((tries) => pause(tries)), [1000, 2000, 8000, 15_000, 15_000]);
    Math.random = () => 1;
    assert.deepEqual([pause(1), pause(1, 10_000), pause(9)], [2000, 20_000, 30_000]);
    Math.random = random;
  });
});

describe("work that is done once at a time", () => {
  test("is done once more if it was asked for meanwhile, however often, also after an error", async () => {
    const { OneAtATime } = await open();
    const begun = [];
    const work = new OneAtATime(() => new Promise((resolve, reject) => { begun.push({ resolve, reject }); }));
    const first = work.ask();
    work.ask();
    work.ask();
    assert.deepEqual([begun.length, work.isUnderWay, work.isWantedAgain], [1, true, true]);
    begun[0].reject(new Error("no connection"));
    await assert.rejects(first);
    assert.equal(begun.length, 2);
    begun[1].resolve();
    await new Promise(setImmediate);
    assert.deepEqual([begun.length, work.isUnderWay], [2, false]);
    work.ask();
    assert.equal(begun.length, 3);
    begun[2].resolve();
  });
});
