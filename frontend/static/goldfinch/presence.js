// How long a page was visible, and for how much of that there was input: of this the time of work is made.

const LASTS = 5000; // an input counts for this long; the frame, too, tells of its own every five seconds only
const WATCHED = 600_000; // nobody is there any more

export class Presence {
  #since = null; #until = -Infinity; #last = performance.now(); #visible = 0; #active = 0;

  constructor(signal) {
    document.addEventListener("visibilitychange", () => this.#count(), { signal, capture: true });
    this.#count();
  }

  // A pointer, a key, touch or the wheel; moving the mouse alone is reading.
  input() {
    this.#count();
    this.#last = performance.now();
    this.#until = this.#last + LASTS;
  }

  get watched() { return !document.hidden && performance.now() - this.#last < WATCHED; }

  #count() {
    const now = performance.now();
    if (this.#since !== null) {
      this.#visible += now - this.#since;
      this.#active += Math.max(0, Math.min(now, this.#until) - this.#since);
    }
    this.#since = document.hidden ? null : now;
  }

  // The milliseconds that have come together, once they are as many as `least`; null before.
  take(least = 1) {
    this.#count();
    if (this.#visible < least) return null;
    const taken = { ms: Math.round(this.#visible), active: Math.round(this.#active) };
    this.#visible = this.#active = 0;
    return taken;
  }
}
