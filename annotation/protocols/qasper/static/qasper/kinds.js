// The kind of answer, exactly one, and its fields. Changing it asks for confirmation if something would be lost.
import { leaveHidden } from "../goldfinch/hidden_focus.js";
import { lengthOf, saysSomething } from "../goldfinch/spans/words.js";
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { TextSpans } from "../goldfinch/spans/text_spans.js" */
/** @import { Evidence } from "./evidence.js" */

const MOST = 60;

export class Kinds {
  kind = "";
  #shown = ""; // Yes or No, as it was last drawn
  #confirmed = () => {}; // what the open dialog asks about

  /**
   * @param {Screen} screen
   * @param {{ evidence: Evidence, spans: TextSpans, remember: () => void,
   *   draw: (how?: { changed?: boolean }) => void }} options
   */
  constructor(screen, { evidence, spans, remember, draw }) {
    this.screen = screen;
    this.voice = screen.voice;
    this.evidence = evidence;
    this.spans = spans;
    this.remember = remember;
    this.redraw = draw;
    this.fields = screen.form.elements;
    this.kind = this.fields.namedItem("kind").value;
    const options = { signal: screen.signal };
    screen.form.addEventListener("change", (event) => {
      if (event.target.name === "kind") this.choose(event.target.value, { write: this.#isPointed() });
      else if (event.target.name === "value") this.#clicked(event.target.value);
      else if (event.target.name === "by_absence") { screen.noProblem(); draw(); }
    }, options);
    screen.form.addEventListener("input", (event) => {
      if (event.target.name !== "text") return;
      screen.noProblem();
      this.draw();
    }, options);
    this.dialog = screen.find("dialog#switch");
    this.dialog.querySelector("[data-switch-yes]").addEventListener("click", () => {
      this.dialog.close();
      this.#confirmed();
    }, options);
  }

  get #value() { return this.fields.namedItem("value").value; }

  get #text() { return this.fields.namedItem("text").value; }

  // A description of what choosing another kind would clear.
  /** @param {string} kind */
  #losses(kind) {
    /** @param {string} key @param {number} [n] */
    const say = (key, n) => this.voice.text(key, n === undefined ? {} : { n });
    const [spans, units] = [this.spans.list.length + (this.spans.pending ? 1 : 0), this.evidence.units.length];
    return [
      kind !== "extractive" && spans ? say("what-spans", spans) : "",
      kind !== "yes_no" && this.#value ? say("what-value") : "",
      kind !== "abstractive" && this.#text.trim() ? say("what-text") : "",
      kind === "unanswerable" && units ? say("what-evidence", units) : "",
    ].filter(Boolean);
  }

  // Only No without evidence can be because the paper does not mention it; elsewhere that box is hidden, and not sent.
  get #mayBeAbsent() { return this.kind === "yes_no" && this.#value === "no" && !this.evidence.units.length; }

  // Arrow keys move through the kinds of answer, so they must not move the focus out of them.
  #isPointed() { return this.screen.traces?.method !== "keyboard"; }

  // False if the person has to confirm first. `write`: put the caret in the field of their own words; `then` runs once
  // the kind is chosen.
  /** @param {string} kind @param {{ write?: boolean, then?: () => void }} [options] */
  choose(kind, { write = true, then = () => {} } = {}) {
    const chosen = () => {
      then();
      if (write && kind === "abstractive") this.fields.namedItem("text").focus();
    };
    if (kind === this.kind) { chosen(); return true; }
    const change = () => { this.#change(kind); chosen(); };
    const losses = this.#losses(kind);
    if (!losses.length) { change(); return true; }
    const list = new Intl.ListFormat(document.documentElement.lang || "en").format(losses);
    const title = this.voice.text("switch", { kind: this.voice.text(`kind-${kind}`) });
    this.#confirm(title, this.voice.text("clears", { what: list }), this.voice.text("switch-yes"), change);
    return false;
  }

  // Evidence contradicts "unanswerable": ask before that answer is given up.
  /** @param {() => void} then */
  giveUpUnanswerable(then) {
    /** @param {string} key */
    const voice = (key) => this.voice.text(key);
    this.#confirm(voice("answerable"), voice("answerable-what"), voice("answerable-yes"), then);
  }

  /** @param {string} title @param {string} what @param {string} yes @param {() => void} confirmed */
  #confirm(title, what, yes, confirmed) {
    this.#confirmed = confirmed;
    this.#check();
    /** @param {string} place @param {string} words */
    const say = (place, words) => { this.dialog.querySelector(place).textContent = words; };
    say("[data-switch-title]", title);
    say("[data-switch-what]", what);
    say("[data-switch-yes]", yes);
    this.dialog.showModal();
  }

  // Yes or No; this chooses the kind, too.
  /** @param {string} value */
  answer(value) {
    this.choose("yes_no", { then: () => {
      if (this.#value === value) return;
      this.voice.live(this.voice.text(`value-${value}`));
      this.#answered(value);
    } });
  }

  // The radio has changed already, but the step is from what was shown before.
  /** @param {string} value */
  #clicked(value) {
    this.#checkValue(this.#shown);
    this.#answered(value);
  }

  /** @param {string} value */
  #answered(value) {
    this.remember();
    this.#checkValue(value);
    this.screen.noProblem();
    this.redraw();
  }

