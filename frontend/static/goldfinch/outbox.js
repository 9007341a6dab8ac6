// An answer that could not be sent waits on this device, one for each piece of work, and goes out with the key it had.
import { fieldsOf } from "./drafts.js";
import { erase, kept, keep, outboxKey } from "./storage.js";

const AGAIN = new Set([0, 502, 503, 504]); // no connection, or nobody behind it: worth another try
const LONGEST = 30_000;

export class Outbox {
  #screen; #key; #tries = 0; #timer = null;

  constructor(screen) {
    this.#screen = screen;
    this.#key = outboxKey(screen.id);
    addEventListener("online", () => { if (this.#timer) this.#send(); }, { signal: screen.signal });
  }

  // What waits for the stage on the screen, as it stood when it was to be sent; anything else has been overtaken.
  waiting() {
    const entry = kept(this.#key);
    const { form, stage } = this.#screen;
    if (entry && form && entry.stage === stage && entry.seen === form.elements.seen.value) return entry;
    erase(this.#key);
    return null;
  }

  // It did not arrive: keep it and try again by itself. False where trying again is of no use.
  hold(status) {
    const { form, stage, urls, user } = this.#screen;
    const { seen, submission_key } = form.elements;
    keep(this.#key, { stage, user, url: urls.work, seen: seen.value, key: submission_key.value, fields: fieldsOf(form) });
    if (!AGAIN.has(status)) return false;
    this.#tries += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), Math.min(LONGEST, 1000 * 2 ** this.#tries) * (0.5 + Math.random() / 2));
    return true;
  }

  #send() {
    this.stop();
    this.#screen.commit();
  }

  // It arrived, or was answered by a refusal that the person sees.
  done() {
    this.stop();
    this.#tries = 0;
    erase(this.#key);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }
}
