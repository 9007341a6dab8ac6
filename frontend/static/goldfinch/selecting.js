// Select mode: a keyboard cursor over words. Shift extends, Space sets the start, then the end.
/** @import { Keys } from "./keys.js" */

/** @typedef {{ block: number, sentence: number, part?: number }} PlacedWord */
/**
 * @typedef {{ keys: Keys, rtl: boolean, mark: (first: number, last: number) => void,
 *   done: (command: "moved" | "add" | "leave") => void, apart?: boolean }} Selection
 */

/** @type {Record<string, (mode: Selecting<PlacedWord>) => number>} */
const MOVES = {
  ArrowLeft: (mode) => mode.at - 1,
  ArrowRight: (mode) => mode.at + 1,
  ArrowUp: (mode) => mode.at - 10, // lines are known to the browser only; approximate one by ten words
  ArrowDown: (mode) => mode.at + 10,
  Home: (mode) => mode.first("block"),
  End: (mode) => mode.last("block"),
  "Mod+ArrowLeft": (mode) => mode.before("sentence"),
  "Mod+ArrowRight": (mode) => mode.after("sentence"),
  PageUp: (mode) => mode.before("block"),
  PageDown: (mode) => mode.after("block"),
};

/** @type {Record<string, string>} */
const WHOLE = { "Mod+ArrowLeft": "sentence", "Mod+ArrowRight": "sentence", PageUp: "block", PageDown: "block" };

// Sent to a frame in advance too: fast typists press these before the frame has been told of the mode.
export const FIRST_KEYS = ["ArrowLeft", "ArrowRight", "Shift+ArrowLeft", "Shift+ArrowRight", " "];

/** @param {string} key */
const shifted = (key) => (key.startsWith("Mod+") ? key.replace("Mod+", "Mod+Shift+") : `Shift+${key}`);

/** @template {PlacedWord} W */
export class Selecting {
  on = false;
  at = 0;
  /** @type {W[]} */
  words = []; // each has the numbers of its `block` and of its `sentence`; a sentence never goes on in another block
  /** @type {number | null} */
  #anchor = null;
  #setting = false; // Space has set the start, but not the end

  // `mark(first, last)` selects a range of words; `done(command)` is called with "moved", "add" or "leave". `apart`: a
  // selection stays in the part that it began in, which may have several blocks.
  /** @param {Selection} options */
  constructor({ keys, rtl, mark, done, apart = false }) {
    this.keys = keys;
    this.rtl = rtl;
    this.mark = mark;
    this.done = done;
    this.apart = apart;
  }

  // False if there is no word.
  /** @param {W[]} words @param {number} at */
  enter(words, at) {
    if (this.on) return true;
    if (!words.length) return false;
    this.visit(words, at);
    this.on = true;
    this.keys.push();
    for (const key of Object.keys(MOVES)) {
      this.keys.bind([key, shifted(key)], (pressed) => this.#move(key, pressed !== key), { repeats: true });
    }
    this.keys.bind(" ", () => this.#set());
    this.keys.bind("Enter", () => this.done("add"));
    this.keys.bind("Escape", () => this.done("leave"));
    this.done("moved");
    return true;
  }

  // Visit other words from now on.
  /** @param {W[]} words @param {number} at */
  visit(words, at) {
    this.words = words;
    this.at = Math.min(Math.max(0, at), words.length - 1);
    this.added();
  }

  leave() {
    if (!this.on) return;
    this.on = false;
    this.added();
    this.keys.pop();
  }

  // The selection was added: the next one starts afresh.
  added() { this.#anchor = null; this.#setting = false; }

  // In right-to-left text, the left arrow moves forward.
  /** @param {string} key @param {boolean} extend */
  #move(key, extend) {
    /** @param {string} _ @param {string} side */
    const other = (_, side) => (side === "Left" ? "ArrowRight" : "ArrowLeft");
    const mirrored = this.rtl ? key.replace(/Arrow(Left|Right)/, other) : key;
    const selects = extend || this.#setting;
    this.#anchor = selects ? (this.#anchor ?? this.at) : null;
    this.at = this.#target(mirrored);
    if (selects) this.#span();
    this.done("moved");
  }

  // A selection goes on to the end of a sentence or block, and not into the next one.
  /** @param {string} key */
  #target(key) {
    const to = Math.min(Math.max(0, MOVES[key](this)), this.words.length - 1);
    const [what, anchor] = [WHOLE[key], this.#anchor];
    if (!what || anchor === null) return to;
    if (to > this.at) return to > anchor ? this.through(what) : to;
    return to > anchor && to < this.at ? to - 1 : to;
  }

  #set() {
    this.#setting = !this.#setting;
    if (this.#setting) this.#anchor = this.at;
    this.#span();
    if (!this.#setting) this.#anchor = null;
    this.done("moved");
  }

  #span() {
    const { part } = this.words[this.#anchor];
    const by = this.#anchor < this.at ? -1 : 1;
    while (this.apart && this.words[this.at].part !== part) this.at += by;
    this.mark(Math.min(this.#anchor, this.at), Math.max(this.#anchor, this.at));
  }

  /** @param {PlacedWord | undefined} a @param {PlacedWord | undefined} b @param {string} what */
  #alike(a, b, what) { return a?.block === b?.block && (what === "block" || a?.sentence === b?.sentence); }

  // The first and the last word of the block or sentence of a word.
  /** @param {string} what */
  first(what, at = this.at) {
    while (at > 0 && this.#alike(this.words[at - 1], this.words[at], what)) at -= 1;
    return at;
  }

  /** @param {string} what */
  last(what, at = this.at) {
    while (this.#alike(this.words[at + 1], this.words[at], what)) at += 1;
    return at;
  }

  // To the start of the block or sentence; from there, to the start of the one before.
  /** @param {string} what */
  before(what) {
    const first = this.first(what);
    return first < this.at ? first : this.first(what, Math.max(0, first - 1));
  }

  // To the end of the block or sentence; from there, to the end of the next one.
  /** @param {string} what */
  through(what) {
    const last = this.last(what);
    return last > this.at ? last : this.last(what, Math.min(last + 1, this.words.length - 1));
  }

  // To the start of the next one; in the last one, to its end.
  /** @param {string} what */
  after(what) { return Math.min(this.last(what) + 1, this.words.length - 1); }
}
