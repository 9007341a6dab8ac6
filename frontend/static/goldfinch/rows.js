// The rows of a form, up to so many ("data-row" with their number), each with a text ("textarea") and what belongs to
// it. One is active; an unused one is shown only while it is. Removing a row moves those below it up, so that the
// numbers have no gap, and undo puts it back at its place.
/** @import { Screen } from "./screen.js" */

/** @typedef {Record<string, any>} Said what stands in a row */
/** @typedef {{ removed: Said, id: number, at: number, waits?: boolean }} Removal */
/**
 * What the stage knows of a row. `left`: the active row is about to be another one, or to be removed (`removed`).
 * `entered`: it has become another one, or says something else.
 * @typedef {{
 *   read(row: HTMLElement): Said, write(row: HTMLElement, said: Said): void, empty: Said,
 *   isUsed(row: HTMLElement): boolean, left?(removed: boolean): void, entered?(row: HTMLElement): void,
 *   redraw(): void,
 * }} RowsOfStage
 */

export class Rows {
  #stage;
  #ids;
  #newest;

  /** @param {Screen} screen @param {RowsOfStage} stage */
  constructor(screen, stage) {
    this.screen = screen;
    this.#stage = stage;
    /** @type {HTMLElement[]} */
    this.all = [...screen.root.querySelectorAll("[data-row]")];
    // Which entry stands in a row: removing one moves those below it.
    this.#ids = new Map(this.all.map((row, id) => [row, id]));
    this.#newest = this.all.length;
    this.active = this.all[0];
    this.#listen();
  }

  /** @param {HTMLElement} row */
  number(row) { return Number(row.dataset.row); }

  /** @param {HTMLElement} row */
  box(row) { return row.querySelector("textarea"); }

  /** @param {HTMLElement} row */
  id(row) { return this.#ids.get(row); }

  /** @param {number} id */
  withId(id) { return this.all.find((row) => this.id(row) === id); }

  draw() {
    for (const row of this.all) {
      row.hidden = row !== this.active && !this.#stage.isUsed(row);
      row.toggleAttribute("data-active", row === this.active);
      if (row === this.active) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
    }
    this.screen.find("[data-add]").hidden = this.all.every((row) => this.#stage.isUsed(row));
  }

  /** @param {HTMLElement} row @param {{ focus?: boolean }} [options] */
  activate(row, { focus = false } = {}) {
    if (row !== this.active) {
      this.#stage.left?.(false);
      this.active = row;
      row.hidden = false;
      this.#stage.entered?.(row);
      this.#stage.redraw();
    }
    if (!focus) return;
    this.screen.panels.showAnswer(); // nothing in a closed sheet can be focused
    this.box(row).focus();
    this.screen.voice.live(this.screen.voice.text("row-now", { at: this.number(row) }));
  }

  add() {
    const free = this.all.find((row) => !this.#stage.isUsed(row));
    if (free) this.activate(free, { focus: true });
    else this.screen.voice.live(this.screen.voice.text("rows-full"));
  }

  /** @param {number} by */
  move(by) {
    const shown = this.all.filter((row) => row === this.active || this.#stage.isUsed(row));
    const next = shown[shown.indexOf(this.active) + by];
    if (next) this.activate(next, { focus: true });
    else if (by > 0) this.add();
  }

  /** @param {HTMLElement} row */
  remove(row) {
    const { isUsed, redraw } = this.#stage;
    this.#stage.left?.(row === this.active);
    if (isUsed(row)) this.#remember({ removed: this.#stage.read(row), id: this.id(row), at: this.all.indexOf(row) });
    this.#newest += 1;
    this.#arrange([...this.all.filter((one) => one !== row).map((one) => this.#entry(one)),
      { id: this.#newest, said: this.#stage.empty }]);
    this.complain();
    this.activate(isUsed(row) ? row : this.all.findLast(isUsed) ?? this.all[0], { focus: true });
    this.screen.voice.live(this.screen.voice.text("row-removed", { at: this.number(row) }));
    redraw();
    this.screen.changed();
  }

  // Put a removed entry back at its place, beside those that are there; an unused row makes room for it.
  /** @param {Removal} removal */
  putBack(removal) {
    if (this.all.every((row) => this.#stage.isUsed(row))) {
      this.screen.steps.push({ ...removal, waits: true });
      this.screen.problem(this.screen.voice.text("rows-no-room"));
      return false;
    }
    const entries = this.all.map((row) => ({ ...this.#entry(row), used: this.#stage.isUsed(row) }));
    entries.splice(removal.at, 0, { id: removal.id, said: removal.removed, used: true });
    entries.splice(entries.findLastIndex(({ used }) => !used), 1);
    this.#arrange(entries);
    this.activate(this.withId(removal.id));
    return true;
  }

  // Say at one row what is wrong with it; without a row, at none.
  /** @param {HTMLElement | null} [row] @param {string} [sentence] */
  complain(row = null, sentence = "") {
    for (const one of this.all) {
      const place = one.querySelector("[data-wrong]");
      place.textContent = one === row ? sentence : "";
      place.hidden = one !== row;
      if (one === row) this.box(one).setAttribute("aria-invalid", "true");
      else this.box(one).removeAttribute("aria-invalid");
    }
  }

  // Show what the server found wrong: at its row, whose number ends the name of the field.
  /** @param {[name: string, message: string][]} problems */
  complainOf(problems) {
    const [name, sentence] = problems.find(([field]) => /_\d$/.test(field)) ?? [];
    if (!name) return false;
    const row = this.all[Number(name.at(-1)) - 1];
    this.activate(row);
    this.complain(row, sentence);
    return true;
  }

  // Only rows that get another entry are written: what is pending in one that stays is kept.
  /** @param {{ id: number, said: Said }[]} entries */
  #arrange(entries) {
    this.all.forEach((row, place) => {
      const { id, said } = entries[place];
      if (this.id(row) === id) return;
      this.#ids.set(row, id);
      this.#stage.write(row, said);
      if (row === this.active) this.#stage.entered?.(row);
    });
  }

  /** @param {HTMLElement} row */
  #entry(row) { return { id: this.id(row), said: this.#stage.read(row) }; }

  // One that found no room to be put back waits for this removal: it comes back first.
  /** @param {Removal} removal */
  #remember(removal) {
    const { steps } = this.screen;
    const last = steps.pop();
    for (const step of last?.waits ? [removal, last] : [last, removal]) if (step) steps.push(step);
  }

  #listen() {
    const { screen } = this;
    const options = { signal: screen.signal };
    for (const row of this.all) {
      row.addEventListener("focusin", (event) => {
        if (!event.target.closest("[data-remove]")) this.activate(row);
      }, options);
      row.addEventListener("click", (event) => {
        if (event.target.closest("[data-remove]")) this.remove(row);
      }, options);
      row.addEventListener("input", () => {
        screen.noProblem();
        this.complain();
        this.#stage.redraw();
      }, options);
    }
    screen.form.addEventListener("keydown", (event) => {
      const by = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by || !event.target.matches("[data-row] textarea")) return;
      event.preventDefault();
      event.stopPropagation();
      this.move(by);
    }, options);
    screen.find("[data-add]").addEventListener("click", () => this.add(), options);
    screen.keys.bind(["Alt+ArrowDown", "Alt+ArrowUp"], (key) => this.move(key === "Alt+ArrowUp" ? -1 : 1), {
      label: screen.voice.text("key-next"), shown: ["Alt+ArrowDown", "Alt+ArrowUp"], repeats: true,
    });
  }
}
