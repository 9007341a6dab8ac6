// The steps that U or the button "Undo" takes back, newest last. Each is whatever the stage needs to restore. What was
// typed or ticked since a step is nobody's to undo: a stage asks `isEdited` before it restores such a field.

/** @typedef {any} Step */
/** @typedef {Set<string>} Names the fields edited by hand since a step */

export class Steps {
  /** @type {{ step: Step, edited: Names }[]} */
  #steps = [];
  /** @type {Names} */
  #editedSinceLast = new Set();
  #button;

  /** @param {HTMLElement | null} button */
  constructor(button) {
    this.#button = button;
    this.#draw();
  }

  /** @param {Step} step */
  push(step) {
    this.#steps.push({ step, edited: new Set() });
    this.#draw();
  }

  // Somebody has edited this field, after every step so far.
  /** @param {string} name */
  edited(name) { for (const { edited } of this.#steps) edited.add(name); }

  // Whether this field was edited after the step that was taken out last.
  /** @param {string} name */
  isEdited(name) { return this.#editedSinceLast.has(name); }

  // The last step, undefined if there is none.
  pop() {
    const last = this.#steps.pop();
    this.#editedSinceLast = last?.edited ?? new Set();
    this.#draw();
    return last?.step;
  }

  // Not `disabled`: the button would lose the focus with the last step.
  #draw() { this.#button?.setAttribute("aria-disabled", !this.#steps.length); }
}
