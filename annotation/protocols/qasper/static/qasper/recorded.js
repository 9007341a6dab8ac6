// What is recorded of answering beside the answer: each change of evidence, words and kind, and what came of advice.

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Recorded {
  #last = null;
  #advised = new Map(); // kind of advice -> "" while it is shown, then what came of it

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

  // Whether a piece of advice is to be seen: while it holds, and nobody said that all is as it should be.
  advice(kind, holds) {
    const known = this.#advised.get(kind);
    if (holds && known === undefined) {
      this.#advised.set(kind, "");
      this.screen.note("advice_shown", { kind });
    } else if (!holds && known !== undefined) {
      this.#advised.delete(kind);
      if (known === "") this.screen.note("advice_answered", { kind, answer: "changed" });
    }
    return holds && this.#advised.get(kind) === "";
  }

  keep(kind) {
    this.#advised.set(kind, "kept");
    this.screen.note("advice_answered", { kind, answer: "kept" });
  }

  // What was advised and neither followed nor turned down is sent as it is.
  sent() {
    for (const [kind, answer] of this.#advised) {
      if (answer !== "") continue;
      this.#advised.set(kind, "sent");
      this.screen.note("advice_answered", { kind, answer: "sent" });
    }
  }
}
