// Paste a quote: the server says where it stands in the box; several places are offered with the words around them.
import { make } from "../goldfinch/say.js";

export function findQuotes(screen, { spans, pick }) {
  const { voice } = screen;
  const field = screen.find("[data-quote]");
  const matches = screen.find("[data-matches]");
  const say = (sentence) => matches.replaceChildren(make("p", { class: "form-text", role: "status" }, sentence));

  const take = ({ start, end }) => {
    const range = spans.fromTokens(start, end);
    if (!range) return say(voice.text("quote-none"));
    field.value = "";
    matches.replaceChildren();
    return pick(range);
  };

  function offer(found) {
    const buttons = found.map((match) => {
      const [before, ...after] = match.context.split(match.quote);
      return make("button", { class: "btn btn-sm", type: "button", on: () => take(match) }, make("span", { dir: "auto" }, before, make("mark", {}, match.quote), after.join(match.quote)));
    });
    matches.replaceChildren(make("p", { class: "form-text", role: "status" }, voice.text("quote-several", { n: found.length })), ...buttons);
    buttons[0].focus();
  }

  async function find() {
    const text = field.value.trim();
    if (!text) return field.focus();
    try {
      const answer = await fetch(`${screen.urls.findQuote}?${new URLSearchParams({ text })}`);
      if (answer.redirected || answer.status === 401) return screen.signedOut();
      if (!answer.ok) throw new Error(String(answer.status));
      const { matches: found } = await answer.json();
      if (!found.length) return say(voice.text("quote-none"));
      return found.length === 1 ? take(found[0]) : offer(found);
    } catch {
      return say(voice.text("quote-failed"));
    }
  }

  screen.find("[data-find-quote]").addEventListener("click", find, { signal: screen.signal });
  field.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) { event.preventDefault(); find(); } }, { signal: screen.signal });
}
