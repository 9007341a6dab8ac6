// Outbox: an answer that could not be sent is kept on this device and retried under its idempotency key.
import { pause } from "./fetching.js";
import { clearTimeout, setTimeout } from "./settled.js";
import { isCurrent } from "./unsent.js";
import { answers, drafts, erase, keep, outboxKey } from "./storage.js";
/** @import { Screen } from "./screen.js" */
/** @import { LocalCopy } from "./storage.js" */

const AGAIN = new Set([0, 502, 503, 504]); // worth retrying: no connection, or no server behind the proxy

export class Outbox {
  #screen; #tries = 0;
  /** @type {number | null} */
  #timer = null;

  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
    addEventListener("online", () => { if (this.#timer) this.#send(); }, { signal: screen.signal });
  }

  // The oldest waiting answer for the stage on the screen, as it was submitted. If its page has saved changes since, it
  // is dropped: the person submits those again.
  waiting() {
    const { id: work, stage, form } = this.#screen;
    if (!form) return null;
    /** @param {LocalCopy} options */
    const later = ({ client, seq }) => drafts({ work, stage, client }).find(([, copy]) => copy.seq > seq);
    const found = answers({ work, stage }).filter(([, entry]) => isCurrent(this.#screen, entry));
    for (const [key, entry] of found) if (later(entry)) erase(key);
    return found.filter(([, entry]) => !later(entry)).at(-1)?.[1] ?? null;
  }

  get #key() { return outboxKey(this.#screen.id, this.#screen.form.elements.submission_key.value); }

  // The answer did not arrive: keep it, and retry with exponential backoff. False if retrying is pointless.
  /** @param {number} status */
  hold(status) {
    keep(this.#key, this.#screen.drafts.entry({ submission_key: this.#screen.form.elements.submission_key.value }));
    if (!AGAIN.has(status)) return false;
    this.#tries += 1;
    clearTimeout(this.#timer);
    const wait = pause(this.#tries);
    this.#timer = setTimeout(() => this.#send(), wait);
    return true;
  }

  #send() {
    this.stop();
    this.#screen.commit();
  }

  // It arrived, or was refused in a way that the person sees.
  done() {
    this.stop();
    this.#tries = 0;
    if (this.#screen.form) erase(this.#key);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }
}
