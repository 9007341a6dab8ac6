// What a click on the paper selects: a sentence, a figure or table, or a new reading position.
/** @import { Paper } from "./paper.js" */
/** @import { Where } from "./moving.js" */

/**
 * @typedef {{ at(where: Where): void, beside(element: HTMLElement): void, float(index: number): void,
 *   sentence(paragraph: number, sentence: number): void }} ClickHears
 */

export class Clicks {
  #last = false; // whether the first of two clicks chose a sentence

  // `hears` has the callbacks `sentence(paragraph, sentence)`, `float(index)`, `at(stop)`, and
  // `beside(element)` for what is in no stop: a heading, the title, the abstract.
  /** @param {Paper} paper @param {ClickHears} hears */
  constructor(paper, hears) {
    this.paper = paper;
    this.hears = hears;
  }

  // Whether the first click of a double click chose a sentence, which has to be undone.
  undone() {
    const last = this.#last;
    this.#last = false;
    return last;
  }

  // True if the click is handled; false: it is a tap on a word.
  /** @param {MouseEvent & { target: HTMLElement }} event @param {{ dragged: boolean, marking: boolean }} options */
  clicked(event, { dragged, marking }) {
    const figure = event.target.closest("[data-float]");
    if (event.target.closest("[data-float-toggle]")) this.hears.float(Number(figure.dataset.float));
    else if (dragged || event.target.closest("a, button")) return true;
    else if (figure) this.hears.at({ float: Number(figure.dataset.float) });
    else if (marking) return false;
    else this.#text(event);
    return true;
  }

  /** @param {MouseEvent & { target: HTMLElement }} event */
  #text(event) {
    const text = this.paper.passages.passageAt(event.target);
    if (!text) {
      const isBetween = event.target.querySelector("[data-passage], [data-float]") !== null; // the space between stops
      if (!isBetween) this.hears.beside(event.target);
      return;
    }
    const sentence = event.target.closest("[data-sentence]");
    this.#last = false;
    if (!sentence) { this.hears.at({ paragraph: text.index }); return; }
    if (event.detail > 1) return;
    this.#last = true;
    this.hears.sentence(text.index, Number(sentence.dataset.sentence));
  }
}
