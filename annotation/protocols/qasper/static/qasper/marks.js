// What is marked in the paper itself: evidence, marked words, the word under the cursor; painted, so no text changes.
import { make } from "../goldfinch/say.js";

export function paint(name, ranges) {
  if (!globalThis.CSS?.highlights) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

export class Marks {
  constructor(screen, paper, evidence, spans) {
    Object.assign(this, { screen, paper, evidence, spans });
    screen.signal.addEventListener("abort", () => { for (const name of ["span", "pending", "cursor", "find", "found"]) paint(name, []); });
  }

  draw(cursor = null) {
    const { paper, evidence, spans } = this;
    const range = ({ paragraph, start, end }) => paper.block(paragraph).range(start, end);
    const sections = new Set();
    for (const stop of paper.stops) {
      const any = stop.float === undefined ? this.#paragraph(stop) : this.#float(stop);
      if (any) sections.add(stop.element.closest("[data-section]").dataset.section).add(`float-${stop.float}`);
    }
    paint("span", spans.list.map(range));
    paint("pending", spans.pending ? [range(spans.pending)] : []);
    paint("cursor", cursor ? [range(cursor)] : []);
    this.#outline(sections);
  }

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

  #float({ float, element }) {
    const chosen = this.evidence.hasFloat(float);
    element.classList.toggle("is-chosen", chosen);
    // One choice with two buttons: in place and in the strip.
    for (const button of [element.querySelector("[data-float-toggle]"), this.screen.find(`[data-strip-toggle="${float}"]`)]) {
      button.setAttribute("aria-pressed", chosen);
      button.textContent = this.screen.voice.text(chosen ? "used" : "use");
      button.closest("li")?.classList.toggle("is-chosen", chosen);
    }
    return chosen;
  }

  // A dot beside each heading under which there is evidence. A section that has no link counts for the one before it.
  #outline(sections) {
    let last = null;
    const here = new Set();
    const links = new Map([...this.screen.root.querySelectorAll("[data-outline] [data-heading]")].map((link) => [link.dataset.heading, link]));
    for (const section of this.paper.root.querySelectorAll("[data-section]")) {
      last = [...links].findLast(([at]) => at === section.dataset.section)?.[1] ?? last;
      if (sections.has(section.dataset.section) && last) here.add(this.#deepest(section.dataset.section) ?? last);
    }
    for (const link of this.screen.root.querySelectorAll("[data-outline] [data-to-float]")) if (sections.has(`float-${link.dataset.toFloat}`)) here.add(link);
    for (const link of this.screen.root.querySelectorAll("[data-outline] a")) {
      link.querySelector(".dot")?.remove();
      if (here.has(link)) link.append(make("span", { class: "dot gold push" }, make("span", { class: "sr" }, ` ${this.screen.voice.text("evidence-here")}`)));
    }
  }

  // The first section of a chapter has two links: the chapter's and its own.
  #deepest(section) { return [...this.screen.root.querySelectorAll(`[data-outline] [data-heading="${section}"]`)].at(-1); }
}
