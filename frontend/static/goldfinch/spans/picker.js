// Mark words of a text by drag, double click, taps, keys or a pasted quote, each with the same result.
// docs/protocols.md, "Picking words", says how to use it in a stage; its templates are frontend/templates/work/spans/.
import { paint } from "../highlights.js";
import { findQuotes } from "../quotes.js";
import { reveal, uncover } from "../scrolling.js";
import { drawBar, drawChips, listenToBar, sizeText } from "./cards.js";
import { copyAsStored } from "./copying.js";
import { Handles } from "./handles.js";
import { HOOKS } from "./hooks.js";
import { Passages } from "./passages.js";
import { Pointing } from "./pointing.js";
import { SelectMode } from "./select_mode.js";
import { TextSpans } from "./text_spans.js";
/** @import { Screen } from "../screen.js" */
/** @import { TextSpan } from "./text_spans.js" */
/** @import { Hooks } from "./hooks.js" */

/** @param {string} text */
const clip = (text) => (text.length > 80 ? `${text.slice(0, 77)}…` : text);

export class SpanPicker {
  #noted; // positions of the spans when they were last traced
  #drafted = ""; // what the hidden field was last given
  #fine = false; // whether words are cut, at characters

  // `passages`: the texts, by default all `[data-passage]` of the material. `name`: the hidden field. `most`: the
  // maximum number of spans; with 1, a new one replaces the old one.
  /**
   * @param {Screen} screen
   * @param {{ passages?: Passages, name?: string, most?: number } & Partial<Hooks>} [options]
   */
  constructor(screen, { passages, name = "spans", most = Infinity, ...hooks } = {}) {
    this.screen = screen;
    this.material = screen.find("#material");
    this.passages = passages ?? new Passages(this.material);
    this.hooks = { ...HOOKS, ...hooks };
    this.spans = new TextSpans(this.passages, most);
    this.field = screen.form.elements.namedItem(name);
    this.#read();
    this.#noted = this.#places();
    this.selecting = new SelectMode(screen, this.passages, this.spans, {
      words: (here) => this.#words(here),
      enters: () => this.#enters(),
      moved: () => this.#moved(),
      left: () => {
        this.pointing.forget();
        this.#redraw(false);
      },
      add: () => this.add(),
    });
    this.pointing = new Pointing(this.material, this.passages, {
      marks: () => this.hooks.active(),
      taps: () => this.selecting.on || (this.hooks.active() && this.hooks.taps()),
      fine: () => this.#fine,
      clicked: (event, how) => this.hooks.clicked(event, how),
      dragged: (parts) => this.hooks.dragged(parts),
      twice: () => this.hooks.twice(),
      words: (span) => this.select(span),
    }, screen.signal);
    this.handles = new Handles(this.passages, {
      dragged: (side, at) => this.#drag(side, at),
      released: () => this.#sayPending(),
    }, screen.signal);
    this.#listen();
  }

  #listen() {
    const { screen } = this;
    listenToBar(screen, {
      move: (end, by) => this.#move(end, by),
      add: () => this.add(), addAll: () => this.addAll(), drop: () => this.drop(),
    });
    findQuotes(screen, {
      read: ({ text, start, end }) => {
        const span = this.spans.snapped({ passage: text, start, end });
        return span && { range: span, ...this.spans.around(span) };
      },
      take: (span) => {
        this.selecting.added();
        this.hooks.bring();
        this.select(span, { show: true });
      },
    });
    copyAsStored(this.passages, screen.signal);
    screen.keys.bind("Enter", () => this.add(), { label: screen.voice.text("key-add") });
    screen.keys.bind("c", () => this.#refine(), { label: screen.voice.text("key-fine") });
    screen.root.addEventListener("click", (event) => {
      if (event.target.closest("[data-fine]")) this.#refine();
    }, { signal: screen.signal });
    screen.signal.addEventListener("abort", () => {
      for (const name of ["span", "pending"]) paint(name, []);
    });
  }

  // Switch to another hidden field, for screens with several: its spans become the marked ones. Only people's own
  // changes are traced, not this.
  /** @param {string} name */
  use(name) {
    this.spans.drop();
    this.field = this.screen.form.elements.namedItem(name);
    this.#read();
    this.#noted = this.#places();
    this.draw();
  }

