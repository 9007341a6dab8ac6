// A stage that needs no script of its own: choices have keys, words of the text are marked, parts that belong to
// another choice are hidden, a partner is followed. docs/protocols.md, "The page kit", says what templates write.
import { lower } from "./bottom_sheet.js";
import { Checks } from "./checks.js";
import { leaveHidden } from "./hidden_focus.js";
import { paint } from "./highlights.js";
import { SpanPicker } from "./spans/picker.js";
import { follow } from "./talk.js";
/** @import { Screen } from "./screen.js" */

/** @param {HTMLInputElement} radio */
const titleOf = (radio) => {
  const words = radio.closest("label").querySelector("span");
  return (words.querySelector("b") ?? words).textContent.trim();
};
/** @param {HTMLInputElement} radio */
const keyOf = (radio) => radio.closest("label").querySelector("kbd")?.textContent.trim().toLowerCase();

/** @param {Element} there */
const isHidden = (there) => Boolean(there.closest("[data-shown-for][hidden]"));

/** @param {Screen} screen */
export function start(screen) {
  if (screen.find("[data-turns]")) follow(screen);
  if (!screen.form) return null;
  const stage = new PlainStage(screen);
  return { undo: () => stage.undo(), escape: () => stage.escape(), ready: () => stage.ready() };
}

class PlainStage {
  #screen; #groups; #picker; #part; #checks;
  /** @type {string[]} */
  #before = []; // what was chosen before the change that is heard

  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
    const groups = [...screen.form.querySelectorAll("[data-choices]")];
    this.#groups = groups.map((group) => [...group.querySelectorAll("input[type=radio]")]);
    this.#part = screen.form.querySelector("[data-marks]");
    this.#picker = this.#part ? this.#picking() : null;
    for (const radio of this.#groups.flat()) this.#listen(radio);
    this.#checks = new Checks(screen, { remember: (checks) => screen.steps.push({ ...this.#state(), checks }) });
    this.#bindKeys();
    this.#draw();
  }

  #picking() {
    const { marks: name, most } = this.#part.dataset;
    return new SpanPicker(this.#screen, {
      name,
      most: Number(most) || Infinity,
      remember: () => this.#remember(),
      redraw: ({ changed }) => {
        this.#draw();
        if (changed) this.#screen.changed();
      },
      enter: () => { this.#chooseMarking(); return true; },
      selecting: () => this.#chooseMarking(),
      bring: () => lower(this.#screen),
    });
  }

