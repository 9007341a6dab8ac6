// What the person did on this screen, in lines: sent with every save and with the commit, each batch until it arrived.
import { token } from "./token.js";

const MOST = 300; // lines of a batch
const LONGEST = 50_000; // characters; older batches give way while there is no connection

export class Traces {
  // Counted from the clock: a form that was refused comes back as another screen of the same page load.
  #n = Math.floor(Date.now() / 10) % 2 ** 30;
  #screen; #lines = []; #batches = []; #before = []; #begun = performance.now(); #seen = null; #visible = 0;
  method = ""; // how the last input was made

  constructor(screen) {
    this.#screen = screen;
    const options = { signal: screen.signal, capture: true };
    document.addEventListener("pointerdown", (event) => { this.method = event.pointerType === "mouse" ? "mouse" : "touch"; }, options);
    document.addEventListener("keydown", () => { this.method = "keyboard"; }, options);
    document.addEventListener("paste", () => { this.method = "paste"; }, options);
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.#look(); else this.#seen = performance.now(); }, options);
    this.#seen = document.hidden ? null : performance.now();
  }

  // A line: a word, and numbers, strings and short lists that belong to it.
  note(kind, data = {}) {
    if (this.#lines.length < MOST) this.#push(kind, data);
  }

  #push(kind, data) {
    const short = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, typeof value === "string" ? value.slice(0, 200) : value]));
    this.#lines.push([Math.max(0, Math.round(performance.now() - this.#begun)), kind, short, this.method]);
  }

  // Asked before lines are sent, for what is only known then.
  before(run) { this.#before.push(run); }

  #look() {
    if (this.#seen !== null) this.#visible += performance.now() - this.#seen;
    this.#seen = document.hidden ? null : performance.now();
  }

  // Everything that has not arrived, as the field that goes along; "" where there is nothing.
  take() {
    for (const run of this.#before) run();
    if (this.#lines.length) {
      this.#look();
      this.#push("in_sight", { ms: Math.round(this.#visible) });
      this.#visible = 0;
      this.#n += 1;
      this.#batches.push({ n: this.#n, lines: this.#lines });
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
    body.set("client", this.#screen.client);
    body.set("csrfmiddlewaretoken", token(this.#screen.root));
    const { last } = this;
    try {
      const answer = await fetch(this.#screen.urls.draft, { method: "POST", body, keepalive: true });
      if (answer.ok && !answer.redirected) this.arrived(last);
    } catch { /* it goes along with what is sent next */ }
  }
}
