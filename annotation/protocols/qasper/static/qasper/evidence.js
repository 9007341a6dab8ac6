// The chosen evidence: sentences of paragraphs, and whole figures or tables. No DOM.

const inOrder = (numbers) => [...numbers].sort((a, b) => a - b);

export class Evidence {
  #sentences = new Map(); // paragraph -> set of its sentences
  #floats = new Set();

  constructor(paper) { this.paper = paper; }

  has(paragraph, sentence) { return this.#sentences.get(paragraph)?.has(sentence) ?? false; }

  hasFloat(index) { return this.#floats.has(index); }

  set(paragraph, sentences, on = true) {
    const chosen = new Set(this.#sentences.get(paragraph));
    for (const sentence of sentences) chosen[on ? "add" : "delete"](sentence);
    this.#sentences.set(paragraph, chosen);
  }

  setFloat(index, on = true) { this.#floats[on ? "add" : "delete"](index); }

  // Neighbouring sentences are one piece. In the order of the paper, figures and tables last.
  get units() {
    const units = [];
    for (const paragraph of inOrder(this.#sentences.keys())) {
      for (const sentence of inOrder(this.#sentences.get(paragraph))) {
        const last = units.at(-1);
        if (last?.paragraph === paragraph && last.end === sentence) last.end += 1;
        else units.push({ kind: "sentences", paragraph, start: sentence, end: sentence + 1 });
      }
    }
    return [...units, ...inOrder(this.#floats).map((index) => ({ kind: "float", index }))];
  }

  // Every sentence and figure separately: "paragraph.sentence", "float 0".
  get places() {
    return this.units.flatMap(({ kind, index, paragraph, start, end }) => (
      kind === "float" ? [`float ${index}`]
        : Array.from({ length: end - start }, (_, at) => `${paragraph}.${start + at}`)
    ));
  }

  // The range of a piece of text in its paragraph.
  place({ paragraph, start, end }) {
    const { sentences } = this.paper.block(paragraph);
    return [sentences[start].start, sentences[end - 1].end];
  }

  quote(unit) {
    if (unit.kind === "float") return this.paper.float(unit.index).caption;
    return this.paper.block(unit.paragraph).slice(...this.place(unit));
  }

  words(unit) { return unit.kind === "float" ? 0 : this.paper.block(unit.paragraph).size(...this.place(unit)); }

  // Whether marked words are inside one piece.
  covers(span) {
    return this.units.some((unit) => {
      if (unit.kind !== "sentences" || unit.paragraph !== span.passage) return false;
      const [start, end] = this.place(unit);
      return start <= span.start && span.end <= end;
    });
  }

  // The sentences that marked words touch.
  touched({ passage, start, end }) {
    const touches = (sentence) => sentence.start < end && start < sentence.end;
    return this.paper.block(passage).sentences.flatMap((sentence, at) => (touches(sentence) ? [at] : []));
  }

  clear() { this.#sentences.clear(); this.#floats.clear(); }

  load(units) {
    this.clear();
    for (const unit of units) {
      if (unit.kind === "float") {
        if (this.paper.float(unit.index)) this.setFloat(unit.index);
        continue;
      }
      const there = this.paper.block(unit.paragraph)?.sentences.length ?? 0;
      for (let at = unit.start; at < Math.min(unit.end, there); at += 1) this.set(unit.paragraph, [at]);
    }
  }

  forForm() {
    return JSON.stringify(this.units.map((unit) => ({ ...unit, quote: this.quote(unit) })));
  }

  get state() {
    const sentences = [...this.#sentences].map(([at, chosen]) => [at, new Set(chosen)]);
    return { sentences: new Map(sentences), floats: new Set(this.#floats) };
  }

  set state(state) { this.#sentences = new Map(state.sentences); this.#floats = new Set(state.floats); }
}
