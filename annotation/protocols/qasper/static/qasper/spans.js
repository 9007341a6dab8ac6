// The marked words: spans of one paragraph each, and one that is being selected. No DOM in here.

const order = (a, b) => a.paragraph - b.paragraph || a.start - b.start;

const AROUND = 30; // units of text that tell one place from another

export class Spans {
  list = []; // { paragraph, start, end } in UTF-16 units, in order, never overlapping
  pending = null;
  editing = null; // the span that the pending one came from

  constructor(paper) { this.paper = paper; }

  quote({ paragraph, start, end }) { return this.paper.block(paragraph).slice(start, end); }

  // The words of a span with a little before and after them.
  around(span) {
    const block = this.paper.block(span.paragraph);
    const [from, to] = [block.words.findLast(([start]) => start <= span.start - AROUND)?.[0] ?? 0, block.words.find(([, end]) => end >= span.end + AROUND)?.[1] ?? block.text.length];
    return { before: block.slice(from, span.start), words: this.quote(span), after: block.slice(span.end, to) };
  }

  size({ paragraph, start, end }) { return this.paper.block(paragraph).size(start, end); }

  select(span) { this.pending = span; }

  // Moves one end of the pending span by one word; at least one word stays.
  move(side, by) {
    const { words } = this.paper.block(this.pending.paragraph);
    let first = words.findIndex(([, end]) => end > this.pending.start);
    let last = words.findLastIndex(([start]) => start < this.pending.end);
    if (side === "start") first = Math.min(Math.max(0, first + by), last);
    else last = Math.max(Math.min(words.length - 1, last + by), first);
    this.pending = { ...this.pending, start: words[first][0], end: words[last][1] };
  }

  // Adds the pending span; those that it overlaps give way to it.
  add() {
    const { paragraph, start, end } = this.pending;
    const stay = this.list.filter((one) => one.paragraph !== paragraph || one.end <= start || end <= one.start);
    this.list = [...stay, this.pending].sort(order);
    this.pending = this.editing = null;
  }

  remove(span) { this.list = this.list.filter((one) => one !== span); }

  edit(span) {
    this.remove(span);
    this.pending = this.editing = span;
  }

  // Leaves the pending span; one that was being changed goes back as it was.
  drop() {
    if (this.editing) this.list = [...this.list, this.editing].sort(order);
    this.pending = this.editing = null;
  }

  clear() { this.list = []; this.pending = this.editing = null; }

  load(spans) {
    this.list = spans.flatMap(({ paragraph, start, end }) => {
      const block = this.paper.block(paragraph);
      return block ? [{ paragraph, start: block.toUnits(start), end: block.toUnits(end) }] : [];
    }).sort(order);
  }

  forForm() {
    return JSON.stringify(this.list.map((span) => {
      const block = this.paper.block(span.paragraph);
      return { paragraph: span.paragraph, start: block.toPoints(span.start), end: block.toPoints(span.end), quote: this.quote(span) };
    }));
  }

  get state() { return { list: [...this.list], pending: this.pending, editing: this.editing }; }

  set state(state) { Object.assign(this, { list: [...state.list], pending: state.pending, editing: state.editing }); }
}
