// Select mode: words by keyboard, inside the evidence. Arrows move by word, with Ctrl by sentence; Shift extends.

const MOVES = {
  ArrowLeft: (mode) => mode.at - 1,
  ArrowRight: (mode) => mode.at + 1,
  ArrowUp: (mode) => mode.at - 10,
  ArrowDown: (mode) => mode.at + 10,
  Home: (mode) => mode.edge(-1),
  End: (mode) => mode.edge(1),
  "Mod+ArrowLeft": (mode) => mode.jump(-1, "sentence"),
  "Mod+ArrowRight": (mode) => mode.jump(1, "sentence"),
  PageUp: (mode) => mode.jump(-1, "piece"),
  PageDown: (mode) => mode.jump(1, "piece"),
};

export class Selecting {
  on = false;
  at = 0;
  words = []; // { paragraph, start, end, sentence, piece }
  #anchor = null;
  #setting = false; // Space set the start, and not yet the end

  // `done(command)` hears "moved", "set", "add" and "leave".
  constructor({ paper, spans, keys, rtl, done }) { Object.assign(this, { paper, spans, keys, rtl, done }); }

  get cursor() { return this.on ? this.words[this.at] : null; }

  // `places` are the stretches of text to mark words in; false where they have no word.
  enter(places) {
    if (this.on) return true;
    this.words = places.flatMap(({ paragraph, start, end }, piece) => {
      const block = this.paper.block(paragraph);
      return block.words.filter(([from, to]) => from >= start && to <= end).map(([from, to]) => ({ paragraph, start: from, end: to, sentence: block.sentenceAt(from), piece }));
    });
    if (!this.words.length) return false;
    this.on = true;
    this.#anchor = null;
    this.#setting = false;
    const { pending } = this.spans;
    this.at = Math.max(0, pending ? this.words.findIndex((word) => word.paragraph === pending.paragraph && word.start >= pending.start) : 0);
    this.keys.push();
    for (const key of Object.keys(MOVES)) this.keys.bind([key, key.startsWith("Mod+") ? key.replace("Mod+", "Mod+Shift+") : `Shift+${key}`], (pressed) => this.#move(key, pressed !== key));
    this.keys.bind(" ", () => this.#set());
    this.keys.bind("Enter", () => this.done("add"));
    this.keys.bind("Escape", () => this.done("leave"));
    this.done("moved");
    return true;
  }

  leave() {
    if (!this.on) return;
    this.on = false;
    this.keys.pop();
  }

  // What was marked is added: the next mark begins anew.
  added() { this.#anchor = null; this.#setting = false; }

  // The arrow that points forward in the text is the left one in a paper that is read from right to left.
  #move(key, extend) {
    const mirrored = this.rtl ? key.replace(/Arrow(Left|Right)/, (_, side) => (side === "Left" ? "ArrowRight" : "ArrowLeft")) : key;
    const before = this.at;
    this.at = Math.min(Math.max(0, MOVES[mirrored](this)), this.words.length - 1);
    if (extend || this.#setting) { this.#anchor ??= before; this.#span(); } else this.#anchor = null;
    this.done("moved");
  }

  #set() {
    this.#setting = !this.#setting;
    if (this.#setting) this.#anchor = this.at;
    this.#span();
    if (!this.#setting) this.#anchor = null;
    this.done("moved");
  }

  // A span stays in the stretch that it began in.
  #span() {
    const { piece } = this.words[this.#anchor];
    const by = this.#anchor < this.at ? -1 : 1;
    while (this.words[this.at].piece !== piece) this.at += by;
    const [first, last] = [Math.min(this.#anchor, this.at), Math.max(this.#anchor, this.at)];
    this.spans.select({ paragraph: this.words[first].paragraph, start: this.words[first].start, end: this.words[last].end });
  }

  edge(by) {
    let to = this.at;
    while (this.words[to + by]?.piece === this.words[this.at].piece) to += by;
    return to;
  }

  // The first word of the next or previous sentence or piece.
  jump(by, what) {
    const here = (at) => `${this.words[at].piece} ${what === "piece" ? "" : this.words[at].sentence}`;
    let to = this.at;
    while (this.words[to + by] && here(to + by) === here(this.at)) to += by;
    to = this.words[to + by] ? to + by : to;
    if (by < 0) while (this.words[to - 1] && here(to - 1) === here(to)) to -= 1;
    return to;
  }
}
