// The steps that U or the button "Undo" takes back, newest last. Each is whatever the stage needs to restore.

/** @typedef {any} Step */

export class Steps {
  /** @type {Step[]} */
  #steps = [];
  #button;

  /** @param {HTMLElement | null} button */
  constructor(button) {
    this.#button = button;
    this.#draw();
  }

  /** @param {Step} step */
  push(step) {
    this.#steps.push(step);
    this.#draw();
  }

  // The last step, undefined if there is none.
  pop() {
    const step = this.#steps.pop();
    this.#draw();
    return step;
  }

  // Not `disabled`: the button would lose the focus with the last step.
  #draw() { this.#button?.setAttribute("aria-disabled", !this.#steps.length); }
}
