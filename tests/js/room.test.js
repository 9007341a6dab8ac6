// The room of a meeting: what others do is shown without costing anybody their words or their focus.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage } from "./page.js";

const FIELD = `<form data-kept="meeting 1 3" action="/judging/1/meeting/3/argue/" method="post">
  <input type="hidden" name="csrfmiddlewaretoken" value="t"><input type="hidden" name="key" value="one">
  <input id="argument" name="text"><button>Say it</button></form>`;

const AS_OPEN = {
  shape: "open", exhibit: "3", said: "", proposed: "Nothing yet", field: FIELD, notice: "",
  agenda: '<nav id="agenda" data-part data-agenda="as-now">0 of 2 settled</nav>',
};
const room = (changed = {}) => {
  const { shape, exhibit, said, proposed, field, notice, agenda } = { ...AS_OPEN, ...changed };
  return `
  <div id="room" data-shape="${shape}" data-exhibit="${exhibit}" data-url="/judging/1/meeting/" data-socket="/ws/1/"
      data-lost="Lost" data-gone-on="Gone on." data-not-sent="Not sent:">
    <p data-connection></p><div id="notices">${notice}</div><p data-live></p>
    <main class="frame">
      <section class="prompt"><h1 tabindex="-1">Exhibit ${exhibit}</h1></section>
      ${agenda}<div id="arguments" data-part>${said}</div>${field}
      <section class="answer"><span id="grip-says" data-part>${proposed}</span>
        <div id="commit" data-part>
          <form><input type="hidden" name="csrfmiddlewaretoken" value="${Math.random()}">
            <button name="number" value="1">Confirm</button></form>
        </div></section>
    </main>
  </div>`;
};
const parts = (changed = {}) => `
  <div id="room" data-shape="${changed.shape ?? "open"}" data-exhibit="3" data-url="/judging/1/meeting/"
      data-only-parts>
    ${changed.agenda ?? ""}<span id="grip-says" data-part>${changed.proposed}</span>
  </div>`;
const SAID = '<p data-argument="7">It never says so.</p>';

async function shown() {
  const page = openPage(room());
  page.window.WebSocket = globalThis.WebSocket = class { close() {} send() {} };
  await page.load("goldfinch/room.js");
  const find = (what) => page.document.querySelector(what);
  const poll = async (next) => {
    await page.clock.tickAsync(3000);
    await page.server.waiting("/judging/1/meeting/").answer(next);
  };
  const write = (text) => {
    find("#argument").focus();
    find("#argument").value = text;
    find("#argument").dispatchEvent(new page.window.Event("input", { bubbles: true }));
  };
  return { ...page, find, poll, write };
}

describe("what others have done is shown", () => {
  test("and said aloud, while unsent words and the focus stay", async () => {
    const { document, find, poll, write } = await shown();
    write("Half a sente");
    await poll(room({ said: SAID, proposed: "Proposed: W" }));
    assert.equal(find("#arguments").textContent, "It never says so.");
    assert.equal(find("[data-live]").textContent, "It never says so. Proposed: W");
    assert.equal(find("#argument").value, "Half a sente");
    assert.equal(document.activeElement, find("#argument"));
  });

  test("with the same button under the finger, where nothing of it has changed but the token", async () => {
    const { find, poll } = await shown();
    const button = find("#commit button");
    await poll(room({ said: SAID }));
    assert.equal(find("#commit button"), button);
  });

  test("at another exhibit once nothing unsent is left", async () => {
    const { find, poll, write } = await shown();
    write("Mine");
    await poll(room({ exhibit: "4", shape: "other" }));
    assert.equal(find("h1").textContent, "Exhibit 3");
    assert.equal(find("#notices").textContent, "Gone on.");
    write("");
    await poll(room({ exhibit: "4", shape: "other" }));
    assert.equal(find("h1").textContent, "Exhibit 4");
  });

  test("with the words that came too late, once it is settled", async () => {
    const { find, poll, write } = await shown();
    write("Too late");
    await poll(room({ shape: "settled", field: "" }));
    assert.equal(find("#notices").textContent, "Not sent: Too late");
  });
});

describe("what the page shows already is not sent again", () => {
  test("it says what that is, and all that is not sent stays", async () => {
    const { clock, find, server, write } = await shown();
    write("Mine");
    await clock.tickAsync(3000);
    const asked = server.waiting("/judging/1/meeting/");
    assert.deepEqual([asked.headers["X-Shape"], asked.headers["X-Agenda"]], ["open", "as-now"]);
    await asked.answer(parts({ proposed: "Proposed: W" }));
    assert.equal(find("#grip-says").textContent, "Proposed: W");
    assert.equal(find("#agenda").textContent, "0 of 2 settled");
    assert.equal(find("h1").textContent, "Exhibit 3");
    assert.equal(find("#argument").value, "Mine");
  });

  test("parts of a room of another shape are not put into this one, and all of it is asked for", async () => {
    const { find, poll, server } = await shown();
    await poll(parts({ shape: "settled", proposed: "Settled" }));
    assert.equal(find("#grip-says").textContent, "Nothing yet");
    await server.waiting("/judging/1/meeting/").answer(room({ shape: "settled", proposed: "Settled" }));
    assert.equal(find("#grip-says").textContent, "Settled");
  });
});

test("without an answer the words stay, and the page says so", async () => {
  const { document, find, poll, server, window, write } = await shown();
  write("An argument");
  find("form[data-kept]").dispatchEvent(new window.Event("submit", { bubbles: true, cancelable: true }));
  await server.waiting("/judging/1/meeting/3/argue/").fail();
  assert.equal(find("[data-connection]").textContent, "Lost");
  assert.equal(find("#argument").value, "An argument");
  assert.match(window.localStorage.getItem("goldfinch:form:meeting 1 3"), /An argument/);
  await poll(room());
  assert.equal(document.querySelector("[data-connection]").textContent, "");
});
