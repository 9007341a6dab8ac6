// Advice that never stops anybody: shown while it holds, turned down by its button; what came of it is noted.

export class Advice {
  #known = new Map(); // kind -> "" while it is shown, then what came of it

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

  // Whether there is reason for a kind of advice now.
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

  // What came of all that is shown: "sent" as it is, or "back" to where it can be followed.
  answered(answer) {
    for (const [kind, known] of this.#known) if (known === "") this.#answer(kind, answer);
  }

  #answer(kind, answer) {
    this.#known.set(kind, answer);
    this.screen.note("advice_answered", { kind, answer });
  }

  #draw(kind) { this.screen.find(`[data-advice="${kind}"]`).hidden = this.#known.get(kind) !== ""; }
}
