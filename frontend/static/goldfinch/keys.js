// Keyboard shortcuts of a screen, in layers. The work page handles them, including keys pressed in its frame.
import { make } from "./say.js";
import { read, write } from "./storage.js";

/**
 * @typedef {{ keys: string[], shown: string[], run: (key: string) => void, label: string, general: boolean,
 *   repeats: boolean }} Binding
 */

export const FIELDS = "input:not([type=radio], [type=checkbox], [type=button], [type=submit]), textarea, select, "
  + "[contenteditable]";
const CONTROLS = "a, button, input, select, textarea, summary";

// Normalized name of a key: modifiers in this order, then the printed character. frame/channel.js must match.
/** @param {KeyboardEvent} event */
export function describe(event) {
  const printable = event.key.length === 1;
  const letter = event.altKey && event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key;
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Mod");
  if (event.altKey) parts.push("Alt");
  if (event.shiftKey && (!printable || event.altKey)) parts.push("Shift");
  parts.push(printable ? letter.toLowerCase() : letter);
  return parts.join("+");
}

/** @param {string} key */
const isSingle = (key) => key.length === 1;

export class Keys {
  /** @type {Binding[][]} */
  #layers = [[]];
  #changed; #used;

  /** @param {{ changed: () => void, used?: (key: string) => void }} options */
  constructor({ changed, used = () => {} }) {
    this.#changed = changed;
    this.#used = used;
    this.singles = read("goldfinch:single-keys") !== "off";
  }

  // Several keys may do the same; with `label`, the first of them is listed in the dialog behind `?`. `repeats`: it
  // runs again and again while the key is held, which is for moving only.
  /**
   * @param {string | string[]} keys
   * @param {(key: string) => void} run
   * @param {{ label?: string, shown?: string | string[], general?: boolean, repeats?: boolean }} [options]
   */
  bind(keys, run, { label = "", shown = keys, general = false, repeats = false } = {}) {
    this.#layers.at(-1).push({ keys: [keys].flat(), shown: [shown].flat(), run, label, general, repeats });
    this.#changed();
  }

  // A layer of keys that takes precedence over those below it, until `pop`.
  push() { this.#layers.push([]); }

  pop() {
    if (this.#layers.length > 1) this.#layers.pop();
    this.#changed();
  }

  /** @param {boolean} on */
  switchSingles(on) {
    this.singles = on;
    write("goldfinch:single-keys", on ? "on" : "off");
    this.#changed();
  }

  /** @param {string} key */
  #find(key) {
    const off = isSingle(key) && key !== "?" && !this.singles; // those of a layer (Space in select mode) stay on
    for (const layer of this.#layers.slice(off ? 1 : 0).toReversed()) {
      const found = layer.findLast((binding) => binding.keys.includes(key));
      if (found) return found;
    }
    return undefined;
  }

  // Every key that does something now: the frame must prevent their default and pass them on.
  all() {
    return [...new Set(this.#layers.flat().flatMap((binding) => binding.keys))].filter((key) => this.#find(key));
  }

  // The keys with a label: the stage's own first, those of every stage last.
  map() {
    const shown = this.#layers.flat().filter((binding) => binding.label);
    return [...shown.filter((binding) => !binding.general), ...shown.filter((binding) => binding.general)];
  }

  // True if the key means something here. `repeat`: it is still held from before.
  /** @param {string} key @param {{ repeat?: boolean }} [options] */
  run(key, { repeat = false } = {}) {
    const binding = this.#find(key);
    if (!binding) return false;
    if (repeat && !binding.repeats) return true;
    this.#used(key);
    binding.run(key);
    return true;
  }

  // A key pressed on the work page itself: never a letter in a text field or in the bar above the work and its menu,
  // never Enter or arrows on a control.
  /** @param {KeyboardEvent & { target: HTMLElement }} event */
  press(event) {
    if (event.defaultPrevented) return;
    const key = describe(event);
    const dialog = document.querySelector("dialog[open]");
    if (dialog) { // its form is sent by page.js, if it is marked for that; the key presses no other button
      if (key === "Mod+Enter" && !dialog.querySelector("form[data-ctrl-enter]")) event.preventDefault();
      return;
    }
    if (key === "Escape" && document.querySelector(":popover-open")) return; // the browser closes the menu
    const plain = !key.includes("Mod+") && !key.includes("Alt+");
    if (plain && event.target.matches(FIELDS) && !["F3", "Shift+F3", "Escape"].includes(key)) return;
    if (isSingle(key) && key !== "?" && event.target.closest(".topbar")) return;
    if (plain && (key === "Enter" || key === " " || key.includes("Arrow")) && event.target.closest(CONTROLS)) return;
    if (this.run(key, event)) event.preventDefault();
  }
}

/** @type {Record<string, string>} */
const NAMES = {
  Mod: /Mac|iP/.test(navigator.platform) ? "⌘" : "Ctrl",
  Enter: "↵", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", " ": "␣",
};

// The rows of the list of keys.
/** @param {Binding[]} map */
export function keyRows(map) {
  return map.flatMap(({ shown, label }) => [
    make("dt", {}, ...shown.map((key) => make("kbd", {}, named(key)))),
    make("dd", {}, label),
  ]);
}

/** @param {string} key */
export function named(key) {
  return key.split("+").map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(" ");
}
