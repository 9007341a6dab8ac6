// An upload: when it asks again.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage } from "./page.js";

const FILE = { name: "lines.jsonl", size: 4, slice: () => ({ arrayBuffer: async () => new ArrayBuffer(4) }) };

// An upload that has just begun, in a browser where chance gives `random`.
async function begin(random) {
  const page = openPage('<main><input name="csrfmiddlewaretoken" value="a token"></main>', { random });
  globalThis.AbortSignal = { any: () => null, timeout: () => null };
  const { Upload } = await page.load("goldfinch/imports/upload.js");
  const phases = [];
  const options = { begin: "/uploads/", longestPart: 1024, tell: ({ phase }) => phases.push(phase) };
  new Upload(FILE, page.document.querySelector("main"), options).send();
  await page.clock.tickAsync(0);
  return { ...page, phases };
}

describe("an upload without a connection", () => {
  for (const [random, waits] of [[0, [500, 1000, 2000]], [1, [1000, 2000, 4000]]]) {
    test(`asks again after twice as long each time, and not when all browsers do (${random})`, async () => {
      const { clock, phases, server } = await begin(random);
      for (const [place, wait] of waits.entries()) {
        await server.waiting("/uploads/").fail();
        await clock.tickAsync(wait - 1);
        assert.equal(server.to("/uploads/").length, place + 1);
        await clock.tickAsync(1);
        assert.equal(server.to("/uploads/").length, place + 2);
      }
      assert.deepEqual(phases, waits.map(() => "no-connection"));
    });
  }
});
