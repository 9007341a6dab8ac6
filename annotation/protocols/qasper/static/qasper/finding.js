// Find in the paper what is typed; case and white space do not count.
import { paint } from "./marks.js";
import { reveal, sight } from "./sight.js";

// Lower case with white space as one blank; `at` says where each character came from.
function squeezed(text) {
  const [chars, at] = [[], []];
  for (let i = 0; i < text.length; i += 1) {
    const blank = /\s/.test(text[i]);
    if (blank && chars.at(-1) === " ") continue;
    const lower = text[i].toLowerCase();
    chars.push(blank ? " " : lower.length === 1 ? lower : text[i]);
    at.push(i);
  }
  return { text: chars.join(""), at };
}

function search(blocks, wanted) {
  const needle = squeezed(wanted).text.trim();
  const found = [];
  if (!needle) return found;
  for (const block of blocks) {
    const { text, at } = squeezed(block.text);
    for (let i = text.indexOf(needle); i >= 0 && found.length < 1000; i = text.indexOf(needle, i + needle.length)) found.push({ block, start: at[i], end: at[i + needle.length - 1] + 1 });
  }
  return found;
}

export class Finding {
  #hits = []; #at = -1; #query = ""; #resting = null; #noting = null;

  constructor(screen, paper) {
    Object.assign(this, { screen, paper, voice: screen.voice, field: screen.find("[data-find]") });
    const options = { signal: screen.signal };
    screen.traces?.before(() => this.#note());
    this.field.addEventListener("input", () => { clearTimeout(this.#resting); this.#resting = setTimeout(() => this.step(0), 150); }, options);
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); clearTimeout(this.#resting); this.step(event.shiftKey ? -1 : this.field.value === this.#query ? 1 : 0); }
      if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); this.leave(); }
    }, options);
  }

  #note() {
    if (this.#noting === null) return;
    clearTimeout(this.#noting);
    this.#noting = null;
    this.screen.note("found", { characters: this.#query.trim().length, hits: this.#hits.length }); // never what was typed
  }

  open() {
    if (getComputedStyle(this.field.parentElement).display === "none") this.screen.find("[data-toggles=find]").click();
    this.field.focus();
    this.field.select();
  }

  leave() {
    this.field.value = "";
    this.step(0);
    if (this.field.closest("[data-open]")) this.screen.find("[data-toggles=find]").click();
    this.screen.find("#material").focus({ preventScroll: true });
  }

  // 0 begins at what is on the screen; 1 and -1 go round.
  step(by) {
    if (by && !this.field.value.trim()) return this.open();
    if (this.field.value !== this.#query) {
      this.#query = this.field.value;
      this.#hits = search(this.paper.read, this.#query);
      this.#at = -1;
      clearTimeout(this.#noting); // a word that is being typed is no query yet
      this.#noting = this.#query.trim() ? setTimeout(() => this.#note(), 800) : null;
    }
    const n = this.#hits.length;
    const ranges = this.#hits.map(({ block, start, end }) => block.range(start, end));
    const { top } = sight(this.screen.find("#material"));
    if (n && by === 0) this.#at = Math.max(0, ranges.findIndex((range) => range.getBoundingClientRect().bottom > top));
    else if (n) this.#at = (this.#at + by + n) % n;
    paint("find", ranges.filter((_, at) => at !== this.#at));
    paint("found", this.#at < 0 ? [] : [ranges[this.#at]]);
    if (this.#at >= 0) {
      this.#hits[this.#at].block.element.closest("details")?.setAttribute("open", "");
      reveal(this.screen.find("#material"), ranges[this.#at]);
    }
    const words = this.#query.trim() ? (n ? this.voice.text("found", { at: this.#at + 1, n }) : this.voice.text("found-none")) : "";
    this.screen.find("[data-found]").textContent = words;
    if (words) this.voice.live(words);
    return undefined;
  }
}
