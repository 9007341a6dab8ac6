// Select mode over passages: a cursor that goes from word to word, in the text and as a screen reader says it.
import { paint } from "../highlights.js";
import { FIELDS } from "../keys.js";
import { reveal } from "../scrolling.js";
import { Selecting } from "../selecting.js";
/** @import { Screen } from "../screen.js" */
/** @import { Passages } from "./passages.js" */
/** @import { TextSpans } from "./text_spans.js" */
/** @import { TextSpan } from "./text_spans.js" */
/** @import { PlacedWord } from "../selecting.js" */

/** @typedef {TextSpan & PlacedWord} Word */
/**
 * @typedef {{ words(here?: TextSpan | null): Word[], enters(): boolean, moved(): void, left(): void, add(): void }}
 *   Hears
 */

export class SelectMode {
  #screen; #material; #passages; #spans; #hears;
  /** @type {Selecting<Word>} */
  #words;

  // `spans`: the TextSpans whose pending span it selects. `hears` has the callbacks: `words()` returns the words
  // that it visits, `enters()` whether it can be entered now; `moved()` and `left()` are called after either,
  // `add()` to add the pending span.
  /** @param {Screen} screen @param {Passages} passages @param {TextSpans} spans @param {Hears} hears */
  constructor(screen, passages, spans, hears) {
    this.#screen = screen;
    this.#material = screen.find("#material");
    this.#passages = passages;
    this.#spans = spans;
    this.#hears = hears;
    this.#words = new Selecting({
      keys: screen.keys, rtl: getComputedStyle(passages.root).direction === "rtl", apart: true,
      mark: (first, last) => this.#mark(first, last), done: (command) => this.#done(command),
    });
    this.#listen();
  }

  #listen() {
    const { keys, voice, signal } = this.#screen;
    const toggle = () => { if (this.on) this.leave(); else this.enter(); };
    this.#screen.find("[data-select]").addEventListener("click", toggle, { signal });
    this.#screen.find("[data-say-sentence]").addEventListener("click", () => {
      this.#material.focus({ preventScroll: true });
      this.#saySentence();
    }, { signal });
    signal.addEventListener("abort", () => paint("cursor", []));
    // Somebody who goes to a field of the answer writes there; what is selected stays, to be added.
    this.#screen.form.addEventListener("focusin", (event) => {
      if (this.on && event.target.matches(FIELDS)) this.#end();
    }, { signal });
    keys.bind("s", () => this.enter(), { label: voice.text("key-select") });
    keys.bind("r", () => this.#saySentence(), { label: voice.text("key-sentence-here") });
  }

  get on() { return this.#words.on; }

  // The word under the cursor.
  get #cursor() { return this.on ? this.#words.words[this.#words.at] : null; }

  enter() {
    const words = this.#hears.words();
    if (!this.#hears.enters()) return;
    if (!this.#words.enter(words, this.#placeIn(words, this.#spans.pending))) {
      this.#screen.problem(this.#screen.voice.text("selecting-none"));
      return;
    }
    this.#material.setAttribute("role", "application");
    this.#material.focus({ preventScroll: true });
  }

  /** @param {Word[]} words @param {TextSpan | null} span */
  #placeIn(words, span) {
    return span ? words.findIndex((word) => word.passage === span.passage && word.end > span.start) : 0;
  }

  // Other words are visited from now on: the cursor stays where it is.
  again() {
    if (!this.on) return;
    const here = this.#cursor;
    const words = this.#hears.words(here);
    this.#words.visit(words, this.#placeIn(words, here));
  }

  leave() {
    this.#spans.drop();
    this.#screen.voice.live(this.#screen.voice.text("selecting-left"));
    this.#end();
  }

  #end() {
    this.#words.leave();
    this.#material.removeAttribute("role");
    this.#hears.left();
  }

  // The pending span was added or dropped: the next one starts afresh.
  added() { this.#words.added(); }

  draw() {
    const { root } = this.#screen;
    paint("cursor", this.on ? [this.#passages.range(this.#cursor)] : []);
    for (const each of root.querySelectorAll("[data-while-selecting]")) each.hidden = !this.on;
    this.#screen.find("[data-select]").setAttribute("aria-pressed", this.on);
    root.toggleAttribute("data-selecting", this.on);
  }

  /** @param {number} first @param {number} last */
  #mark(first, last) {
    const { words } = this.#words;
    this.#spans.select({ passage: words[first].passage, start: words[first].start, end: words[last].end });
  }

  #saySentence() {
    if (!this.on) return;
    const { passage, sentence } = this.#cursor;
    const text = this.#passages.passage(passage);
    const { start, end } = text.sentences[sentence];
    this.#screen.voice.live(text.slice(start, end));
  }

  /** @param {string} command */
  #done(command) {
    if (command === "leave") { this.leave(); return; }
    if (command === "add") {
      if (!this.#spans.pending) this.#mark(this.#words.at, this.#words.at); // the word under the cursor
      this.#hears.add();
      return;
    }
    const here = this.#cursor;
    if (!this.#spans.pending) this.#screen.voice.live(this.#spans.quote(here));
    this.#hears.moved();
    reveal(this.#material, this.#passages.range(here)); // after the bar has taken its space
  }
}
