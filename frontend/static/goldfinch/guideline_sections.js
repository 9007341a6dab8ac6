// Tells which section of the guidelines is being read, and for how long.

const PASSING = 1000; // milliseconds; a section that is visible for less was only scrolled past

export class Sections {
  #headings; #note; #half;
  #section = ""; #since = performance.now();

  // `half`: the height, in the window, above which the heading of the section that is being read stands;
  // `note` gets { section, seconds } of each section that was read.
  /**
   * @param {HTMLElement[]} headings
   * @param {{ note: (read: { section: string, seconds: number }) => void, half?: () => number }} options
   */
  constructor(headings, { note, half = () => innerHeight / 2 }) {
    this.#headings = headings;
    this.#note = note;
    this.#half = half;
  }

  look() {
    /** @param {HTMLElement} heading */
    const name = (heading) => heading.dataset.section ?? heading.id;
    const last = this.#headings.findLast((heading) => heading.getBoundingClientRect().top < this.#half());
    const now = last ? name(last) : "";
    if (now === this.#section) return;
    this.tell();
    this.#section = now;
  }

  tell() {
    const ms = performance.now() - this.#since;
    if (ms >= PASSING) this.#note({ section: this.#section, seconds: Math.round(ms / 1000) });
    this.restart();
  }

  restart() { this.#since = performance.now(); }
}
