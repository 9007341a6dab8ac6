// Trace lines for focus and connection: one when either is lost, and one when it is back.
import { setTimeout } from "./settled.js";
/** @import { Note } from "./traces.js" */

export class FocusTraces {
  #note;
  /** @type {number | null} */
  #away = null;
  /** @type {number | null} */
  #cut = null;

  /** @param {Note} note @param {AbortSignal} signal */
  constructor(note, signal) {
    this.#note = note;
    const options = { signal, capture: true };
    document.addEventListener("visibilitychange", () => this.#look(document.hidden ? "hidden" : ""), options);
    // Focus in a frame still counts as this page.
    const left = () => setTimeout(() => { if (!document.hasFocus()) this.#look("window"); });
    addEventListener("blur", left, { signal });
    document.addEventListener("goldfinch:left", left, { signal });
    addEventListener("focus", () => this.#look(""), { signal });
    addEventListener("offline", () => this.connected(false), { signal });
    addEventListener("online", () => this.connected(true), { signal });
  }

  // Input means that the person is here, even if a focus event was missed.
  here() { if (!document.hidden) this.#look(""); }

  /** @param {string} why */
  #look(why) {
    if (why && this.#away === null) {
      this.#away = performance.now();
      this.#note("focus_lost", { by: why });
    } else if (!why && this.#away !== null) {
      this.#note("focus_gained", { ms: Math.round(performance.now() - this.#away) });
      this.#away = null;
    }
  }

  /** @param {boolean} up */
  connected(up) {
    if (!up && this.#cut === null) {
      this.#cut = performance.now();
      this.#note("connection_lost");
    } else if (up && this.#cut !== null) {
      this.#note("connection_restored", { ms: Math.round(performance.now() - this.#cut) });
      this.#cut = null;
    }
  }
}
