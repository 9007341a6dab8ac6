// The rail: the page's headings, where the reader is, where hits are, and where the chosen box is.
import { make } from "../goldfinch/say.js";

export class Outline {
  #links; #voice; #rail;

  constructor(screen, go) {
    this.#voice = screen.voice;
    this.#rail = screen.find("#rail");
    this.#links = new Map([...this.#rail.querySelectorAll("[data-heading]")].map((link) => [link.dataset.heading, link]));
    this.#rail.addEventListener("click", (event) => {
      const link = event.target.closest("[data-heading]");
      if (!link) return;
      event.preventDefault();
      go(link.dataset.heading);
      screen.closePanels();
    }, { signal: screen.signal });
  }

  // On a narrow screen the rail is a panel that opens first.
  focus() {
    if (getComputedStyle(this.#rail).display === "none") document.querySelector('[data-toggles="rail"]')?.click();
    (this.#rail.querySelector("[aria-current]") ?? this.#rail.querySelector("a"))?.focus();
  }

  at(id) {
    for (const [heading, link] of this.#links) {
      if (heading !== id) { link.removeAttribute("aria-current"); continue; }
      link.setAttribute("aria-current", "location");
      const [rail, place] = [this.#rail.getBoundingClientRect(), link.getBoundingClientRect()];
      if (!this.#rail.contains(document.activeElement) && (place.top < rail.top || place.bottom > rail.bottom)) link.scrollIntoView({ block: "nearest" });
    }
  }

  #badge(id, selector, element) {
    const link = this.#links.get(id);
    link?.querySelector(selector)?.remove();
    if (link && element) link.append(element);
  }

  chosen(id) {
    for (const heading of this.#links.keys())
      this.#badge(heading, ".dot", heading === id ? make("span", { class: "dot gold" }, make("span", { class: "sr" }, ` ${this.#voice.text("box-here")}`)) : null);
  }

  found(counts) {
    for (const heading of this.#links.keys()) {
      const n = counts.get(heading);
      this.#badge(heading, ".badge", n ? make("span", { class: "badge num" }, String(n), make("span", { class: "sr" }, ` ${this.#voice.text("found-here")}`)) : null);
    }
  }
}
