// What is recorded of answering beside the answer: each change of evidence, words and kind.

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Recorded {
  #last = null;

  constructor(screen, { evidence, spans, kinds }) {
    Object.assign(this, { screen, evidence, spans, kinds });
    this.#last = this.#now();
  }

  #now() {
    const points = ({ paragraph, start, end }) => `${paragraph}:${start}-${end}`;
    return { evidence: this.evidence.places, spans: this.spans.list.map(points), kind: this.kinds.kind, value: this.kinds.state.value };
  }

  // Compares with what was there before, so that undo and clearing are told like everything else.
  look() {
    const [last, now] = [this.#last, this.#now()];
    this.#last = now;
    for (const what of ["evidence", "spans"]) {
      const added = now[what].filter((place) => !last[what].includes(place));
      const removed = last[what].filter((place) => !now[what].includes(place));
      if (added.length || removed.length) this.screen.note(`${what}_changed`, { added: added.slice(0, 100), removed: removed.slice(0, 100), of: now[what].length });
    }
    if (last.kind !== now.kind) this.screen.note("kind_changed", { from: last.kind, to: now.kind });
    else if (!same(last.value, now.value)) this.screen.note("value_changed", { to: now.value });
  }
}
