// How long this work is held: input and a heartbeat renew it, and two minutes before the end a line says so.
import { hush, make, notice } from "./say.js";
import { token } from "./token.js";

const OFTEN = 30_000; // at most one renewal for input in this time
const BEAT = 60_000;
const WATCHED = 600_000; // the heartbeat goes on this long after the last input
const WARNING = 120_000;

export class Lease {
  #screen; #ends = Infinity; #renewed = 0; #input = performance.now(); #timers = []; #trouble = 0; #stopped = false;

  constructor(screen) {
    this.#screen = screen;
    if (!screen.expiresIn) return;
    this.#ends = performance.now() + screen.expiresIn * 1000;
    this.#renewed = performance.now();
    this.#timers = [setInterval(() => this.#look(), 1000), setInterval(() => this.#beat(), BEAT)];
    this.#look();
  }

  input() {
    const now = performance.now();
    this.#input = now;
    if (this.#ends - now > WARNING && now - this.#renewed > OFTEN) this.renew();
  }

  #beat() {
    if (!document.hidden && performance.now() - this.#input < WATCHED && this.#ends - performance.now() > WARNING) this.renew();
  }

  async renew({ asked = false } = {}) {
    if (this.#stopped) return;
    this.#renewed = performance.now();
    const body = new FormData();
    body.set("client", this.#screen.client);
    body.set("after", this.#screen.after);
    body.set("csrfmiddlewaretoken", token(this.#screen.root));
    try {
      const answer = await fetch(this.#screen.urls.renew, { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
      if (this.#stopped) return;
      if (answer.status === 401) return this.#screen.signedOut();
      if (answer.status === 409) return this.#screen.tabs.ask(answer.headers.get("X-Refused"));
      if (!answer.ok) throw new Error(String(answer.status));
      this.#ends = performance.now() + (await answer.json()).expires_in * 1000;
      this.#trouble = 0;
      this.#screen.connected(true);
      hush(this.#screen.root, "connection");
      hush(this.#screen.root, "lease");
      if (asked) this.#screen.voice.live(this.#screen.voice.text("kept-working"));
    } catch {
      if (this.#stopped) return;
      this.#trouble += 1;
      this.#screen.connected(false);
      notice(this.#screen.root, "connection", { text: this.#screen.voice.text("not-connected"), kind: "bad" });
      const wait = Math.min(30_000, 1000 * 2 ** this.#trouble) * (0.5 + Math.random() / 2);
      this.#timers.push(setTimeout(() => this.renew({ asked }), wait));
    }
  }

  #look() {
    const left = this.#ends - performance.now();
    if (left > WARNING) return;
    const ended = left <= 0;
    const text = ended ? this.#screen.voice.text("ended") : this.#screen.voice.text("ending", { n: Math.max(1, Math.ceil(left / 60_000)) });
    const line = this.#screen.root.querySelector('[data-notice="lease"]');
    if (line?.dataset.text === text) return;
    const keep = make("button", { class: "btn", type: "button", on: () => this.renew({ asked: true }) }, this.#screen.voice.text("keep-working"), " ", make("kbd", {}, "Alt K"));
    notice(this.#screen.root, "lease", { text, buttons: ended ? [] : [keep] });
    this.#screen.root.querySelector('[data-notice="lease"]').dataset.text = text;
  }

  stop() {
    this.#stopped = true;
    for (const timer of this.#timers) { clearInterval(timer); clearTimeout(timer); }
  }
}
