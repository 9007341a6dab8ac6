// What a click on the paper selects: a sentence, a figure or table, or a new reading position.

export class Clicks {
  #last = false; // whether the first of two clicks chose a sentence

  // `hears` has the callbacks `sentence(paragraph, sentence)`, `float(index)`, `at(stop)`, and
  // `beside(element)` for what is in no stop: a heading, the title, the abstract.
  constructor(paper, hears) { Object.assign(this, { paper, hears }); }

  // Whether the first click of a double click chose a sentence, which has to be undone.
  undone() {
    const last = this.#last;
    this.#last = false;
    return last;
  }

  // True if the click is handled; false: it is a tap on a word.
  clicked(event, { dragged, marking }) {
    const figure = event.target.closest("[data-float]");
    if (event.target.closest("[data-float-toggle]")) this.hears.float(Number(figure.dataset.float));
    else if (dragged || event.target.closest("a, button")) return true;
    else if (figure) this.hears.at({ float: Number(figure.dataset.float) });
    else if (marking) return false;
    else this.#text(event);
    return true;
  }

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
