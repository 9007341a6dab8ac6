// The list of marked spans and the pending one, for any kind of span. No DOM.

/** @template S */
export class Marked {
  /** @type {S[]} */
  list = []; // in order, never overlapping
  /** @type {S | null} */
  pending = null;
  /** @type {S | null} */
  editing = null; // the added span that the pending one was made from
  /** @type {S[]} */
  passed = []; // those that were pending before, apart from the pending one, and were not added
  #order; #overlap; #most;

  // `order(a, b)` sorts, `overlap(a, b)` returns whether two spans overlap. `most`: the maximum number of spans.
  /** @param {{ order: (a: S, b: S) => number, overlap: (a: S, b: S) => boolean, most?: number }} options */
  constructor({ order, overlap, most = Infinity }) {
    this.#order = order;
    this.#overlap = overlap;
    this.#most = most;
  }

  // Make it the pending one. The one before is passed over if it is elsewhere and there may be several: whoever marks
  // one after another may have meant both, or have changed their mind.
  /** @param {S} span */
  select(span) {
    const before = this.pending;
    this.passed = this.passed.filter((one) => !this.#overlap(one, span));
    if (before && !this.editing && this.#most > 1 && !this.#overlap(before, span)) this.passed.push(before);
    this.pending = span;
  }

  // The spans that the pending one replaces once it is added: those that it overlaps, and the first ones if there are
  // too many.
  get replaced() {
    if (!this.pending) return [];
    const apart = this.list.filter((span) => !this.#overlap(span, this.pending));
    const kept = apart.slice(Math.max(0, apart.length + 1 - this.#most));
    return this.list.filter((span) => !kept.includes(span));
  }

  // What a draft keeps: also the pending span, so that nobody has to mark words again, unless it would replace one that
  // was added; until it is confirmed, that one counts.
  get drafted() { return this.replaced.length ? this.list : this.#whole; }

  get #whole() {
    if (!this.pending) return this.list;
    const away = this.replaced;
    return [...this.list.filter((span) => !away.includes(span)), this.pending].sort(this.#order);
  }

  // Add the pending span and return the spans that it replaces.
  add() {
    if (!this.pending) return [];
    const away = this.replaced;
    this.list = this.#whole;
    this.#settled();
    return away;
  }

  // Add the pending span and those that were passed over for it; return the spans that they replace.
  addAll() {
    const all = this.pending ? [...this.passed, this.pending] : [];
    return all.flatMap((span) => {
      this.pending = span;
      return this.add();
    });
  }

  #settled() {
    this.pending = this.editing = null;
    this.passed = [];
  }

  /** @param {S} span */
  remove(span) { this.list = this.list.filter((one) => one !== span); }

  // Make an added span pending again, to change its ends.
  /** @param {S} span */
  edit(span) {
    this.drop();
    this.remove(span);
    this.pending = this.editing = span;
  }

  // Discard the pending span; one that was being edited is restored.
  drop() {
    if (this.editing) this.list = [...this.list, this.editing].sort(this.#order);
    this.#settled();
  }

  // Discard the pending span only: the last one that was passed over is pending again.
  back() {
    const before = this.passed.at(-1);
    if (!before) { this.drop(); return; }
    this.passed = this.passed.slice(0, -1);
    this.pending = before;
  }

  clear() {
    this.list = [];
    this.#settled();
  }

  /** @param {S[]} spans */
  set(spans) { this.clear(); this.list = [...spans].sort(this.#order); }

  get state() {
    return { list: [...this.list], pending: this.pending, editing: this.editing, passed: [...this.passed] };
  }

  set state({ list, pending, editing, passed }) {
    Object.assign(this, { list: [...list], pending, editing, passed: [...passed] });
  }
}
