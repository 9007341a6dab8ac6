// The guidelines in a panel beside the work, opened at a section; Alt+G, Esc or a click beside it closes them.
import { describe } from "./keys.js";
import { Sections } from "./guideline_sections.js";
import { get, pageOf } from "./fetching.js";

const IN_PANEL = "guidelines-"; // the page under the panel may have an element with the same id

export class GuidelinesPanel {
  #dialog; #place; #note;
  /** @type {Sections | null} */
  #sections = null;

  /**
   * @param {HTMLDialogElement} dialog
   * @param {{ note?: (kind: string, data: object) => void, signal?: AbortSignal }} [options]
   */
  constructor(dialog, { note = () => {}, signal } = {}) {
    this.#dialog = dialog;
    this.#place = dialog.querySelector("[data-guidelines-place]");
    this.#note = note;
    dialog.addEventListener("close", () => this.#sections?.tell());
    this.#place.addEventListener("scroll", () => this.#sections?.look(), { passive: true });
    dialog.addEventListener("keydown", (event) => {
      // Esc closes by itself, but only some milliseconds later, and a closed panel keeps the focus until the next
      // frame: a key pressed at once must find the panel closed, and Alt+G must then open it.
      if (!dialog.open || !["Alt+g", "Escape"].includes(describe(event))) return;
      event.preventDefault();
      this.#close();
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target.closest("[data-close], [target=_blank]")) this.#close();
    });
    document.addEventListener("visibilitychange", () => {
      if (!dialog.open) return;
      if (document.hidden) this.#sections?.tell();
      else this.#sections?.restart();
    }, { signal });
  }

  // The event of closing comes later, when a page that is left at once has sent its traces already.
  #close() {
    this.#sections?.tell();
    this.#dialog.close();
  }

  // Open the guidelines that the link leads to; a click with a modifier key is left to the browser.
  /** @param {MouseEvent} event @param {HTMLAnchorElement} link */
  async open(event, link) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0) return;
    event.preventDefault();
    this.#dialog.showModal();
    this.#place.focus();
    if (!this.#sections) await this.#load(link.href);
    this.#sections?.restart();
    const { hash } = new URL(link.href);
    this.#place.querySelector(`#${IN_PANEL}${CSS.escape(hash.slice(1) || " ")}`)?.scrollIntoView({ block: "start" });
    this.#sections?.look();
  }

  /** @param {string} url */
  async #load(url) {
    const answer = await get(url);
    const page = pageOf((await answer?.text()) ?? "");
    const text = page.querySelector("[data-guidelines-text]");
    this.#dialog.querySelector("[data-guidelines-failed]").hidden = Boolean(text);
    if (!text) return;
    for (const heading of text.querySelectorAll("[id]")) {
      heading.dataset.section = heading.id;
      heading.id = IN_PANEL + heading.id;
    }
    for (const link of text.querySelectorAll('a[href^="#"]')) link.hash = IN_PANEL + link.hash.slice(1);
    this.#place.replaceChildren(document.adoptNode(text));
    const half = () => this.#place.getBoundingClientRect().top + this.#place.clientHeight / 2;
    /** @param {object} read */
    const note = (read) => this.#note("guideline_opened", read);
    this.#sections = new Sections([...text.querySelectorAll("[data-section]")], { note, half });
  }
}
