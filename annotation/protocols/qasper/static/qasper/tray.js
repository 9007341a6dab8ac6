// A card for each piece of evidence, with go to and remove.
import { make } from "../goldfinch/say.js";
import { keepFocus, short, sizeText, tool } from "../goldfinch/spans/cards.js";
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { Evidence, Piece, Unit } from "./evidence.js" */
/** @import { Paper } from "./paper.js" */

/**
 * @typedef {{ advise(kind: string, now: boolean): void, show(unit: Unit): void,
 *   takeOut(unit: Unit): void }} TrayActions
 */

const MANY = 3; // pieces of evidence allowed without advice

export class Tray {
  /** @param {Screen} screen @param {Paper} paper @param {Evidence} evidence @param {TrayActions} actions */
  constructor(screen, paper, evidence, actions) {
    this.screen = screen;
    this.paper = paper;
    this.evidence = evidence;
    this.actions = actions;
    this.voice = screen.voice;
  }

  // A description of where a piece of evidence is.
  /** @param {Unit} unit */
  place(unit) {
    /** @param {string} key @param {{ [name: string]: number }} [values] */
    const say = (key, values) => this.voice.text(key, values);
    if (unit.kind === "float") return say(this.paper.float(unit.index).kind);
    const paragraph = say("paragraph", { at: unit.paragraph + 1 });
    return [this.paper.path(unit.paragraph), paragraph, this.#sentences(unit)].filter(Boolean).join(", ");
  }

  /** @param {Piece} options */
  #sentences({ paragraph, start, end }) {
    if (start === 0 && end === this.paper.block(paragraph).sentences.length) return this.voice.text("whole");
    if (end - start === 1) return this.voice.text("sentence", { at: end });
    return this.voice.text("sentences", { at: start + 1, to: end });
  }

  /** @param {Unit} unit */
  #piece(unit) {
    const { voice } = this;
    const words = this.evidence.quote(unit) || voice.text("no-caption");
    const what = short(words);
    const size = unit.kind === "float" ? "" : ` · ${sizeText(voice, this.evidence, unit)}`;
    return make("li", { class: "marked" },
      make("q", { class: "clamp", dir: "auto" }, words),
      make("div", { class: "meta" }, `${this.place(unit)}${size}`),
      make("div", { class: "tools" },
        tool("goto", voice.text("go-to", { what }), () => this.actions.show(unit)),
        tool("x", voice.text("remove", { what }), () => this.actions.takeOut(unit))));
  }

  // "2 pieces, 26 words"
  /** @param {Unit[]} units */
  count(units) {
    const n = units.reduce((sum, unit) => sum + this.evidence.size(unit), 0);
    const unit = this.evidence.unit(units.find(({ kind }) => kind !== "float") ?? units[0]);
    const parts = [this.voice.text("units", { n: units.length }), n ? this.voice.text(unit, { n }) : ""];
    return parts.filter(Boolean).join(", ");
  }

  draw() {
    const { screen, voice } = this;
    const { units } = this.evidence;
    const pieces = units.map((unit) => this.#piece(unit));
    keepFocus(screen.find("[data-tray]"), pieces, screen.find("[data-prompt]"));
    screen.find("[data-no-evidence]").hidden = units.length > 0;
    screen.find("[data-evidence-count]").textContent = units.length ? this.count(units) : "";
    this.actions.advise("float", units.some((unit) => unit.kind === "float"));
    this.actions.advise("many", units.length > MANY);
    const tab = screen.find("[data-tab-count]");
    tab.hidden = !units.length;
    tab.replaceChildren(String(units.length), make("span", { class: "sr" }, ` ${voice.text("evidence")}`));
  }
}
