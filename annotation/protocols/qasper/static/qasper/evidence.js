// What is chosen as evidence: sentences of paragraphs, and figures or tables as a whole. No DOM in here.

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
    for (const paragraph of [...this.#sentences.keys()].sort((a, b) => a - b)) {
      for (const sentence of [...this.#sentences.get(paragraph)].sort((a, b) => a - b)) {
        const last = units.at(-1);
        if (last?.paragraph === paragraph && last.end === sentence) last.end += 1;
        else units.push({ kind: "sentences", paragraph, start: sentence, end: sentence + 1 });
      }
    }
    return [...units, ...[...this.#floats].sort((a, b) => a - b).map((index) => ({ kind: "float", index }))];
  }

  // Each sentence and figure by itself: "paragraph.sentence", "float 0".
  get places() {
    const floats = [...this.#floats].sort((a, b) => a - b).map((index) => `float ${index}`);
    return [...this.units.flatMap((unit) => (unit.kind === "float" ? [] : Array.from({ length: unit.end - unit.start }, (_, at) => `${unit.paragraph}.${unit.start + at}`))), ...floats];
  }

  // Where a piece of text lies in its paragraph.
  place({ paragraph, start, end }) {
    const { sentences } = this.paper.block(paragraph);
    return [sentences[start].start, sentences[end - 1].end];
  }

  quote(unit) {
    if (unit.kind === "float") return this.paper.float(unit.index).caption;
    return this.paper.block(unit.paragraph).slice(...this.place(unit));
  }

  words(unit) { return unit.kind === "float" ? 0 : this.paper.block(unit.paragraph).size(...this.place(unit)); }

  covers(span) {
    return this.units.some((unit) => {
      if (unit.kind !== "sentences" || unit.paragraph !== span.paragraph) return false;
      const [start, end] = this.place(unit);
      return start <= span.start && span.end <= end;
    });
  }

  // The sentences that a span touches.
  touched({ paragraph, start, end }) {
    return this.paper.block(paragraph).sentences.flatMap((sentence, at) => (sentence.start < end && start < sentence.end ? [at] : []));
  }

  clear() { this.#sentences.clear(); this.#floats.clear(); }

  load(units) {
    this.clear();
    for (const unit of units) {
      if (unit.kind === "float") { if (this.paper.float(unit.index)) this.setFloat(unit.index); continue; }
      const there = this.paper.block(unit.paragraph)?.sentences.length ?? 0;
      for (let at = unit.start; at < Math.min(unit.end, there); at += 1) this.set(unit.paragraph, [at]);
    }
  }

  forForm() {
    return JSON.stringify(this.units.map((unit) => ({ ...unit, quote: this.quote(unit) })));
  }

  get state() { return { sentences: new Map([...this.#sentences].map(([at, chosen]) => [at, new Set(chosen)])), floats: new Set(this.#floats) }; }

  set state(state) { this.#sentences = new Map(state.sentences); this.#floats = new Set(state.floats); }
}
