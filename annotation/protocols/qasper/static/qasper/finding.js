// Find text in the paper, ignoring case and white space.
import { paint } from "../goldfinch/highlights.js";
import { reveal, visibleArea } from "../goldfinch/scrolling.js";
import { clearTimeout, setTimeout } from "../goldfinch/settled.js";
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { Passage } from "../goldfinch/spans/passages.js" */
/** @import { Paper } from "./paper.js" */

const MOST = 1000; // hits
const RESTS = 150; // ms after the last keystroke

// Lower-cased, with white space collapsed; `at` has the original offset of each character.
/** @param {string} text */
function squeezed(text) {
  /** @type {[string[], number[]]} */
  const [chars, at] = [[], []];
  for (let i = 0; i < text.length; i += 1) {
    const blank = /\s/.test(text[i]);
    if (blank && chars.at(-1) === " ") continue;
    const lower = text[i].toLowerCase();
    const kept = lower.length === 1 ? lower : text[i];
    chars.push(blank ? " " : kept);
    at.push(i);
  }
  return { text: chars.join(""), at };
}

/** @param {Passage[]} blocks @param {string} wanted */
function search(blocks, wanted) {
  const needle = squeezed(wanted).text.trim();
  /** @type {{ block: Passage, start: number, end: number }[]} */
  const found = [];
  if (!needle) return found;
  for (const block of blocks) {
    const { text, at } = squeezed(block.text);
    for (let i = text.indexOf(needle); i >= 0 && found.length < MOST; i = text.indexOf(needle, i + needle.length)) {
      found.push({ block, start: at[i], end: at[i + needle.length - 1] + 1 });
    }
  }
  return found;
}

export class Finding {
  /** @type {{ block: Passage, start: number, end: number }[]} */
  #hits = [];
  #at = -1; #query = "";
  /** @type {number | undefined} */
  #resting = undefined;
  /** @type {number | null} */
  #noting = null;

  // `found(block, at)` is called with the text of the current match and the match's offset in it.
  /** @param {Screen} screen @param {Paper} paper @param {(block: Passage, start: number) => void} found */
  constructor(screen, paper, found) {
    this.screen = screen;
    this.paper = paper;
    this.found = found;
    this.voice = screen.voice;
    /** @type {HTMLInputElement} */
    this.field = screen.find("[data-find]");
    const options = { signal: screen.signal };
    screen.traces?.before(() => this.#note());
    this.field.addEventListener("input", () => {
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => this.step(0), RESTS);
    }, options);
    this.field.addEventListener("keydown", (event) => this.#key(event), options);
    this.matches = screen.root.querySelectorAll("[data-match]");
    for (const button of this.matches) {
      button.addEventListener("click", () => this.step(Number(button.dataset.match)), options);
    }
    screen.signal.addEventListener("abort", () => { for (const name of ["find", "found"]) paint(name, []); });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(this.#resting);
      const forward = this.field.value === this.#query ? 1 : 0;
      this.step(event.shiftKey ? -1 : forward);
    }
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.leave();
    }
  }

  #note() {
    if (this.#noting === null) return;
    clearTimeout(this.#noting);
    this.#noting = null;
    // The query itself is never traced.
    this.screen.note("found", { characters: this.#query.trim().length, hits: this.#hits.length });
  }

  #toggle() { this.screen.find("[data-toggles=find]").click(); }

  open() {
    if (getComputedStyle(this.field.parentElement).display === "none") this.#toggle();
    this.field.focus();
    this.field.select();
  }

  // Back to the paper; what was found stays, so that F3 goes on from there.
  leave() {
    if (this.field.closest("[data-open]")) this.#toggle();
    this.screen.find("#material").focus({ preventScroll: true });
  }

  // Put the search away; returns whether there was one.
  clear() {
    if (!this.field.value) return false;
    this.field.value = "";
    this.step(0);
    return true;
  }

  #look() {
    this.#query = this.field.value;
    this.#hits = search(this.paper.read, this.#query);
    this.#at = -1;
    clearTimeout(this.#noting); // do not count a query that is still being typed
    this.#noting = this.#query.trim() ? setTimeout(() => this.#note(), 800) : null;
  }

  // 0 starts at the visible part of the paper; 1 and -1 wrap around.
  /** @param {number} by */
  step(by) {
    if (by && !this.field.value.trim()) { this.open(); return; }
    if (this.field.value !== this.#query) this.#look();
    const material = this.screen.find("#material");
    const n = this.#hits.length;
    const ranges = this.#hits.map(({ block, start, end }) => block.range(start, end));
    const { top } = visibleArea(material);
    const below = () => ranges.findIndex((range) => range.getBoundingClientRect().bottom > top);
    if (n) this.#at = by ? (this.#at + by + n) % n : Math.max(0, below());
    paint("find", ranges.filter((_, at) => at !== this.#at));
    paint("found", this.#at < 0 ? [] : [ranges[this.#at]]);
    if (this.#at >= 0) {
      const { block, start } = this.#hits[this.#at];
      block.element.closest("details")?.setAttribute("open", "");
      this.found(block, start);
      reveal(material, ranges[this.#at]);
    }
    const hits = n ? this.voice.text("found", { at: this.#at + 1, n }) : this.voice.text("found-none");
    const said = this.#query.trim() ? hits : "";
    this.screen.find("[data-found]").textContent = said;
    for (const button of this.matches) button.hidden = !n;
    if (said) this.voice.live(said);
  }
}
