// Uploads one file in parts, each with the checksum of the file up to its end. After any failure it asks the server how
// much has arrived, and goes on there.
import { fetch, setTimeout } from "../settled.js";
import { isOver, isSignedOut } from "../signin.js";
import { pause, token } from "../fetching.js";
import { crc32 } from "./crc32.js";

const SMALLEST = 32 * 1024; // bytes of a part; on slow lines a larger one would take longer than the server waits
const FIRST = 256 * 1024;
const QUICK = 1000; // ms: after a quicker part, the next one is twice as long
const SLOW = 8000; // ms: after a slower one, half as long
const PATIENCE = 30_000; // ms for an answer
const BLOCK = 4 * 1024 * 1024; // bytes read at a time while a file is compared
const REFUSALS = 5; // of one part
const REFUSED = new Set(["size", "name"]); // reasons for which this file can't be uploaded

/** @typedef {{ phase: string, done?: number, total?: number }} Told */
/** @typedef {{ begin: string, longestPart: number, tell: (told: Told) => void }} UploadOptions */
/** @typedef {{ uuid: string, url: string, remove: string, received: number, checksum: number }} UploadState */

export class Stopped extends Error {
  // `why`: what to say (signed-out, over, unreadable, failed), or "" with the server's own sentence in `message`.
  // `wants`: "another" if the same file would be refused again.
  /** @param {string} why @param {string} [message] @param {string} [wants] */
  constructor(why, message = "", wants = "") { super(message); this.why = why; this.wants = wants; }
}

export class Upload {
  #file; #root; #options; #part = FIRST; #gone = false;
  /** @type {UploadState | null} */
  #state = null;
  /** @type {{ until: Promise<void>, go: () => void } | null} */
  #paused = null;
  /** @type {AbortController | null} */
  #abort = null;

  // `options`: begin (URL), longestPart, tell({ phase, done, total }).
  /** @param {File} file @param {HTMLElement} root @param {UploadOptions} options */
  constructor(file, root, options) { this.#file = file; this.#root = root; this.#options = options; }

  get isPaused() { return this.#paused !== null; }

  pause() {
    if (this.#paused) return;
    /** @type {() => void} */
    let go;
    /** @type {Promise<void>} */
    const until = new Promise((resolve) => { go = resolve; });
    this.#paused = { until, go };
    this.#abort?.abort();
  }

  resume() {
    this.#paused?.go();
    this.#paused = null;
  }

  // Stop for good, and have the server remove what has arrived.
  async cancel() {
    this.#gone = true;
    this.#abort?.abort();
    this.resume();
    if (this.#state) await this.#ask(this.#state.remove, { method: "POST" });
  }

  // Upload what has not arrived yet; resolves to the uuid of the upload. Throws Stopped, after which it can be called
  // again.
  async send() {
    const first = new Uint8Array(await this.#read(0, this.#options.longestPart));
    await this.#begin(crc32(first));
    if (this.#state.received && !await this.#isSame()) {
      this.#options.tell({ phase: "another-file" });
      await this.#ask(this.#state.remove, { method: "POST" });
      await this.#begin(crc32(first));
    } else if (this.#state.received) this.#options.tell({ phase: "goes-on" });
    await this.#sendRest();
    return this.#state.uuid;
  }

  /** @param {number} beginning */
  async #begin(beginning) {
    const body = new FormData();
    for (const [name, value] of Object.entries({ name: this.#file.name, size: this.#file.size, beginning })) {
      body.set(name, String(value));
    }
    this.#state = await this.#insist(() => this.#ask(this.#options.begin, { method: "POST", body }));
  }

  // Whether what has arrived is the beginning of this file.
  async #isSame() {
    const { received, checksum } = this.#state;
    let found = 0;
    for (let at = 0; at < received; at += BLOCK) {
      await this.#pausedUntil();
      this.#options.tell({ phase: "comparing", done: at, total: received });
      found = crc32(new Uint8Array(await this.#read(at, Math.min(at + BLOCK, received))), found);
    }
    return found === checksum;
  }

  async #sendRest() {
    let refusals = 0;
    while (this.#state.received < this.#file.size) {
      await this.#pausedUntil();
      const { received, checksum } = this.#state;
      this.#options.tell({ phase: "uploading", done: received, total: this.#file.size });
      const bytes = new Uint8Array(await this.#read(received, received + this.#part));
      const after = crc32(bytes, checksum);
      const began = performance.now();
      /** @type {UploadState} */
      let answer;
      try {
        answer = await this.#ask(this.#state.url, {
          method: "POST",
          body: bytes,
          headers: {
            "Content-Type": "application/octet-stream", "Upload-Offset": String(received),
            "Upload-Checksum": String(after),
          },
        });
        refusals = 0;
      } catch (error) {
        if (this.#gone) throw new Stopped("cancelled");
        if (error instanceof Stopped && error.why !== "failed") throw error;
        if (error instanceof Stopped && (refusals += 1) === REFUSALS) throw error;
        this.#part = Math.max(SMALLEST, this.#part / 2);
        answer = await this.#insist(() => this.#ask(this.#state.url));
        if (answer.received > received && answer.checksum !== after) { // another tab has gone on meanwhile
          this.#state = answer;
          if (!await this.#isSame()) throw new Stopped("over");
        }
      }
      this.#state = answer;
      this.#adapt(performance.now() - began);
    }
    this.#options.tell({ phase: "uploading", done: this.#file.size, total: this.#file.size });
  }

  /** @param {number} took */
  #adapt(took) {
    if (took < QUICK) this.#part = Math.min(this.#options.longestPart, this.#part * 2);
    if (took > SLOW) this.#part = Math.max(SMALLEST, this.#part / 2);
  }

  /** @param {number} from @param {number} to */
  async #read(from, to) {
    try {
      return await this.#file.slice(from, to).arrayBuffer();
    } catch {
      throw new Stopped("unreadable");
    }
  }

  async #pausedUntil() {
    while (this.#paused) await this.#paused.until;
    if (this.#gone) throw new Stopped("cancelled");
  }

  // Repeat until there is a connection.
  /** @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
  async #insist(ask) {
    for (let tries = 0; ; tries += 1) {
      await this.#pausedUntil();
      try {
        return await ask();
      } catch (error) {
        if (error instanceof Stopped) throw error;
        if (!this.isPaused) this.#options.tell({ phase: "no-connection" });
      }
      await new Promise((resolve) => { setTimeout(resolve, pause(tries)); });
    }
  }

  // The server's answer as JSON. Throws Stopped if asking again is pointless, else another error.
  /**
   * @param {string} url
   * @param {{ method?: string, body?: BodyInit | null, headers?: Record<string, string> }} [options]
   */
  async #ask(url, { method = "GET", body = null, headers = {} } = {}) {
    this.#abort = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(PATIENCE)]);
    const ours = { Accept: "application/json", "X-Requested-With": "fetch", "X-CSRFToken": token(this.#root) };
    const answer = await fetch(url, { method, body, headers: { ...ours, ...headers }, signal });
    if (isSignedOut(answer)) throw new Stopped("signed-out");
    if (isOver(answer)) throw new Stopped("over");
    if (answer.status === 422) {
      const { reason, message } = await answer.json();
      throw new Stopped(reason === "damaged" ? "failed" : "", message, REFUSED.has(reason) ? "another" : "");
    }
    if (answer.status === 403) throw new Stopped("failed");
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.redirected ? null : answer.json();
  }
}
