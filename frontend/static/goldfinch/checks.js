// Checks beside a mark: each is yes, no or open, which its key goes through in turn, or how many of how many.
/** @import { Screen } from "./screen.js" */

/** @param {HTMLInputElement} radio */
const wordOf = (radio) => radio.closest("label").querySelector("span:not([aria-hidden])").textContent.trim();
/** @param {HTMLElement} row */
const titleOf = (row) => row.querySelector("[data-check-title]").textContent.trim();
/** @param {HTMLElement} row */
const keyOf = (row) => row.dataset.check || row.dataset.count;

export class Checks {
  #screen; #rows; #counts; #remember;
  /** @type {string[]} */
  #before;

  // `remember` keeps a step to take back, whose part of the checks is `state`; keys are of the checks `within`.
  /** @param {Screen} screen
   * @param {{ remember: (checks: string[]) => void, within?: () => HTMLElement }} options */
  constructor(screen, { remember, within = () => screen.form }) {
    this.#screen = screen;
    this.#remember = remember;
    this.#rows = [...screen.form.querySelectorAll("[data-check]")];
    this.#counts = [...screen.form.querySelectorAll("[data-count]")];
    this.#before = this.state;
    for (const row of this.#rows) row.addEventListener("change", () => this.#changed(), { signal: screen.signal });
    const titles = new Map([...this.#rows, ...this.#counts].map((row) => [keyOf(row), titleOf(row)]));
    for (const [key, label] of titles) {
      if (key) screen.keys.bind(key, () => this.#press(within(), key), { label });
    }
  }

  #changed() {
    this.#remember(this.#before);
    this.#before = this.state;
  }

  /** @param {HTMLElement} place @param {string} key */
  #press(place, key) {
    const row = place.querySelector(`[data-check="${key}"]`);
    if (!row) { place.querySelector(`[data-count="${key}"] input`)?.focus(); return; }
    this.#next(row);
    this.#changed();
    this.#screen.changed();
  }

  // What each check is answered by, "" if it is open.
  get state() { return this.#rows.map((row) => row.querySelector("input:checked")?.value ?? ""); }

  set state(values) {
    for (const [at, row] of this.#rows.entries()) {
      for (const radio of row.querySelectorAll("input")) radio.checked = radio.value === values[at];
    }
    this.#before = this.state;
  }

  // After no, open comes again.
  /** @param {HTMLElement} row */
  #next(row) {
    const radios = [...row.querySelectorAll("input")];
    const open = radios.findIndex((radio) => !radio.value);
    const at = radios.findIndex((radio) => radio.checked);
    const next = radios[((at < 0 ? open : at) + 1) % radios.length];
    next.checked = true;
    this.#screen.voice.live(`${titleOf(row)}: ${wordOf(next)}`);
  }

  // The first check whose numbers are wrong, and why.
  get wrong() {
    for (const row of this.#counts) {
      const [n, m] = [...row.querySelectorAll("input")].map(({ value }) => value.trim());
      if (Boolean(n) !== Boolean(m)) return { row, why: row.dataset.missing };
      if (Number(n) > Number(m)) return { row, why: row.dataset.tooMany };
    }
    return null;
  }
}
