// Several exhibits on one screen, each with its own marks: keys mark the one in focus and lead to the next.
import { Checks } from "./checks.js";
import { leaveHidden } from "./hidden_focus.js";
/** @import { Screen } from "./screen.js" */

const PHONE = "(max-width: 60rem)";

/** @param {HTMLInputElement} radio */
const titleOf = (radio) => {
  const words = radio.closest("label").querySelector("span");
  return (words.querySelector("b") ?? words).textContent.trim();
};
/** @param {HTMLInputElement} radio */
const keyOf = (radio) => radio.closest("label").querySelector("kbd")?.textContent.trim().toLowerCase();
/** @param {Element} there */
const isHidden = (there) => Boolean(there.closest("[data-shown-for][hidden]"));
/** @param {Element} there @returns {NodeListOf<HTMLInputElement>} */
const radiosIn = (there) => there.querySelectorAll("input[type=radio]");

/** @param {Screen} screen @param {{ _view?: { candidate?: number } }} draft */
export function start(screen, draft) {
  if (!screen.form) return null;
  const stage = new Candidates(screen, draft?._view?.candidate);
  return { undo: () => stage.undo(), ready: () => stage.ready(), view: () => ({ candidate: stage.at }) };
}

class Candidates {
  #screen; #checks;
  /** @type {HTMLFieldSetElement[]} */
  #all;
  /** @type {boolean[]} */
  #before = []; // what was chosen before the change that is heard

  /** @param {Screen} screen @param {number} [at] */
  constructor(screen, at = 0) {
    this.#screen = screen;
    this.#all = [...screen.form.querySelectorAll("fieldset[data-candidate]")];
    this.at = 0;
    for (const [number, one] of this.#all.entries()) this.#listen(one, number);
    this.#bindKeys();
    const remember = () => this.#remember();
    this.#checks = new Checks(screen, { remember, within: () => this.#now });
    screen.find("[data-definitions]")?.toggleAttribute("open", !matchMedia(PHONE).matches);
    this.#draw();
    this.#come(at < this.#all.length ? at : 0);
  }

  /** @param {HTMLFieldSetElement} one @param {number} number */
  #listen(one, number) {
    const { signal } = this.#screen;
    for (const type of ["focusin", "pointerdown"]) one.addEventListener(type, () => this.#come(number), { signal });
    one.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.type !== "radio" || target.closest("[data-check]")) return;
      this.#screen.steps.push({ chosen: this.#before });
      this.#settle();
    }, { signal });
  }

  #bindKeys() {
    const { keys, form } = this.#screen;
    const { sayDown, sayUp, sayComment } = form.dataset;
    const bound = new Map([...radiosIn(form)].map((radio) => [keyOf(radio), titleOf(radio)]));
    for (const [key, title] of bound) if (key) keys.bind(key, () => this.#press(key), { label: title });
    keys.bind("ArrowDown", () => this.#go(this.at + 1), { label: sayDown, repeats: true });
    keys.bind("ArrowUp", () => this.#go(this.at - 1), { label: sayUp, repeats: true });
    keys.bind("c", () => this.#now.querySelector("[data-comment]").focus(), { label: sayComment });
    for (const link of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("a[data-key]"))) {
      keys.bind(link.dataset.key, () => link.click(), { label: link.dataset.keyLabel });
    }
  }

  // A check was answered: what had been chosen before is kept.
  #remember() {
    this.#screen.steps.push({ chosen: this.#before });
    this.#before = this.#chosen;
  }

  get #now() { return this.#all[this.at]; }

  // This one is meant by the keys from now on.
  /** @param {number} number */
  #come(number) {
    this.at = number;
    for (const [at, one] of this.#all.entries()) one.toggleAttribute("data-now", at === number);
  }

  /** @param {number} number */
  #go(number) {
    if (number < 0 || number >= this.#all.length) return;
    this.#come(number);
    this.#now.focus({ preventScroll: true });
    this.#now.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} key */
  #press(key) {
    const radio = [...radiosIn(this.#now)].find((each) => keyOf(each) === key && !isHidden(each));
    if (!radio) return;
    if (!radio.checked) {
      this.#screen.steps.push({ chosen: this.#chosen });
      radio.checked = true;
      this.#settle();
    }
    const missing = this.#missing(this.#now);
    const all = this.#all.every((one) => !this.#missing(one)) ? this.#screen.form.dataset.sayAll : "";
    const said = [`${this.#now.dataset.candidate}: ${titleOf(radio)}`, missing || all].filter(Boolean);
    this.#screen.voice.live(said.join(". "));
    if (!missing) this.#go(this.at + 1);
  }

  // What has to be chosen there before it can be sent, "" if nothing.
  /** @param {HTMLElement} one */
  #missing(one) {
    const groups = /** @type {HTMLElement[]} */ ([...one.querySelectorAll("[data-choices]")]);
    const open = groups.find((group) => !isHidden(group) && !group.querySelector(":checked"));
    return open?.dataset.missing ?? "";
  }

  get #chosen() { return [...radiosIn(this.#screen.form)].map((radio) => radio.checked); }

  #settle() {
    this.#screen.noProblem();
    this.#draw();
    this.#screen.changed();
  }

  #draw() {
    for (const one of this.#all) this.#drawParts(one);
    leaveHidden(this.#now);
    const done = this.#all.filter((one) => !this.#missing(one));
    for (const one of this.#all) one.toggleAttribute("data-marked", done.includes(one));
    const place = this.#screen.find("[data-summary]");
    place.textContent = done.length ? `${done.length} / ${this.#all.length}` : place.dataset.open;
    this.#before = this.#chosen;
  }

  // The parts of the mark that is chosen; a choice among others is none.
  /** @param {HTMLElement} one */
  #drawParts(one) {
    const marks = [...radiosIn(one)].filter((radio) => !radio.closest("[data-shown-for], [data-check]"));
    const mark = marks.find((radio) => radio.checked)?.value;
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (one.querySelectorAll("[data-shown-for]"))) {
      part.hidden = part.dataset.shownFor !== mark;
      if (part.hidden) for (const radio of radiosIn(part)) radio.checked = false;
    }
  }

  // Whether checks that count have both of their numbers.
  #areCounted() {
    const { wrong } = this.#checks;
    if (!wrong) return true;
    const at = this.#all.findIndex((one) => one.contains(wrong.row));
    this.#screen.problem(`${this.#all[at].dataset.candidate}: ${wrong.why}`);
    this.#go(at);
    return false;
  }

  undo() {
    const last = this.#screen.steps.pop();
    if (!last) return;
    const radios = [...radiosIn(this.#screen.form)];
    const changed = radios.find((radio, at) => radio.checked !== last.chosen[at]);
    for (const [at, radio] of radios.entries()) radio.checked = last.chosen[at];
    this.#screen.voice.live(this.#screen.voice.text("undone"));
    this.#draw();
    this.#screen.changed();
    if (changed) this.#go(this.#all.findIndex((one) => one.contains(changed)));
  }

  ready() {
    const at = this.#all.findIndex((one) => this.#missing(one));
    if (at < 0) return this.#areCounted();
    this.#screen.problem(`${this.#all[at].dataset.candidate}: ${this.#missing(this.#all[at])}`);
    this.#go(at);
    return false;
  }
}