  /** @param {string} kind */
  #change(kind) {
    this.remember();
    this.set(kind);
    if (kind !== "extractive") this.spans.clear();
    if (kind !== "yes_no") {
      this.fields.namedItem("by_absence").checked = false;
      this.#checkValue("");
    }
    if (kind !== "abstractive") this.fields.namedItem("text").value = "";
    if (kind === "unanswerable") {
      this.evidence.clear();
      this.fields.namedItem("in_abstract").checked = false;
    }
    this.voice.live(this.voice.text(`kind-${kind}`));
    this.screen.noProblem();
    this.redraw();
  }

  /** @param {string} kind */
  set(kind) { this.kind = kind; this.#check(); }

  #check() { for (const radio of this.fields.namedItem("kind")) radio.checked = radio.value === this.kind; }

  get state() {
    const [absence, abstract] = ["by_absence", "in_abstract"].map((name) => this.fields.namedItem(name).checked);
    return { kind: this.kind, value: this.#value, text: this.#text, absence, abstract };
  }

  // Undo to this state, except what was typed or ticked since the step.
  /** @param {Kinds["state"]} state */
  restore({ kind, value, text, absence, abstract }) {
    const { fields, screen: { steps } } = this;
    this.set(kind);
    this.#checkValue(value);
    if (!steps.isEdited("text")) fields.namedItem("text").value = text;
    if (!steps.isEdited("by_absence")) fields.namedItem("by_absence").checked = absence;
    if (!steps.isEdited("in_abstract")) fields.namedItem("in_abstract").checked = abstract;
  }

  /** @param {string} value */
  #checkValue(value) { for (const radio of this.fields.namedItem("value")) radio.checked = radio.value === value; }

  draw() {
    const { screen, voice, kind } = this;
    for (const part of screen.root.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== kind;
    this.#shown = this.#value;
    screen.find("[data-absence]").hidden = !this.#mayBeAbsent;
    screen.find("[data-in-abstract]").hidden = !kind || kind === "unanswerable";
    leaveHidden(screen.find("#material"));
    const { n, unit } = lengthOf(this.#text);
    const count = screen.find("[data-text-count]");
    count.textContent = n ? voice.text("of-most", { count: voice.text(unit, { n }) }) : "";
    count.toggleAttribute("data-over", n > MOST);
    this.#drawBlock();
    screen.form.querySelector("[type=submit]").setAttribute("aria-disabled", Boolean(this.missing()));
  }

  // How many questions about this paper are done, and what comes after this one.
  #drawBlock() {
    const { screen, voice } = this;
    const links = [...screen.root.querySelectorAll(".questions a")];
    const done = links.filter((link) => ["committed", "skipped"].includes(link.dataset.state)).length;
    const said = links.length ? voice.text("block-done", { done, of: links.length }) : "";
    screen.find("[data-block-done]").textContent = said;
    /** @param {HTMLElement} link */
    const open = (link) => !link.hasAttribute("aria-current") && ["untouched", "draft"].includes(link.dataset.state);
    const next = links.findIndex(open);
    let label = voice.text(this.kind === "unanswerable" ? "commit-unanswerable" : "commit");
    if (links.length) label = next < 0 ? voice.text("commit-last") : voice.text("commit-number", { at: next + 1 });
    screen.find("[data-commit-label]").textContent = label;
    const afterwards = screen.find("[data-afterwards]");
    if (afterwards) afterwards.textContent = voice.text(next < 0 ? "afterwards-last" : "afterwards");
    screen.mayStop(links.length <= 1 || next < 0);
  }

  // The name of the message about what is still missing; "" if nothing is.
  missing() {
    const { kind } = this;
    const units = this.evidence.units.length;
    if (!kind) return "say-kind";
    if (kind === "unanswerable") return "";
    if (kind === "yes_no") {
      if (!this.#value) return "say-value";
      if (units || (this.#mayBeAbsent && this.fields.namedItem("by_absence").checked)) return "";
      return this.#value === "no" ? "say-absence" : "say-evidence";
    }
    if (kind === "extractive" && !this.spans.list.length && !this.spans.pending) return "say-spans";
    if (kind === "extractive" && this.spans.pending) return "";
    if (!units) return "say-evidence";
    if (kind === "extractive") return "";
    if (!saysSomething(this.#text)) return "say-text";
    const { n, unit } = lengthOf(this.#text);
    if (n <= MOST) return "";
    return unit === "characters" ? "say-long-characters" : "say-long";
  }
}
