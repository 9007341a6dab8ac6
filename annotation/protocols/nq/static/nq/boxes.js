// What a box is called: its kind, its words, and its place among the boxes around it.

export class Boxes {
  #voice; #all = new Map();

  // `rows` are [index, kind, words, parent, position, headings].
  constructor(rows, voice) {
    this.#voice = voice;
    for (const [index, kind, words, parent, position, headings] of rows) {
      this.#all.set(index, { index, kind: kind.toLowerCase(), words, parent, position, headings });
    }
  }

  has(index) { return this.#all.has(index); }

  get(index) { return this.#all.get(index); }

  name(index) { return this.#voice.text(`kind-${this.get(index).kind}`); }

  use(index) { return this.#voice.text(`use-${this.get(index).kind}`); }

  count(index) { return this.#voice.text("words", { n: this.get(index).words }); }

  label(index) { return `${this.name(index)}, ${this.count(index)}`; }

  // In a path, items and rows have numbers: List › Item 3.
  step(index) {
    const box = this.get(index);
    if (box.parent === null) return this.name(index);
    if (box.kind === "tr") return this.#voice.text("row", { n: box.position });
    if (box.kind === "li") return this.#voice.text("item", { n: box.position });
    return this.name(index);
  }

  // The box and those around it, the outermost first.
  path(index) {
    const path = [];
    for (let at = index; at !== null && this.has(at); at = this.get(at).parent) path.unshift(at);
    return path;
  }

  // For the frame: [index, name, count, words beside the chosen one].
  forFrame(chosen) {
    const label = (i) => `${chosen}\n${this.name(i).toLocaleLowerCase()},\n${this.count(i)}`;
    return [...this.#all.keys()].map((i) => [i, this.name(i), this.count(i), label(i)]);
  }
}
