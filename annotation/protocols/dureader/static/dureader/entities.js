// The entities of an answer: a field with one on each line, which the script shows as chips, with a field for another
// and a button that takes the words selected in the answer. Words are never cut inside a character.
import { make, icon } from "../goldfinch/say.js";
import { isSaidIn, wholeCharacters } from "./selected.js";
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { Advice } from "../goldfinch/advice.js" */

export class Entities {
  /**
   * @param {Screen} screen @param {HTMLElement} row
   * @param {{ advice: Advice, remember(): void, redraw(): void }} options
   */
  constructor(screen, row, { advice, remember, redraw }) {
    this.screen = screen;
    this.row = row;
    this.advice = advice;
    this.remember = remember;
    this.redraw = redraw;
    /** @type {HTMLTextAreaElement} */
    this.lines = row.querySelector("[data-entity-lines]");
    /** @type {HTMLInputElement} */
    this.input = row.querySelector("[data-entity]");
    this.list = row.querySelector("[data-entities]");
    this.lines.hidden = true;
    row.querySelector("[data-entity-tools]").hidden = false;
    /** @type {HTMLLabelElement} */
    const label = row.querySelector("[data-entities-label]");
    label.htmlFor = this.input.id = `entity-${row.dataset.row}`;
    label.textContent = screen.voice.text("entities-label");
    const options = { signal: screen.signal };
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#add(this.input.value);
    }, options);
    row.querySelector("[data-entity-add]").addEventListener("click", () => this.#add(this.input.value), options);
    const pick = row.querySelector("[data-entity-pick]");
    // Pressing the button must not take the selection from the answer.
    pick.addEventListener("pointerdown", (event) => event.preventDefault(), options);
    pick.addEventListener("click", () => {
      const { value, selectionStart: start, selectionEnd: end } = row.querySelector("textarea");
      this.#add(wholeCharacters(value, start, end));
    }, options);
  }

  get names() { return this.lines.value.split("\n").map((line) => line.trim()).filter(Boolean); }

  // The text in the field for another one, which was not added yet.
  get pending() { return this.input.value.trim(); }

  // Add what is typed, as sending does.
  takePending() { if (this.pending) this.#add(this.input.value); }

  draw() {
    const { voice } = this.screen;
    const { names } = this;
    this.list.hidden = !names.length;
    this.list.replaceChildren(...names.map((name, place) => {
      const what = voice.text("entity-remove", { what: name });
      const button = { class: "btn btn-link btn-sm btn-icon", type: "button", "aria-label": what };
      const remove = make("button", button, icon("x"));
      remove.addEventListener("click", () => this.#remove(place));
      return make("li", { class: "chip" }, make("q", { dir: "auto" }, name), remove);
    }));
    const text = this.row.querySelector("textarea").value;
    const absent = text.trim() ? names.find((name) => !isSaidIn(text, name)) ?? "" : "";
    this.row.querySelector("[data-absent]").textContent = absent;
    this.advice.holds(`absent-${this.row.dataset.row}`, Boolean(absent));
  }

  /** @param {string} text */
  #add(text) {
    const { voice } = this.screen;
    const name = text.trim().replace(/\s+/gu, " ");
    const has = this.names.includes(name);
    if (!name || has) {
      this.screen.problem(name ? voice.text("entity-twice", { what: name }) : voice.text("entity-none"));
      if (has) this.input.value = "";
      this.input.focus();
      return;
    }
    this.remember();
    this.lines.value = [...this.names, name].join("\n");
    this.input.value = "";
    voice.live(voice.text("entity-added", { what: name }));
    this.#changed();
  }

  /** @param {number} place */
  #remove(place) {
    this.remember();
    const { names } = this;
    const [gone] = names.splice(place, 1);
    this.lines.value = names.join("\n");
    this.screen.voice.live(this.screen.voice.text("entity-removed", { what: gone }));
    this.#changed();
    this.input.focus();
  }

  #changed() {
    this.screen.noProblem();
    this.redraw();
    this.screen.changed();
  }
}
