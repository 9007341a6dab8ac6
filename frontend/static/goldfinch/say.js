// Translated messages of a screen with placeholders filled in, its live regions, and notices.
import { clearTimeout, requestAnimationFrame, setTimeout } from "./settled.js";

/** @typedef {{ on?: () => void, [name: string]: string | boolean | null | (() => void) }} Attributes */

export class Voice {
  #root;
  #plural = new Intl.PluralRules(document.documentElement.lang || "en");
  /** @type {number | undefined} */
  #speaking;

  /** @param {HTMLElement} root */
  constructor(root) { this.#root = root; }

  // `n` selects the plural form; every {name} is filled from `values`.
  /** @param {string} key @param {{ n?: number, [name: string]: string | number }} [values] */
  text(key, values = {}) {
    const words = this.#root.querySelector("template[data-say]")?.content;
    /** @param {string} k */
    const say = (k) => words?.querySelector(`[data-k="${CSS.escape(k)}"]`)?.textContent.trim();
    const form = "n" in values ? say(`${key}.${this.#plural.select(values.n)}`) ?? say(`${key}.other`) : undefined;
    return (form ?? say(key) ?? "").replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
  }

  // Debounced, so that a held key doesn't queue up a hundred announcements.
  /** @param {string} sentence */
  live(sentence) {
    const region = this.#root.querySelector("[data-live]");
    clearTimeout(this.#speaking);
    this.#speaking = setTimeout(() => { region.textContent = sentence; }, 150, "speech");
  }

  /** @param {string} sentence */
  alert(sentence) {
    const region = this.#root.querySelector("[data-alert]");
    region.textContent = "";
    requestAnimationFrame(() => { region.textContent = sentence; });
  }
}

/** @param {Date} date */
export function clock(date) {
  return date.toLocaleTimeString(document.documentElement.lang || undefined, {
    hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
  });
}

/** @param {string} name */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

// make("button", { class: "btn", type: "button" }, "text", node, …)
/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener("click", value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

// A notice above the material that stays until `hush`; one per `name`. One that says the same stays in its place, so
// that it is not announced again and its button keeps the focus; the button does what the new one does.
/** @param {HTMLElement} root @param {string} name
 * @param {{ text: string, kind?: string, buttons?: HTMLElement[] }} options */
export function notice(root, name, { text, kind = "gold", buttons = [] }) {
  const words = [icon(kind === "bad" ? "alert" : "clock"), make("div", {}, text)];
  const line = make("div", { class: `alert ${kind}`, role: "status", "data-notice": name }, ...words, ...buttons);
  const stands = root.querySelector(`[data-notice="${name}"]`);
  if (stands?.className !== line.className || stands.textContent !== line.textContent) {
    hush(root, name);
    root.querySelector("[data-notices]").append(line);
    return;
  }
  for (const [place, button] of buttons.entries()) {
    const before = stands.children[words.length + place];
    const focused = before === document.activeElement;
    before.replaceWith(button);
    if (focused) button.focus();
  }
}

/** @param {HTMLElement} root @param {string} name */
export function hush(root, name) {
  root.querySelector(`[data-notice="${name}"]`)?.remove();
}

// A toast; with `label`, it has a button that calls `run`. Returns a function that closes it.
/** @param {string} text @param {string} [label] @param {(() => void) | null} [run] */
export function toast(text, label = "", run = null) {
  const place = document.querySelector("[data-toasts]");
  const line = make("div", { class: "toast", role: "status" }, text);
  const close = () => line.remove();
  const on = () => { close(); run(); };
  if (run) line.append(make("button", { class: "btn btn-sm", type: "button", on }, label, " ", make("kbd", {}, "U")));
  place.replaceChildren(line);
  return close;
}
