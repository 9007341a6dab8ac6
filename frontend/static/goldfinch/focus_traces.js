// Trace lines for focus and connection: one when either is lost, and one when it is back.

export class FocusTraces {
  #note; #away = null; #cut = null;

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

  #look(why) {
    if (why && this.#away === null) {
      this.#away = performance.now();
      this.#note("focus_lost", { by: why });
    } else if (!why && this.#away !== null) {
      this.#note("focus_gained", { ms: Math.round(performance.now() - this.#away) });
      this.#away = null;
    }
  }

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
