// The list of marked spans, and the one that is being selected, whatever a span is made of. No DOM.

export class Marked {
  list = []; // in order, never overlapping
  pending = null;
  editing = null; // the span that the pending one came from
  #order; #overlap; #most;

  // `order(a, b)` sorts, `overlap(a, b)` says whether two spans share a word. `most`: how many there may be.
  constructor({ order, overlap, most = Infinity }) {
    this.#order = order;
    this.#overlap = overlap;
    this.#most = most;
  }

  select(span) { this.pending = span; }

  // Adds the pending span. Those that it overlaps give way to it, and the first ones where there would be too many;
  // they are returned.
  add() {
    if (!this.pending) return [];
    const added = this.pending;
    const apart = this.list.filter((span) => !this.#overlap(span, added));
    const kept = apart.slice(Math.max(0, apart.length + 1 - this.#most));
    const away = this.list.filter((span) => !kept.includes(span));
    this.list = [...kept, added].sort(this.#order);
    this.pending = this.editing = null;
    return away;
  }

  remove(span) { this.list = this.list.filter((one) => one !== span); }

  // Takes a span up again to change its ends.
  edit(span) {
    this.drop();
    this.remove(span);
    this.pending = this.editing = span;
  }

  // Leaves the pending span; one whose ends were being changed goes back as it was.
  drop() {
    if (this.editing) this.list = [...this.list, this.editing].sort(this.#order);
    this.pending = this.editing = null;
  }

  clear() { this.list = []; this.pending = this.editing = null; }

  set(spans) { this.clear(); this.list = [...spans].sort(this.#order); }

  get state() { return { list: [...this.list], pending: this.pending, editing: this.editing }; }

  set state(state) { Object.assign(this, { list: [...state.list], pending: state.pending, editing: state.editing }); }
}
