// Interaction traces: lines about what the person did, sent in batches with every save and commit until acknowledged.
import { FocusTraces } from "./focus_traces.js";
import { Presence } from "./presence.js";
import { post } from "./fetching.js";
/** @import { View } from "./place.js" */

/** @typedef {(kind: string, data?: object) => void} Note */
/** @typedef {[ms: number, kind: string, data: object, method: string]} Line */
/**
 * What a page has that is traced: a screen of work, or the guidelines.
 * @typedef {{ root: HTMLElement, signal: AbortSignal, client: string, urls: { draft: string },
 *   form: HTMLElement | null, tabs: { overtaken: boolean }, view?: () => View }} Traced
 */

const MOST = 300; // lines per batch
const OFTEN = 15_000; // a save reports time only once this much has accumulated
const BEAT = 60_000; // at most this much reading time is lost if the browser crashes
const LONGEST = 50_000; // characters; without a connection, the oldest batches are dropped beyond this

export class Traces {
  // Batch numbers start from the clock: after a refused form, a new screen continues the same page load.
  #n = Math.floor(Date.now() / 10) % 2 ** 30;
  /** @type {Line[]} */
  #lines = [];
  /** @type {{ n: number, at: number, lines: Line[] }[]} */
  #batches = [];
  /** @type {(() => void)[]} */
  #before = [];
  /** @type {Record<string, number>} */
  #keys = {};
  #screen; #begun = performance.now(); #at = Date.now();
  #presence; #focus;
  method = ""; // how the last input was made

  /** @param {Traced} screen */
  constructor(screen) {
    this.#screen = screen;
    const options = { signal: screen.signal, capture: true };
    document.addEventListener("pointerdown", (event) => {
      this.method = event.pointerType === "mouse" ? "mouse" : "touch";
    }, options);
    document.addEventListener("keydown", () => { this.method = "keyboard"; }, options);
    document.addEventListener("paste", () => { this.method = "paste"; }, options);
    this.#presence = new Presence(screen.signal);
    this.#focus = new FocusTraces((kind, data) => this.note(kind, data), screen.signal);
    const beat = setInterval(() => {
      if (this.#presence.watched && screen.form && !screen.tabs.overtaken) this.send();
    }, BEAT);
    screen.signal.addEventListener("abort", () => clearInterval(beat));
  }

  input() {
    this.#presence.input();
    this.#focus.here();
  }

  // Count used shortcuts instead of logging each: some are pressed a hundred times on a page.
  /** @param {string} key */
  used(key) { this.#keys[key] = (this.#keys[key] ?? 0) + 1; }

  /** @param {boolean} up */
  connected(up) { this.#focus.connected(up); }

  // Add a line: its kind, and data of numbers, strings and short lists.
  /** @param {string} kind @param {object} [data] */
  note(kind, data = {}) {
    if (this.#lines.length < MOST) this.#push(kind, data);
  }

  /** @param {string} kind @param {object} data */
  #push(kind, data) {
    /** @param {unknown} value */
    const cut = (value) => (typeof value === "string" ? value.slice(0, 200) : value);
    const short = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cut(value)]));
    this.#lines.push([Math.max(0, Math.round(performance.now() - this.#begun)), kind, short, this.method]);
  }

  // Register a callback that runs before lines are sent, to add what is only known then.
  /** @param {() => void} run */
  before(run) { this.#before.push(run); }

  #takeKeys() {
    const often = Object.entries(this.#keys).toSorted((a, b) => b[1] - a[1]);
    if (often.length) this.#push("shortcut_used", Object.fromEntries(often.slice(0, 20)));
    this.#keys = {};
  }

  // All unacknowledged batches as JSON, for the form field `trace`; "" if there are none.
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

  // Drop the batches up to this number: the server has them.
  /** @param {number} upTo */
  arrived(upTo) { this.#batches = this.#batches.filter(({ n }) => n > upTo); }

  get last() { return this.#n; }

  // Send traces alone, without a draft.
  async send() {
    const text = this.take();
    if (!text) return;
    const { client, root, urls } = this.#screen;
    const view = this.#screen.view ? { view: JSON.stringify(this.#screen.view()) } : {};
    const { last } = this;
    const fields = { trace: text, sent: Date.now(), client, ...view };
    const answer = await post(urls.draft, fields, { root, keepalive: true });
    if (!answer) this.connected(false); // they are sent with the next request
    else if (answer.ok && !answer.redirected) this.arrived(last);
  }
}
