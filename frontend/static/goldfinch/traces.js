// What the person did on this screen, in lines: sent with every save and with the commit, each batch until it arrived.
import { Attention } from "./attention.js";
import { Presence } from "./presence.js";
import { token } from "./token.js";

const MOST = 300; // lines of a batch
const OFTEN = 15_000; // a save tells the time only when this much has come together
const BEAT = 60_000; // so much reading at most is lost with a browser that dies
const LONGEST = 50_000; // characters; older batches give way while there is no connection

export class Traces {
  // Counted from the clock: a form that was refused comes back as another screen of the same page load.
  #n = Math.floor(Date.now() / 10) % 2 ** 30;
  #screen; #lines = []; #batches = []; #before = []; #keys = {}; #begun = performance.now(); #at = Date.now();
  #presence; #attention;
  method = ""; // how the last input was made

  constructor(screen) {
    this.#screen = screen;
    const options = { signal: screen.signal, capture: true };
    document.addEventListener("pointerdown", (event) => {
      this.method = event.pointerType === "mouse" ? "mouse" : "touch";
    }, options);
    document.addEventListener("keydown", () => { this.method = "keyboard"; }, options);
    document.addEventListener("paste", () => { this.method = "paste"; }, options);
    this.#presence = new Presence(screen.signal);
    this.#attention = new Attention((kind, data) => this.note(kind, data), screen.signal);
    const beat = setInterval(() => {
      if (this.#presence.watched && screen.form && !screen.tabs.overtaken) this.send();
    }, BEAT);
    screen.signal.addEventListener("abort", () => clearInterval(beat));
  }

  input() {
    this.#presence.input();
    this.#attention.here();
  }

  // Which shortcuts did something: counted, since some are pressed a hundred times on the way through a page.
  used(key) { this.#keys[key] = (this.#keys[key] ?? 0) + 1; }

  connected(up) { this.#attention.connected(up); }

  // A line: a word, and numbers, strings and short lists that belong to it.
  note(kind, data = {}) {
    if (this.#lines.length < MOST) this.#push(kind, data);
  }

  #push(kind, data) {
    const cut = (value) => (typeof value === "string" ? value.slice(0, 200) : value);
    const short = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cut(value)]));
    this.#lines.push([Math.max(0, Math.round(performance.now() - this.#begun)), kind, short, this.method]);
  }

  // Asked before lines are sent, for what is only known then.
  before(run) { this.#before.push(run); }

  #takeKeys() {
    const often = Object.entries(this.#keys).toSorted((a, b) => b[1] - a[1]);
    if (often.length) this.#push("shortcut_used", Object.fromEntries(often.slice(0, 20)));
    this.#keys = {};
  }

  // Everything that has not arrived, as the field that goes along; "" where there is nothing.
  take({ saving = false } = {}) {
    for (const run of this.#before) run();
    this.#takeKeys();
    const spent = this.#presence.take(saving ? OFTEN : undefined);
    if (spent) this.#push("in_sight", spent);
    if (this.#lines.length) {
      this.#n += 1;
      this.#batches.push({ n: this.#n, at: this.#at, lines: this.#lines });
      this.#lines = [];
    }
    while (this.#batches.length > 1 && JSON.stringify(this.#batches).length > LONGEST) this.#batches.shift();
    return this.#batches.length ? JSON.stringify(this.#batches) : "";
  }

  // What `take` gave up to now has arrived.
  arrived(upTo) { this.#batches = this.#batches.filter(({ n }) => n > upTo); }

  get last() { return this.#n; }

  // Somebody who only read leaves.
  async send() {
    const text = this.take();
    if (!text) return;
    const body = new FormData();
    body.set("trace", text);
    body.set("sent", Date.now());
    body.set("client", this.#screen.client);
    if (this.#screen.view) body.set("view", JSON.stringify(this.#screen.view()));
    body.set("csrfmiddlewaretoken", token(this.#screen.root));
    const { last } = this;
    try {
      const answer = await fetch(this.#screen.urls.draft, { method: "POST", body, keepalive: true });
      if (answer.ok && !answer.redirected) this.arrived(last);
    } catch { // it goes along with what is sent next
      this.connected(false);
    }
  }
}
