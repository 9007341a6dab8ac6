// The reader's position: moves by paragraph, by sentence, by the outline and by the strip of figures.
import { stepByArrows } from "../goldfinch/arrows.js";
import { make } from "../goldfinch/say.js";
import { isVisible, visibleArea } from "../goldfinch/scrolling.js";
import { requestAnimationFrame } from "../goldfinch/settled.js";
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { Passage } from "../goldfinch/spans/passages.js" */
/** @import { Evidence } from "./evidence.js" */
/** @import { Paper, Stop } from "./paper.js" */

/** @typedef {{ paragraph?: number, float?: number }} Where */
/** @typedef {{ sentence?: number, focus?: boolean, speak?: boolean }} GoOptions */

export class Moving {
  /** @type {number | null} */
  at = null; // index into the paper's stops
  sentence = 0;
  /** @type {HTMLElement | null} */
  #place = null; // where the reader is if that is at no stop: the abstract, or a section without text
  #section = ""; // the current one
  #since = performance.now();

  /** @param {Screen} screen @param {Paper} paper @param {Evidence} evidence */
  constructor(screen, paper, evidence) {
    this.screen = screen;
    this.paper = paper;
    this.evidence = evidence;
    this.voice = screen.voice;
    this.material = screen.find("#material");
    this.#listen();
    screen.traces?.before(() => this.#dwelt());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#since = performance.now();
    }, { signal: screen.signal });
  }

  get stop() { return this.at === null ? null : this.paper.stops[this.at]; }

  // Whether there is a stop and it is on the screen: the reader may have scrolled on.
  get isInSight() { return this.stop !== null && this.#isSeen(this.stop.element); }

  // The same for the sentence, which may be out of sight in a long paragraph.
  get canSeeSentence() { return this.stop !== null && this.#isSeen(this.#part() ?? this.stop.element); }

  #part() {
    const { paragraph } = this.stop;
    return paragraph === undefined ? null : this.paper.block(paragraph).sentences[this.sentence].element;
  }

  /** @param {Element} element */
  #isSeen(element) {
    const [view, place] = [visibleArea(this.material), element.getBoundingClientRect()];
    return place.bottom > view.top + 8 && place.top < view.bottom;
  }

  // The next or previous stop; if the last one is out of sight, the first or last one on the screen.
  /** @param {number} by */
  step(by) {
    const { stops } = this.paper;
    if (!stops.length) return;
    const to = this.isInSight ? this.at + by : this.#begin(by);
    this.go(Math.min(Math.max(0, to), stops.length - 1));
  }

  /** @param {number} by */
  #begin(by) {
    const { stops } = this.paper;
    if (this.#place && this.#isSeen(this.#place)) {
      /** @param {Stop} options */
      const isPast = ({ element }) => this.#place.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
      const next = stops.findIndex(isPast);
      return by > 0 ? (next < 0 ? stops.length : next) : (next < 0 ? stops.length : next) - 1;
    }
    const seen = stops.filter((stop) => this.#isSeen(stop.element));
    const here = stops.indexOf(by > 0 ? seen[0] : seen.at(-1));
    if (here >= 0) return here;
    const { top } = visibleArea(this.material);
    return stops.findIndex((stop) => stop.element.getBoundingClientRect().bottom > top);
  }

  /** @param {number} by */
  stepSentence(by) {
    const stop = this.stop;
    if (!this.isInSight || stop.paragraph === undefined) return this.step(by);
    /** @param {Stop} options */
    const count = ({ paragraph }) => (paragraph === undefined ? 1 : this.paper.block(paragraph).sentences.length);
    const to = this.sentence + by;
    if (to >= 0 && to < count(stop)) return this.go(this.at, { sentence: to, speak: true });
    const next = this.paper.stops[this.at + by];
    if (next) this.go(this.at + by, { sentence: by < 0 ? count(next) - 1 : 0, speak: true });
    return undefined;
  }

  /** @param {Where} wanted @param {GoOptions} [options] */
  goTo(wanted, options) {
    /** @param {Stop} stop */
    const is = (stop) => (
      wanted.paragraph === undefined ? stop.float === wanted.float : stop.paragraph === wanted.paragraph
    );
    const at = this.paper.stops.findIndex(is);
    if (at >= 0) this.go(at, options);
  }

  // Move the cursor to a match in one of the paper's texts.
  /** @param {Passage} block @param {number} start */
  standIn(block, start) {
    const float = block.element.closest("[data-float]")?.dataset.float;
    if (float !== undefined) return this.goTo({ float: Number(float) }, { focus: false });
    const to = { paragraph: block.index };
    if (Number.isInteger(block.index)) return this.goTo(to, { sentence: block.sentenceAt(start), focus: false });
    return this.standAt(block.element);
  }

  // Move the cursor to an element between the stops.
  /** @param {HTMLElement} element */
  standAt(element) {
    this.#leave();
    this.at = null;
    this.#place = element;
    this.draw();
  }

  /** @param {number} at @param {GoOptions} [options] */
  go(at, { sentence = 0, focus = true, speak = false } = {}) {
    this.#leave();
    this.at = at;
    this.#place = null;
    this.sentence = sentence;
    const { element } = this.stop;
    element.classList.add("is-focus");
    const part = this.#part();
    part?.classList.add("at");
    const target = speak && part ? part : element;
    if (focus) target.focus({ preventScroll: true });
    if (focus) this.#reveal(part ?? element);
    this.draw();
  }

  #leave() {
    this.stop?.element.classList.remove("is-focus");
    this.paper.root.querySelector(".s.at")?.classList.remove("at");
  }

  /** @param {HTMLElement} part */
  #reveal(part) {
    const [view, place] = [visibleArea(this.material), part.getBoundingClientRect()];
    if (isVisible(this.material, place)) return;
    part.scrollIntoView({ block: place.height > (view.bottom - view.top) * 0.7 ? "start" : "center" });
  }

  draw() {
    const stop = this.stop;
    const list = this.screen.find("[data-crumbs]");
    if (!stop) return list.replaceChildren();
    /** @param {string} text @param {boolean} [now] */
    const step = (text, now) => make("li", {}, make("span", now ? { "aria-current": "true" } : {}, text));
    const section = stop.element.closest("[data-section]").dataset.path;
    if (stop.float !== undefined) {
      const kind = this.voice.text(stop.kind === "table" ? "Table" : "Figure");
      stop.element.dataset.tag = kind;
      return list.replaceChildren(step(section), step(kind, true));
    }
    const block = this.paper.block(stop.paragraph);
    const paragraph = this.voice.text("paragraph", { at: stop.paragraph + 1 });
    stop.element.dataset.tag = paragraph;
    stop.element.dataset.what = this.voice.text(block.unit, { n: block.size(0, block.text.length) });
    const sentence = this.voice.text("sentence-of", { at: this.sentence + 1, of: block.sentences.length });
    const chosen = this.evidence.has(stop.paragraph, this.sentence) ? `, ${this.voice.text("is-evidence")}` : "";
    list.replaceChildren(...[section && step(section), step(paragraph), step(sentence + chosen, true)].filter(Boolean));
  }

  // On a narrow screen the outline is a tab that opens first.
  outline() {
    this.tab("questions");
    (this.screen.find("[data-outline] [aria-current]") ?? this.screen.find("[data-outline] a"))?.focus();
  }

  strip(open = this.screen.find("[data-strip]")?.hidden) {
    const strip = this.screen.find("[data-strip]");
    if (!strip) return;
    strip.hidden = !open;
    if (!open) { this.material.focus({ preventScroll: true }); return; }
    this.tab("paper");
    strip.querySelector("button").focus();
  }

  get stripOpen() { return this.screen.find("[data-strip]")?.hidden === false; }

  // One of the three parts of a narrow screen.
  /** @param {string} name */
  tab(name) {
    this.screen.root.dataset.tab = name;
    for (const button of this.screen.root.querySelectorAll("[data-show]")) {
      button.setAttribute("aria-pressed", button.dataset.show === name);
    }
  }

  #listen() {
    const options = { signal: this.screen.signal };
    this.screen.root.addEventListener("click", (event) => {
      const show = event.target.closest("[data-show]");
      if (show) return this.tab(show.dataset.show);
      if (event.target.closest("[data-strip-close]")) return this.strip(false);
      const link = event.target.closest("[data-heading], [data-to-float]");
      if (!link) return undefined;
      event.preventDefault();
      this.tab("paper");
      if (link.dataset.toFloat) return this.goTo({ float: Number(link.dataset.toFloat) });
      return this.#toSection(link.dataset.heading);
    }, options);
    for (const list of this.screen.root.querySelectorAll(".rail-list")) stepByArrows(list, options);
    let waiting = false;
    document.addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; this.#current(); });
    }, { ...options, capture: true, passive: true });
    this.#current();
  }

  // How long the section was on the screen; less than a second is only scrolling past.
  #dwelt() {
    const ms = Math.round(performance.now() - this.#since);
    this.#since = performance.now();
    if (ms >= 1000) this.screen.note("section", { at: this.#section, ms });
  }

  /** @param {string} name */
  #toSection(name) {
    const section = this.paper.root.querySelector(`[data-section="${name}"]`);
    section.scrollIntoView({ block: "start" });
    const first = this.paper.stops.findIndex((stop) => section.contains(stop.element));
    if (first < 0) return this.standAt(section);
    this.go(first, { focus: false });
    this.stop.element.focus({ preventScroll: true });
    return undefined;
  }

  #current() {
    const top = visibleArea(this.material).top + 120;
    const sections = [...this.paper.root.querySelectorAll("[data-section]")];
    /** @param {HTMLElement} section */
    const passed = (section) => section.getBoundingClientRect().top < top;
    const now = sections.findLast(passed)?.dataset.section ?? "abstract";
    if (now !== this.#section) {
      if (this.#section) this.#dwelt();
      this.#section = now;
    }
    const links = [...this.screen.root.querySelectorAll("[data-outline] [data-heading]")];
    const current = links.findLast((link) => link.dataset.heading === now);
    for (const link of links) {
      if (link === current) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  }
}
