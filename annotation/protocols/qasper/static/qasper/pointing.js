// Mouse and touch on the paper: a click is a sentence, a drag or a double click are words, taps set first and last word.

export class Pointing {
  #dragged = false;
  #settling = null;
  #tapped = null; // the first of two taps
  #last = null; // the sentence that the first of two clicks chose

  // `hears`: sentence, twice, words, sentences, float, at; `marking()` says whether taps mark words, `spans()` whether a drag does.
  constructor(screen, paper, hears) {
    Object.assign(this, { paper, hears, material: screen.find("#material") });
    const options = { signal: screen.signal };
    this.material.addEventListener("pointerdown", () => { this.#dragged = false; }, options);
    this.material.addEventListener("mouseup", (event) => this.#up(event), options);
    this.material.addEventListener("click", (event) => this.#click(event), options);
    document.addEventListener("selectionchange", () => this.#touched(), options);
  }

  forget() { this.#tapped = null; }

  #selection() {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    return this.paper.root.contains(range.commonAncestorContainer) ? range : null;
  }

  // What a range touches in each paragraph, in order.
  #parts(range) {
    return this.paper.stops.flatMap(({ paragraph, element }) => {
      if (paragraph === undefined || !range.intersectsNode(element)) return [];
      const block = this.paper.block(paragraph);
      const start = element.contains(range.startContainer) ? block.offset(range.startContainer, range.startOffset) : 0;
      const end = element.contains(range.endContainer) ? block.offset(range.endContainer, range.endOffset, { end: true }) : range.comparePoint(element, element.childNodes.length) > 0 ? 0 : block.text.length;
      return end > start ? [{ block, start, end }] : [];
    });
  }

  #take(range) {
    const parts = this.#parts(range);
    if (!parts.length) return;
    if (this.hears.spans()) {
      const { block, start, end } = parts[0];
      const words = block.snap(start, end);
      getSelection().removeAllRanges();
      if (words) this.hears.words({ paragraph: block.index, start: words[0], end: words[1] });
    } else {
      this.hears.sentences(parts.map(({ block, start, end }) => ({ paragraph: block.index, start, end })));
    }
  }

  #up(event) {
    if (event.button) return;
    const range = this.#selection();
    if (!range) return;
    this.#dragged = true;
    if (event.detail > 1) {
      // A double click: its first click chose a sentence, which was not meant when words are marked.
      if (!this.hears.spans()) return getSelection().removeAllRanges();
      if (this.#last) this.hears.twice();
      this.#last = null;
    }
    this.#tapped = null;
    this.#take(range);
  }

  #touched() {
    if (!matchMedia("(pointer: coarse)").matches) return;
    clearTimeout(this.#settling);
    // A long press on a touch screen ends without an event that we could wait for.
    if (this.#selection()) this.#settling = setTimeout(() => { const range = this.#selection(); if (range) this.#take(range); }, 400);
  }

  #click(event) {
    const figure = event.target.closest("[data-float]");
    if (event.target.closest("[data-float-toggle]")) return this.hears.float(Number(figure.dataset.float));
    if (this.#dragged || event.target.closest("a, button")) return undefined;
    if (figure) return this.hears.at({ float: Number(figure.dataset.float) });
    const block = this.paper.blockAt(event.target);
    if (!block) return undefined;
    if (this.hears.marking()) return this.#tap(block, event);
    const sentence = event.target.closest("[data-sentence]");
    this.#last = null;
    if (!sentence) return this.hears.at({ paragraph: block.index });
    if (event.detail > 1) return undefined;
    this.#last = { paragraph: block.index, sentence: Number(sentence.dataset.sentence) };
    return this.hears.sentence(this.#last.paragraph, this.#last.sentence);
  }

  #tap(block, { clientX, clientY }) {
    const word = this.#wordAt(block, clientX, clientY);
    if (!word) return;
    const first = this.#tapped?.paragraph === block.index ? this.#tapped : null;
    this.#tapped = first ? null : { paragraph: block.index, start: word[0], end: word[1] };
    this.hears.words({ paragraph: block.index, start: Math.min(word[0], first?.start ?? word[0]), end: Math.max(word[1], first?.end ?? word[1]) });
  }

  #wordAt(block, x, y) {
    const near = (word) => [...block.range(...word).getClientRects()].some((r) => x >= r.left - 4 && x <= r.right + 4 && y >= r.top - 4 && y <= r.bottom + 4);
    return block.words.find(near) ?? null;
  }
}
