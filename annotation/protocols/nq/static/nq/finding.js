// The find field of the work page; the frame does the searching, counting and highlighting.
import { clearTimeout, setTimeout } from "../goldfinch/settled.js";
/** @import { Channel } from "../goldfinch/channel.js" */
/** @import { Screen } from "../goldfinch/screen.js" */

export class Finding {
  /** @type {HTMLInputElement} */
  #field;
  #count; #matches; #voice; #channel;
  /** @type {number | undefined} */
  #debounce;
  /** @type {{ characters: number, hits: number } | null} */
  #lastSearch = null;

  /** @param {Screen} screen @param {() => Channel} channel */
  constructor(screen, channel) {
    this.#field = screen.find("[data-find]");
    this.#count = screen.find("[data-found]");
    this.#voice = screen.voice;
    this.#channel = channel;
    screen.traces?.before(() => {
      if (this.#lastSearch) screen.note("found", this.#lastSearch); // never the typed text
      this.#lastSearch = null;
    });
    this.#field.addEventListener("input", () => {
      clearTimeout(this.#debounce);
      this.#debounce = setTimeout(() => this.#ask(0), 150);
    }, { signal: screen.signal });
    this.#matches = screen.root.querySelectorAll("[data-match]");
    for (const button of this.#matches) {
      button.addEventListener("click", () => this.step(Number(button.dataset.match)), { signal: screen.signal });
    }
    this.#field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); this.step(event.shiftKey ? -1 : 1); }
      if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); this.leave(); }
    }, { signal: screen.signal });
  }

  open() {
    const hidden = getComputedStyle(this.#field.parentElement).display === "none";
    if (hidden) document.querySelector('[data-toggles="find"]')?.click();
    this.#field.focus();
    this.#field.select();
  }

  /** @param {number} by */
  step(by) { if (this.#field.value.trim()) this.#ask(by); else this.open(); }

  // Back to the page; what was found stays, so that F3 goes on from there.
  leave() {
    if (this.#field.closest("[data-open]")) document.querySelector('[data-toggles="find"]').click();
    this.#channel().focus();
  }

  // Put the search away; returns whether there was one.
  clear() {
    if (!this.#field.value) return false;
    this.#field.value = "";
    this.#ask(0);
    return true;
  }

  /** @param {number} step */
  #ask(step) {
    clearTimeout(this.#debounce);
    this.#channel().send("find", { query: this.#field.value, step });
  }

  /** @param {{ count: number, at: number }} options */
  found({ count, at }) {
    const query = this.#field.value.trim();
    if (query) this.#lastSearch = { characters: query.length, hits: count };
    const words = query ? (count ? this.#voice.text("found", { at, n: count }) : this.#voice.text("found-none")) : "";
    this.#count.textContent = words;
    for (const button of this.#matches) button.hidden = !count;
    if (words) this.#voice.live(words);
  }
}
