// Trace each change of evidence and kind of an answer. The picker traces those of marked words.
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { Evidence } from "./evidence.js" */
/** @import { Kinds } from "./kinds.js" */

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Recorded {
  #last;

  /** @param {Screen} screen @param {{ evidence: Evidence, kinds: Kinds }} options */
  constructor(screen, { evidence, kinds }) {
    this.screen = screen;
    this.evidence = evidence;
    this.kinds = kinds;
    this.#last = this.#now();
  }

  #now() { return { evidence: this.evidence.places, kind: this.kinds.kind, value: this.kinds.state.value }; }

  // Trace the difference from the last time, so that undo and clearing are traced like everything else.
  look() {
    const [last, now] = [this.#last, this.#now()];
    this.#last = now;
    const added = now.evidence.filter((place) => !last.evidence.includes(place)).slice(0, 100);
    const removed = last.evidence.filter((place) => !now.evidence.includes(place)).slice(0, 100);
    if (added.length || removed.length) {
      this.screen.note("evidence_changed", { added, removed, of: now.evidence.length });
    }
    if (last.kind !== now.kind) this.screen.note("kind_changed", { from: last.kind, to: now.kind });
    else if (!same(last.value, now.value)) this.screen.note("value_changed", { to: now.value });
  }
}
