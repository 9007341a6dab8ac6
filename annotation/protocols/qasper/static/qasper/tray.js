// The evidence and the marked words in words: a card for each, with go to, change and remove.
import { icon, make } from "../goldfinch/say.js";

const MANY = 3; // pieces of evidence that nobody is asked about

const tool = (name, label, on) => make("button", { class: "btn btn-link btn-sm btn-icon", type: "button", "aria-label": label, title: label, on }, icon(name));
const short = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

export class Tray {
  constructor(screen, paper, evidence, spans, actions) { Object.assign(this, { screen, paper, evidence, spans, actions, voice: screen.voice }); }

  // Where a piece of evidence stands, as a sentence.
  place(unit) {
    const say = (key, values) => this.voice.text(key, values);
    if (unit.kind === "float") return say(this.paper.float(unit.index).kind);
    const all = this.paper.block(unit.paragraph).sentences.length;
    const which = unit.start === 0 && unit.end === all ? say("whole") : unit.end - unit.start === 1 ? say("sentence", { at: unit.start + 1 }) : say("sentences", { at: unit.start + 1, to: unit.end });
    return [this.paper.path(unit.paragraph), say("paragraph", { at: unit.paragraph + 1 }), which].filter(Boolean).join(", ");
  }

  #piece(unit) {
    const { voice } = this;
    const words = this.evidence.quote(unit) || voice.text("no-caption");
    const size = unit.kind === "float" ? "" : ` · ${voice.text("words", { n: this.evidence.words(unit) })}`;
    return make("li", { class: "marked" },
      make("q", { class: "clamp", dir: "auto" }, words),
      make("div", { class: "meta" }, `${this.place(unit)}${size}`),
      make("div", { class: "tools" },
        tool("goto", voice.text("go-to", { what: short(words) }), () => this.actions.show(unit)),
        tool("x", voice.text("remove", { what: short(words) }), () => this.actions.takeOut(unit))));
  }

  #span(span) {
    const { voice } = this;
    const words = this.spans.quote(span);
    return make("li", { class: "chip" },
      make("q", { dir: "auto" }, words),
      make("span", { class: "count num" }, voice.text("words", { n: this.spans.size(span) })),
      tool("goto", voice.text("go-to", { what: short(words) }), () => this.actions.showSpan(span)),
      tool("edit", voice.text("edit", { what: short(words) }), () => this.actions.edit(span)),
      tool("x", voice.text("remove", { what: short(words) }), () => this.actions.removeSpan(span)));
  }

  // "2 pieces, 26 words"
  count(units) {
    const words = units.reduce((sum, unit) => sum + this.evidence.words(unit), 0);
    return [this.voice.text("units", { n: units.length }), words ? this.voice.text("words", { n: words }) : ""].filter(Boolean).join(", ");
  }

  draw() {
    const { screen, spans, voice } = this;
    const units = this.evidence.units;
    this.#keepFocus(screen.find("[data-tray]"), units.map((unit) => this.#piece(unit)));
    this.#keepFocus(screen.find("[data-spans]"), spans.list.map((span) => this.#span(span)));
    screen.find("[data-no-evidence]").hidden = units.length > 0;
    screen.find("[data-no-spans]").hidden = spans.list.length > 0;
    screen.find("[data-evidence-count]").textContent = units.length ? this.count(units) : "";
    this.actions.advise("float", units.some((unit) => unit.kind === "float"));
    this.actions.advise("many", units.length > MANY);
    const tab = screen.find("[data-tab-count]");
    tab.hidden = !units.length;
    tab.replaceChildren(String(units.length), make("span", { class: "sr" }, ` ${voice.text("evidence")}`));
    this.#pending();
  }

  // Cards are made anew; who removed one by keyboard goes on with the next.
  #keepFocus(list, cards) {
    const at = [...list.children].findIndex((card) => card.contains(document.activeElement));
    list.replaceChildren(...cards);
    if (at >= 0) (cards[Math.min(at, cards.length - 1)]?.querySelector("button:last-of-type") ?? this.screen.find("[data-prompt]")).focus({ preventScroll: true });
  }

  #pending() {
    const { screen, spans, voice } = this;
    const bar = screen.find("[data-pending-bar]");
    bar.hidden = !spans.pending;
    if (!spans.pending) return;
    screen.find("[data-pending-words]").textContent = spans.quote(spans.pending);
    screen.find("[data-pending-count]").textContent = voice.text("words", { n: spans.size(spans.pending) });
    const outside = !this.evidence.covers(spans.pending);
    screen.find("[data-outside]").hidden = !outside;
    screen.find("[data-span-add-label]").textContent = voice.text(outside ? "add-with" : "add");
  }
}
