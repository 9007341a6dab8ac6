// The lease: input and a heartbeat renew it, and a notice appears two minutes before it expires. Work whose hold can't
// be renewed has no address for that: it ends when it ends, or never.
import { fragmentOf, pause, post } from "./fetching.js";
import { hush, make, notice } from "./say.js";
import { clearTimeout, setTimeout } from "./settled.js";
import { isOver, isSignedOut, whyOver } from "./signin.js";
/** @import { Screen } from "./screen.js" */

const OFTEN = 30_000; // throttle: at most one renewal for input in this time
const BEAT = 60_000;
const WATCHED = 600_000; // the heartbeat continues for this long after the last input
const WARNING = 120_000;
const AT_ONCE = 1000;

export class Lease {
  #screen; #ends = Infinity; #asked = 0; #input = performance.now(); #trouble = 0;
  #ended = false; #stopped = false; #underWay = false; #wanted = false;
  /** @type {number[]} */
  #timers = [];
  /** @type {number | undefined} */
  #again;

  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
    if (!screen.expiresIn) return;
    this.#ends = performance.now() + screen.expiresIn * 1000;
    this.#asked = performance.now();
    this.#timers = [setInterval(() => this.#look(), 1000), setInterval(() => this.#beat(), BEAT)];
    this.#look();
  }

  // Any input renews the lease, even with little time left.
  input() {
    const now = performance.now();
    this.#input = now;
    if (this.#timers.length && !this.#ended && now - this.#asked > OFTEN) this.renew();
  }

  #beat() {
    if (!document.hidden && !this.#ended && performance.now() - this.#input < WATCHED) this.renew();
  }

  async renew({ asked = false } = {}) {
    if (!this.#screen.urls.renew) return;
    this.#wanted ||= asked;
    // Alt+K is two keydown events, but one renewal.
    if (this.#stopped || (this.#underWay && performance.now() - this.#asked < AT_ONCE)) return;
    this.#underWay = true;
    this.#asked = performance.now();
    clearTimeout(this.#again);
    const { after, client, root, urls } = this.#screen;
    const idle = Math.round((performance.now() - this.#input) / 1000);
    try {
      const answer = await post(urls.renew, { client, after, idle }, { root });
      if (this.#stopped) return;
      if (isSignedOut(answer)) return this.#screen.requests.signedOut();
      if (answer.status === 409) return this.#screen.tabs.ask();
      if (isOver(answer)) return this.#screen.tabs.closed(whyOver(answer));
      if (!answer.ok) throw new Error(String(answer.status));
      this.renewed(await answer.json());
      if (this.#wanted && !this.#ended) this.#screen.voice.live(this.#screen.voice.text("kept-working"));
      this.#wanted = false;
    } catch {
      if (this.#stopped) return;
      this.#trouble += 1;
      this.#screen.requests.connected(false);
      this.#again = setTimeout(() => this.renew(), pause(this.#trouble));
    } finally {
      this.#underWay = false;
    }
  }

  // The end of a block, as HTML, in the bar.
  /** @param {{ until?: string }} left */
  showEnd({ until }) {
    if (until) this.#screen.find("[data-block-ends] time")?.replaceWith(fragmentOf(until));
  }

  // Called after a renewal or a save, with the seconds left (0: the lease has expired).
  /** @param {{ expires_in: number, until?: string }} left */
  renewed({ expires_in: seconds, until }) {
    if (this.#stopped || !this.#timers.length) return;
    this.#ends = performance.now() + seconds * 1000;
    this.#asked = performance.now();
    this.#ended = !seconds;
    this.showEnd({ until });
    this.#trouble = 0;
    clearTimeout(this.#again);
    this.#screen.requests.connected(true);
    hush(this.#screen.root, "lease");
    this.#look();
  }

  #look() {
    const left = this.#ends - performance.now();
    if (left > WARNING) return;
    const ended = left <= 0;
    const voice = this.#screen.voice;
    const minutes = Math.max(1, Math.ceil(left / 60_000));
    const text = ended ? voice.text("ended") : voice.text("ending", { n: minutes });
    const line = this.#screen.root.querySelector('[data-notice="lease"]');
    if (line?.dataset.text === text) return;
    const renew = { class: "btn", type: "button", on: () => this.renew({ asked: true }) };
    const keep = make("button", renew, voice.text("keep-working"), " ", make("kbd", {}, "Alt K"));
    notice(this.#screen.root, "lease", { text, buttons: ended || !this.#screen.urls.renew ? [] : [keep] });
    this.#screen.root.querySelector('[data-notice="lease"]').dataset.text = text;
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#again);
    for (const timer of this.#timers) clearInterval(timer);
  }
}