  // Words of a draft about which the person has to confirm something are pending again.
  #read() {
    const { spans } = this;
    spans.value = this.field.value;
    const open = spans.list.find((span) => this.hooks.concern(span));
    if (open) {
      spans.remove(open);
      spans.select(open);
    }
    this.#drafted = spans.draft;
  }

  get isEmpty() { return !this.spans.list.length && !this.spans.pending; }

  #remember() {
    if (this.hooks.remember) this.hooks.remember(); else this.screen.steps.push(this.spans.state);
  }

  // Words that are only being marked change the draft, too.
  /** @param {boolean} marked whether the marked words have changed */
  #redraw(marked) {
    const changed = marked || this.spans.draft !== this.#drafted;
    if (this.hooks.redraw) { this.hooks.redraw({ changed }); return; }
    this.draw();
    if (changed) this.screen.changed();
  }

  #places() { return this.spans.list.map(({ passage, start, end }) => `${passage}:${start}-${end}`); }

  // Trace the difference from the last time, so that undo and clearing are traced like everything else.
  #note() {
    const [before, now] = [this.#noted, this.#places()];
    this.#noted = now;
    const added = now.filter((place) => !before.includes(place)).slice(0, 100);
    const removed = before.filter((place) => !now.includes(place)).slice(0, 100);
    if (added.length || removed.length) this.screen.note("spans_changed", { added, removed, of: now.length });
  }

  // Highlight the spans in the text, draw chips and bar, and update the hidden field.
  draw() {
    const { screen, spans, passages } = this;
    this.#drafted = spans.draft;
    this.field.value = this.#drafted;
    paint("span", spans.list.map((span) => passages.range(span)));
    paint("pending", spans.pending ? [passages.range(spans.pending)] : []);
    this.handles.draw(spans.pending);
    drawChips(screen, spans, {
      goTo: (span) => this.goTo(span), edit: (span) => this.#edit(span), remove: (span) => this.#remove(span),
    });
    drawBar(screen, spans, this.#concern());
    for (const each of screen.root.querySelectorAll("[data-fine]")) {
      each.setAttribute("aria-pressed", String(this.#fine));
    }
    this.selecting.draw();
    this.#note();
  }

  #concern() { return this.spans.pending ? this.hooks.concern(this.spans.pending) : null; }

  // Make a span pending; `show` scrolls it into view.
  /** @param {TextSpan} span @param {{ show?: boolean }} [options] */
  select(span, { show = false } = {}) {
    const { spans, screen } = this;
    this.hooks.selecting(span, { show });
    if (spans.editing && spans.pending === spans.editing) spans.drop();
    spans.select(span);
    this.#sayPending();
    screen.noProblem();
    this.#redraw(false);
    if (show) reveal(this.material, this.passages.range(span));
    else uncover(this.material, this.passages.range(span));
  }

  // Mark by characters from now on, or by words again.
  #refine() {
    this.#fine = !this.#fine;
    this.selecting.again();
    this.screen.voice.live(this.screen.voice.text(this.#fine ? "fine" : "coarse"));
    this.#redraw(false);
  }

  /** @param {string} end @param {number} by */
  #move(end, by) {
    this.spans.move(end, by, { fine: this.#fine });
    this.#redraw(false);
    this.screen.voice.live(this.spans.quote(this.spans.pending));
  }

  /** @param {string} side @param {number} at */
  #drag(side, at) {
    const { start, end } = this.spans.pending;
    this.spans.moveTo(side, at);
    if (start !== this.spans.pending.start || end !== this.spans.pending.end) this.#redraw(false);
  }

  #sayPending() {
    const { spans, screen: { voice } } = this;
    const count = sizeText(voice, spans, spans.pending);
    const what = voice.text("selected", { what: clip(spans.quote(spans.pending)), count });
    const say = this.#concern()?.say;
    voice.live(say ? `${what}. ${say}` : what);
  }

  add() {
    this.#add((spans) => {
      this.hooks.adding(spans.pending);
      return spans.add();
    });
  }

  // Add also the words that were marked before the pending ones, and passed over for them.
  addAll() {
    this.#add((spans) => {
      for (const span of [...spans.passed, spans.pending]) this.hooks.adding(span);
      return spans.addAll();
    });
  }

  /** @param {(spans: TextSpans) => TextSpan[]} adds returns what is replaced */
  #add(adds) {
    const { spans, screen } = this;
    if (!spans.pending) return;
    this.#remember();
    const added = spans.pending;
    const away = adds(spans);
    this.#begun();
    screen.voice.live(screen.voice.text(away.length ? "replaced" : "span-added", { what: clip(spans.quote(added)) }));
    screen.noProblem();
    this.#redraw(true);
  }

  // Discard the pending words; those that were passed over for them are pending again.
  drop() {
    this.spans.back();
    this.#begun();
    this.#redraw(true);
  }

  // The next mark starts from scratch.
  #begun() {
    this.selecting.added();
    this.pointing.forget();
  }

  /** @param {TextSpan} span */
  goTo(span) {
    this.hooks.bring();
    if (this.hooks.goTo) this.hooks.goTo(span);
    else reveal(this.material, this.passages.range(span));
  }

  /** @param {TextSpan} span */
  #edit(span) {
    this.#remember();
    this.spans.edit(span);
    this.hooks.bring();
    this.#redraw(true);
    reveal(this.material, this.passages.range(span));
    this.screen.find("[data-pending-bar] button").focus();
  }

  /** @param {TextSpan} span */
  #remove(span) {
    this.#remember();
    this.spans.remove(span);
    this.screen.voice.live(this.screen.voice.text("removed"));
    this.#redraw(true);
  }

  // The words that select mode visits; or the characters of the paragraph in which it is.
  /** @param {TextSpan | null} [here] */
  #words(here) {
    if (this.#fine) return this.passages.charactersAround(here ?? this.spans.pending);
    return this.hooks.stretches ? this.passages.wordsIn(this.hooks.stretches()) : this.passages.allWords;
  }

  #enters() {
    if (!this.hooks.enter()) return false;
    this.hooks.bring();
    return true;
  }

  #moved() {
    if (this.spans.pending) this.#sayPending();
    this.#redraw(false);
  }

  // For the object that `start` returns.

  undo() {
    const last = this.screen.steps.pop();
    if (!last) return;
    this.spans.state = last;
    this.screen.voice.live(this.screen.voice.text("undone"));
    this.#redraw(true);
  }

  escape() {
    if (!this.spans.pending) return false;
    this.drop();
    return true;
  }

  // Add pending words when the form is sent; false if the person must confirm something first.
  ready() {
    const concern = this.#concern();
    if (concern) {
      this.hooks.bring();
      this.screen.problem(concern.problem ?? concern.ask);
      this.screen.find("[data-span-add]").focus();
      return false;
    }
    this.add();
    return true;
  }
}