  /** @param {HTMLInputElement} radio */
  #listen(radio) {
    radio.addEventListener("change", () => {
      this.#screen.steps.push({ ...this.#state(), chosen: this.#before });
      this.#settle();
    }, { signal: this.#screen.signal });
    const key = keyOf(radio);
    if (!key || (this.#picker && key === "s")) return; // S marks words, and chooses what they are for
    const part = radio.closest("[data-shown-for]")?.querySelector("legend")?.textContent.trim();
    const label = part ? `${part}: ${titleOf(radio)}` : titleOf(radio);
    this.#screen.keys.bind(key, () => this.#press(key), { label });
  }

  // Parts of several choices may have the same key: the one that is there now is meant.
  /** @param {string} key */
  #press(key) {
    const radio = this.#groups.flat().find((each) => keyOf(each) === key && !isHidden(each));
    if (!radio) return;
    this.#choose(radio);
    this.#screen.voice.live([titleOf(radio), this.#asked(radio)].filter(Boolean).join(". "));
  }

  // What has to be chosen among the parts of this choice, if it has any and none is chosen.
  /** @param {HTMLInputElement} radio */
  #asked(radio) {
    const parts = this.#parts.filter((each) => each.dataset.choices);
    const part = parts.find((each) => each.dataset.shownFor.split(" ").includes(radio.value));
    return part && !part.querySelector(":checked") ? part.dataset.missing : "";
  }

  // Fields that a key leads to, and links that a key follows.
  #bindKeys() {
    const { keys, root } = this.#screen;
    for (const there of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-key]"))) {
      const follow = there.matches("a") ? () => there.click() : () => there.focus();
      keys.bind(there.dataset.key, follow, { label: there.dataset.keyLabel });
    }
  }

  // Words are about to be marked: the choice that they belong to is meant.
  #chooseMarking() {
    const value = this.#part.dataset.shownFor;
    const radio = this.#groups.flat().find((each) => each.value === value);
    if (radio) this.#choose(radio);
  }

  /** @param {HTMLInputElement} radio */
  #choose(radio) {
    if (radio.checked) return;
    this.#remember();
    radio.checked = true;
    this.#settle();
  }

  // What is there only for one choice.
  /** @returns {HTMLElement[]} */
  get #parts() { return [...this.#screen.form.querySelectorAll("[data-shown-for]")]; }

  #remember() { this.#screen.steps.push(this.#state()); }

  get #chosen() { return this.#groups.map((radios) => radios.find((radio) => radio.checked)?.value ?? ""); }
  #state() { return { chosen: this.#chosen, spans: this.#picker?.spans.state, checks: this.#checks.state }; }

  #settle() {
    if (this.#picker && this.#part.dataset.shownFor && !this.#shown(this.#part)) {
      if (this.#picker.selecting.on) this.#picker.selecting.leave();
      this.#picker.spans.drop();
    }
    this.#screen.noProblem();
    this.#draw();
    this.#screen.changed();
  }

  /** @param {HTMLElement} part */
  #shown(part) {
    const wanted = part.dataset.shownFor.split(" ");
    const chosen = this.#groups.flat().filter((radio) => radio.checked);
    return chosen.length ? chosen.some((radio) => wanted.includes(radio.value)) : part === this.#part;
  }

  #draw() {
    this.#picker?.draw();
    for (const part of this.#parts) {
      const comes = part.hidden && this.#shown(part);
      part.hidden = !this.#shown(part);
      if (comes && part.dataset.choices) part.scrollIntoView({ block: "nearest" });
    }
    // A choice within a part that is hidden now is none.
    for (const radio of this.#groups.flat()) if (isHidden(radio)) radio.checked = false;
    // Marked words are kept for a change of mind, but they are not the answer now.
    if (this.#picker && this.#part.hidden) paint("span", []);
    leaveHidden(this.#screen.find("#material"));
    this.#summarise();
    this.#before = this.#chosen;
  }

  #summarise() {
    const place = this.#screen.find("[data-summary]");
    if (!place) return;
    place.dataset.open ??= place.textContent.trim();
    const spans = this.#picker && !this.#part.hidden ? this.#picker.spans.list : [];
    const words = spans.map((span) => this.#picker.spans.quote(span)).join(" · ");
    const checked = this.#groups.flat().filter((radio) => radio.checked);
    const chosen = checked.find((radio) => radio.value !== this.#part?.dataset.shownFor);
    const its = checked.find((radio) => radio !== chosen && radio.closest("[data-shown-for]"));
    place.textContent = words || (chosen ? [chosen, its].filter(Boolean).map(titleOf).join(" · ") : place.dataset.open);
  }

  undo() {
    const last = this.#screen.steps.pop();
    if (!last) return;
    for (const [at, radios] of this.#groups.entries()) {
      for (const radio of radios) radio.checked = radio.value === last.chosen[at];
    }
    if (this.#picker) this.#picker.spans.state = last.spans;
    this.#checks.state = last.checks;
    this.#screen.voice.live(this.#screen.voice.text("undone"));
    this.#draw();
    this.#screen.changed();
  }

  escape() { return this.#picker?.escape() ?? false; }

  // Words that are pending, a choice that was not made, and a part without the words that it needs are said at once;
  // everything else by the form.
  ready() {
    for (const radios of this.#groups) {
      const { missing } = radios[0].closest("[data-choices]").dataset;
      if (!missing || radios.some((radio) => radio.checked) || isHidden(radios[0])) continue;
      if (this.#picker && !this.#picker.isEmpty && !this.#part.hidden) continue;
      this.#screen.problem(missing);
      return false;
    }
    const { wrong } = this.#checks;
    if (wrong) { this.#screen.problem(wrong.why); return false; }
    if (!this.#picker || this.#part.hidden) return true;
    if (!this.#picker.ready()) return false;
    const { missing } = this.#part.dataset;
    if (missing && this.#picker.isEmpty) this.#screen.problem(missing);
    return !missing || !this.#picker.isEmpty;
  }
}
