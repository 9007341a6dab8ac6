// An answer that could not be sent waits on this device and goes out with the key it had, unless it was overtaken.
import { goesOn } from "./kept.js";
import { answers, drafts, erase, keep, outboxKey } from "./storage.js";

const AGAIN = new Set([0, 502, 503, 504]); // no connection, or nobody behind it: worth another try
const LONGEST = 30_000;

export class Outbox {
  #screen; #tries = 0; #timer = null;

  constructor(screen) {
    this.#screen = screen;
    addEventListener("online", () => { if (this.#timer) this.#send(); }, { signal: screen.signal });
  }

  // What waits for the stage on the screen, as it stood when it was to be sent: the oldest. What was changed on its own
  // page after it was to be sent, the person sends anew.
  waiting() {
    const { id: work, stage, form } = this.#screen;
    if (!form) return null;
    const later = ({ client, seq }) => drafts({ work, stage, client }).find(([, copy]) => copy.seq > seq);
    const found = answers({ work, stage }).filter(([, entry]) => goesOn(this.#screen, entry));
    for (const [key, entry] of found) if (later(entry)) erase(key);
    return found.filter(([, entry]) => !later(entry)).at(-1)?.[1] ?? null;
  }

  get #key() { return outboxKey(this.#screen.id, this.#screen.form.elements.submission_key.value); }

  // It did not arrive: keep it and try again by itself. False where trying again is of no use.
  hold(status) {
    keep(this.#key, this.#screen.drafts.entry({ submission_key: this.#screen.form.elements.submission_key.value }));
    if (!AGAIN.has(status)) return false;
    this.#tries += 1;
    clearTimeout(this.#timer);
    const wait = Math.min(LONGEST, 1000 * 2 ** this.#tries) * (0.5 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#send(), wait);
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
    if (this.#screen.form) erase(this.#key);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }
}
