// Show the chosen evidence in the paper, and in the outline which sections have some.
import { make } from "../goldfinch/say.js";
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { Evidence } from "./evidence.js" */
/** @import { Paper, Stop } from "./paper.js" */

export class Marks {
  /** @param {Screen} screen @param {Paper} paper @param {Evidence} evidence */
  constructor(screen, paper, evidence) {
    this.screen = screen;
    this.paper = paper;
    this.evidence = evidence;
  }

  draw() {
    const sections = new Set();
    for (const stop of this.paper.stops) {
      const any = stop.float === undefined ? this.#paragraph(stop) : this.#float(stop);
      if (!any) continue;
      sections.add(stop.element.closest("[data-section]").dataset.section).add(`float-${stop.float}`);
    }
    this.#outline(sections);
  }

  /** @param {Stop} options */
  #paragraph({ paragraph, element }) {
    const { sentences } = this.paper.block(paragraph);
    let any = false;
    sentences.forEach((sentence, at) => {
      const chosen = this.evidence.has(paragraph, at);
      any ||= chosen;
      sentence.element.classList.toggle("evi", chosen);
      const gap = sentence.element.nextElementSibling;
      if (gap?.matches(".gap")) gap.classList.toggle("evi", chosen && this.evidence.has(paragraph, at + 1));
    });
    element.classList.toggle("has-evidence", any);
    return any;
  }

  /** @param {Stop} options */
  #float({ float, element }) {
    const chosen = this.evidence.hasFloat(float);
    element.classList.toggle("is-chosen", chosen);
    // One choice has two buttons: in place and in the strip.
    const inStrip = this.screen.find(`[data-strip-toggle="${float}"]`);
    for (const button of [element.querySelector("[data-float-toggle]"), inStrip]) {
      button.setAttribute("aria-pressed", chosen);
      button.textContent = this.screen.voice.text(chosen ? "used" : "use");
      button.closest("li")?.classList.toggle("is-chosen", chosen);
    }
    return chosen;
  }

  /** @param {string} selector */
  #links(selector) { return [...this.screen.root.querySelectorAll(`[data-outline] ${selector}`)]; }

  // A dot beside each heading under which there is evidence. A section without a link counts for the one before it.
  /** @param {Set<string | undefined>} sections */
  #outline(sections) {
    let last = null;
    const here = new Set();
    for (const { dataset: { section } } of this.paper.root.querySelectorAll("[data-section]")) {
      // The first section of a chapter has two links: the chapter's and its own.
      last = this.#links(`[data-heading="${section}"]`).at(-1) ?? last;
      if (sections.has(section) && last) here.add(last);
    }
    const floats = this.#links("[data-to-float]").filter((link) => sections.has(`float-${link.dataset.toFloat}`));
    for (const link of floats) here.add(link);
    for (const link of this.#links("a")) {
      link.querySelector(".dot")?.remove();
      if (!here.has(link)) continue;
      const said = make("span", { class: "sr" }, ` ${this.screen.voice.text("evidence-here")}`);
      link.append(make("span", { class: "dot gold push" }, said));
    }
  }
}
