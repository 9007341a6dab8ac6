// Non-blocking advice: shown while it applies, dismissed by its button; the outcome goes to the traces.
/** @import { Screen } from "./screen.js" */

export class Advice {
  #known = new Map(); // kind -> "" while it is shown, then the outcome

  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    for (const button of screen.root.querySelectorAll("[data-advice-keep]")) {
      button.addEventListener("click", () => {
        this.#answer(button.dataset.adviceKeep, "kept");
        this.#draw(button.dataset.adviceKeep);
        screen.form.querySelector("[type=submit]").focus();
      }, { signal: screen.signal });
    }
  }

  // Show or hide a kind of advice, depending on whether it applies `now`.
  /** @param {string} kind @param {boolean} now */
  holds(kind, now) {
    const known = this.#known.get(kind);
    if (now && known === undefined) {
      this.#known.set(kind, "");
      this.screen.note("advice_shown", { kind });
    } else if (!now && known !== undefined) {
      if (known === "") this.#answer(kind, "changed");
      this.#known.delete(kind);
    }
    this.#draw(kind);
  }

  // The person does what the advice says, by its other button.
  /** @param {string} kind */
  follow(kind) {
    this.#answer(kind, "followed");
    this.#draw(kind);
  }

  // Record the outcome of all advice shown: "sent" (ignored), or "back" (the person went back to follow it).
  /** @param {string} answer */
  answered(answer) {
    for (const [kind, known] of this.#known) if (known === "") this.#answer(kind, answer);
  }

  /** @param {string} kind @param {string} answer */
  #answer(kind, answer) {
    this.#known.set(kind, answer);
    this.screen.note("advice_answered", { kind, answer });
  }

  /** @param {string} kind */
  #draw(kind) { this.screen.find(`[data-advice="${kind}"]`).hidden = this.#known.get(kind) !== ""; }
}
