// A chip for each marked span (go to, change, remove), and the bar of the pending one.
// `spans` is a Marked with the methods `quote(span)`, `size(span)` and `unit(span)`.
/**
 * @template S
 * @typedef {Marked<S> & { quote(span: S): string, size(span: S): number, unit(span: S): SizeUnit }} Quotable
 */
/**
 * @template S
 * @typedef {{ goTo(span: S): void, edit(span: S): void, remove(span: S): void }} ChipActions
 */
/** @typedef {{ move(end: string, by: number): void, add(): void, addAll(): void, drop(): void }} BarActions */
/** @typedef {{ ask?: string, say?: string, add?: string, problem?: string }} Concern */
import { icon, make } from "../say.js";
/** @import { Screen } from "../screen.js" */
/** @import { Marked } from "./marked.js" */
/** @import { SizeUnit } from "./words.js" */
/** @import { Voice } from "../say.js" */

/** @param {string} name @param {string} label @param {() => void} on */
export const tool = (name, label, on) => make(
  "button", { class: "btn btn-link btn-sm btn-icon", type: "button", "aria-label": label, title: label, on },
  icon(name),
);

// "3 words" or, in a text that is counted so, "3 characters".
/**
 * @template S
 * @param {Voice} voice @param {{ size(span: S): number, unit(span: S): SizeUnit }} spans @param {S} span
 */
export const sizeText = (voice, spans, span) => voice.text(spans.unit(span), { n: spans.size(span) });

/** @param {string} text */
export const short = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

// Replace the cards of a list; after a removal by keyboard, focus moves to the next card, or to `otherwise`.
/** @param {HTMLElement} list @param {HTMLElement[]} cards @param {HTMLElement | null} otherwise */
export function keepFocus(list, cards, otherwise) {
  const at = [...list.children].findIndex((card) => card.contains(document.activeElement));
  list.replaceChildren(...cards);
  if (at < 0) return;
  const next = cards[Math.min(at, cards.length - 1)]?.querySelector("button:last-of-type");
  (next ?? otherwise)?.focus({ preventScroll: true });
}

/**
 * @template S
 * @param {Screen} screen @param {Quotable<S>} spans @param {S} span @param {ChipActions<S>} actions
 */
function chip(screen, spans, span, actions) {
  const { voice } = screen;
  const words = spans.quote(span);
  const what = short(words);
  return make("li", { class: "chip" },
    make("q", { dir: "auto", lang: screen.root.dataset.lang || null }, words),
    make("span", { class: "count num" }, sizeText(voice, spans, span)),
    tool("goto", voice.text("go-to", { what }), () => actions.goTo(span)),
    tool("edit", voice.text("edit", { what }), () => actions.edit(span)),
    tool("x", voice.text("remove", { what }), () => actions.remove(span)));
}

/**
 * @template S
 * @param {Screen} screen @param {Quotable<S>} spans @param {ChipActions<S>} actions
 */
export function drawChips(screen, spans, actions) {
  const chips = spans.list.map((span) => chip(screen, spans, span, actions));
  keepFocus(screen.find("[data-spans]"), chips, screen.find("[data-prompt]"));
  screen.find("[data-no-spans]").hidden = chips.length > 0 || Boolean(spans.pending);
}

// “Cordouan” and “25 July 1823”: the words of some spans.
/**
 * @template S
 * @param {Screen} screen @param {Quotable<S>} spans @param {S[]} some
 */
function quoted(screen, spans, some) {
  const list = new Intl.ListFormat(document.documentElement.lang || "en");
  return list.format(some.map((span) => screen.voice.text("quoted", { what: short(spans.quote(span)) })));
}

// What adding the pending words would do to those marked before: { ask, add }, or null if nothing.
/**
 * @template S
 * @param {Screen} screen @param {Quotable<S>} spans
 */
export function replacing(screen, spans) {
  const away = spans.replaced;
  if (!away.length) return null;
  const what = quoted(screen, spans, away);
  return { ask: screen.voice.text("replaces", { what }), add: screen.voice.text("replace") };
}

// The pending words, beside the text and among the chips. `ask`: what to confirm before these words are added, or "";
// `add`: the button's label for that case.
/**
 * @template S
 * @param {Screen} screen @param {Quotable<S>} spans @param {Concern | null} [concern]
 */
export function drawBar(screen, spans, concern) {
  const bar = screen.find("[data-pending-bar]");
  const chip = screen.find("[data-pending-chip]");
  bar.hidden = chip.hidden = !spans.pending;
  if (!spans.pending) return;
  const count = sizeText(screen.voice, spans, spans.pending);
  chip.querySelector("q").textContent = spans.quote(spans.pending);
  chip.querySelector(".count").textContent = screen.voice.text("being-marked", { count });
  const passed = bar.querySelector("[data-passed]");
  passed.hidden = !spans.passed.length;
  const what = quoted(screen, spans, spans.passed);
  passed.querySelector("[data-passed-words]").textContent = screen.voice.text("passed", { what });
  const { ask = "", add = "" } = concern ?? replacing(screen, spans) ?? {};
  bar.querySelector("[data-pending-words]").textContent = spans.quote(spans.pending);
  bar.querySelector("[data-pending-count]").textContent = count;
  bar.querySelector("[data-ask]").hidden = !ask;
  bar.querySelector("[data-ask-words]").textContent = ask;
  bar.querySelector("[data-span-add-label]").textContent = add || screen.voice.text("add");
}

// One press moves one end by one word, so dragging is never necessary.
/** @param {Screen} screen @param {BarActions} actions */
export function listenToBar(screen, actions) {
  screen.find("[data-pending-bar]").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && "fine" in button.dataset) return;
    if (button?.dataset.end) actions.move(button.dataset.end, Number(button.dataset.by));
    else if (button && "spanAdd" in button.dataset) actions.add();
    else if (button && "spanAddAll" in button.dataset) actions.addAll();
    else if (button) actions.drop();
  }, { signal: screen.signal });
}
