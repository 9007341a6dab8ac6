// Paste a quote: the server finds it; a single match is taken at once, several are offered with their context.
import { make } from "./say.js";
import { get } from "./fetching.js";
import { isSignedOut } from "./signin.js";
/** @import { Screen } from "./screen.js" */

/** @typedef {{ text: number, start: number, end: number }} Match */
/**
 * @template R
 * @typedef {{ range: R, before: string, words: string, after: string }} Quoted
 */

// `read(match)` returns { range, before, words, after }, or null if no word of the match can be marked; `take(range)`
// marks it.
/**
 * @template Range
 * @param {Screen} screen
 * @param {{ read: (match: Match) => Quoted<Range> | null, take: (range: Range) => void }} options
 */
export function findQuotes(screen, { read, take }) {
  const { voice } = screen;
  const field = screen.find("input[data-quote]");
  const matches = screen.find("[data-matches]");
  /** @param {string} sentence */
  const say = (sentence) => matches.replaceChildren(make("p", { class: "form-text", role: "status" }, sentence));

  /** @param {Quoted<Range>} options */
  function mark({ range }) {
    field.value = "";
    matches.replaceChildren();
    take(range);
  }

  /** @param {Quoted<Range>[]} found */
  function offer(found) {
    const buttons = found.map((place) => make("button", { class: "btn btn-sm", type: "button", on: () => mark(place) },
      make("span", { dir: "auto" }, place.before, make("mark", {}, place.words), place.after)));
    say(voice.text("quote-several", { n: found.length }));
    matches.append(...buttons);
    buttons[0].focus();
  }

  async function find() {
    const text = field.value.trim();
    if (!text) return field.focus();
    try {
      const answer = await get(`${screen.urls.findQuote}?${new URLSearchParams({ text })}`);
      if (answer?.redirected || (answer && isSignedOut(answer))) return screen.requests.signedOut();
      if (!answer?.ok) throw new Error(String(answer?.status));
      // Two matches within one word have the same range.
      /** @type {{ matches: Match[] }} */
      const { matches: all } = await answer.json();
      const places = all.map(read).filter(Boolean);
      const found = [...new Map(places.map((place) => [JSON.stringify(place.range), place])).values()];
      if (!found.length) return say(voice.text("quote-none"));
      return found.length === 1 ? mark(found[0]) : offer(found);
    } catch {
      return say(voice.text("quote-failed"));
    }
  }

  screen.find("[data-find-quote]").addEventListener("click", find, { signal: screen.signal });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!event.repeat) find();
  }, { signal: screen.signal });
}
