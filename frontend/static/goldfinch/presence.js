// Measures how long the page was visible, and how much of that had input: working time is computed from these.

const LASTS = 5000; // ms that an input counts; the frame reports its input only every five seconds, too
const WATCHED = 600_000; // without input for this long, nobody is there

export class Presence {
  /** @type {number | null} */
  #since = null;
  #until = -Infinity; #last = performance.now(); #visible = 0; #active = 0; #lasts;

  /** @param {AbortSignal} signal @param {number} [lasts] */
  constructor(signal, lasts = LASTS) {
    this.#lasts = lasts;
    document.addEventListener("visibilitychange", () => this.#count(), { signal, capture: true });
    this.#count();
  }

  // Pointer, key, touch or wheel; moving the mouse alone counts as reading.
  input() {
    this.#count();
    this.#last = performance.now();
    this.#until = this.#last + this.#lasts;
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

  // The milliseconds since the last call, or null if fewer than `least`.
  take(least = 1) {
    this.#count();
    if (this.#visible < least) return null;
    const taken = { ms: Math.round(this.#visible), active: Math.round(this.#active) };
    this.#visible = this.#active = 0;
    return taken;
  }
}
