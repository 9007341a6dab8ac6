// Select mode: words by keyboard. Arrows move by word, with Ctrl by sentence; Shift extends, Space sets the start, then the end.

const MOVES = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at, mode) => mode.line(at, -1),
  ArrowDown: (at, mode) => mode.line(at, 1),
  Home: () => 0,
  End: (_, mode) => mode.spans.count - 1,
  "Mod+ArrowLeft": (at, mode) => mode.sentence(at, -1),
  "Mod+ArrowRight": (at, mode) => mode.sentence(at, 1),
  PageUp: (at) => at - 20,
  PageDown: (at) => at + 20,
};

// Told to the frame before the mode is on too: who types fast presses these before the frame has heard of the mode.
export const FIRST_KEYS = ["ArrowLeft", "ArrowRight", "Shift+ArrowLeft", "Shift+ArrowRight", " "];

export class Selecting {
  on = false;
  at = 0;
  #anchor = null;

  // `done(command)` hears "moved", "add" and "leave".
  constructor({ spans, keys, rtl, done }) {
    Object.assign(this, { spans, keys, rtl, done });
  }

  enter() {
    if (this.on || !this.spans.count) return;
    this.on = true;
    this.#anchor = null;
    this.at = this.spans.pending?.[0] ?? Math.min(this.at, this.spans.count - 1);
    this.keys.push();
    for (const key of Object.keys(MOVES)) this.keys.bind([key, this.#shifted(key)], (pressed) => this.#move(key, pressed !== key));
    this.keys.bind(" ", () => this.#set());
    this.keys.bind("Enter", () => this.done("add"));
    this.keys.bind("Escape", () => this.done("leave"));
    this.done("moved");
  }

  leave() {
    if (!this.on) return;
    this.on = false;
    this.#anchor = null;
    this.keys.pop();
  }

  #shifted(key) { return key.startsWith("Mod+") ? key.replace("Mod+", "Mod+Shift+") : `Shift+${key}`; }

  // The arrow that points forward in the text is the left one in a page that is read from right to left.
  #move(key, extend) {
    const mirrored = this.rtl ? key.replace(/Arrow(Left|Right)/, (_, side) => (side === "Left" ? "ArrowRight" : "ArrowLeft")) : key;
    const before = this.at;
    this.at = Math.min(Math.max(0, MOVES[mirrored](this.at, this)), this.spans.count - 1);
    if (extend) this.#anchor ??= before;
    if (this.#anchor !== null && (extend || this.setting)) this.#span();
    else if (!extend) this.#anchor = null;
    this.done("moved");
  }

  setting = false; // Space set the start, and not yet the end

  #set() {
    if (!this.setting) {
      this.setting = true;
      this.#anchor = this.at;
    } else this.setting = false;
    this.#span();
    if (!this.setting) this.#anchor = null;
    this.done("moved");
  }

  #span() { this.spans.select([Math.min(this.#anchor, this.at), Math.max(this.#anchor, this.at) + 1]); }

  added() { this.setting = false; this.#anchor = null; }

  // Lines are known to the frame only; ten words stand for one.
  line(at, by) { return at + 10 * by; }

  sentence(at, by) {
    const ends = (i) => /[.!?。؟۔।]$/.test(this.spans.word(i));
    let to = at + by;
    while (to > 0 && to < this.spans.count - 1 && !ends(to - 1)) to += by;
    return to;
  }
}
