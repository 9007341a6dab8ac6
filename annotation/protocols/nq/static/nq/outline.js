// The outline: the page's headings, with markers for the current section, find matches and the chosen box.
import { stepByArrows } from "../goldfinch/arrows.js";
import { make } from "../goldfinch/say.js";
/** @import { Screen } from "../goldfinch/screen.js" */

export class Outline {
  #links; #voice; #rail;

  /** @param {Screen} screen @param {(id: string) => void} go */
  constructor(screen, go) {
    this.#voice = screen.voice;
    this.#rail = screen.find("#rail");
    const links = [...this.#rail.querySelectorAll("[data-heading]")];
    this.#links = new Map(links.map((link) => [link.dataset.heading, link]));
    stepByArrows(this.#rail, { signal: screen.signal });
    this.#rail.addEventListener("click", (event) => {
      const link = event.target.closest("[data-heading]");
      if (!link) return;
      event.preventDefault();
      go(link.dataset.heading);
      screen.panels.closeOutline();
    }, { signal: screen.signal });
  }

  // On a narrow screen the outline is a panel, which has to be opened first.
  focus() {
    if (getComputedStyle(this.#rail).display === "none") document.querySelector('[data-toggles="rail"]')?.click();
    (this.#rail.querySelector("[aria-current]") ?? this.#rail.querySelector("a"))?.focus();
  }

  /** @param {string} id */
  at(id) {
    for (const [heading, link] of this.#links) {
      if (heading !== id) { link.removeAttribute("aria-current"); continue; }
      link.setAttribute("aria-current", "location");
      const [rail, place] = [this.#rail.getBoundingClientRect(), link.getBoundingClientRect()];
      const outside = place.top < rail.top || place.bottom > rail.bottom;
      if (outside && !this.#rail.contains(document.activeElement)) link.scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {string} look @param {string} said @param {...string} words */
  #mark(look, said, ...words) {
    return make("span", { class: look }, ...words, make("span", { class: "sr" }, ` ${this.#voice.text(said)}`));
  }

  /** @param {string} id @param {string} selector @param {HTMLElement | null} element */
  #badge(id, selector, element) {
    const link = this.#links.get(id);
    link?.querySelector(selector)?.remove();
    if (link && element) link.append(element);
  }

  /** @param {string} id */
  chosen(id) {
    for (const heading of this.#links.keys())
      this.#badge(heading, ".dot", heading === id ? this.#mark("dot gold", "box-here") : null);
  }

  /** @param {Map<string, number>} counts */
  found(counts) {
    for (const heading of this.#links.keys()) {
      const n = counts.get(heading);
      this.#badge(heading, ".badge", n ? this.#mark("badge num", "found-here", String(n)) : null);
    }
  }
}
