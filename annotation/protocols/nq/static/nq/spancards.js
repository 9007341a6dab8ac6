// The spans in words: a card for each, with go to, edit and remove, and the handles of the one that is being selected.
import { icon, make } from "../goldfinch/say.js";

const tool = (name, label, on) => make(
  "button", { class: "btn btn-link btn-sm btn-icon", type: "button", "aria-label": label, title: label, on },
  icon(name),
);

function card(screen, spans, span, actions, pending) {
  const { voice } = screen;
  const words = spans.quote(span);
  const count = voice.text("words", { n: spans.size(span) });
  const tools = make("div", { class: "tools" },
    tool("goto", voice.text("go-to", { what: words }), () => actions.show(span)),
    pending ? "" : tool("edit", voice.text("edit", { what: words }), () => actions.edit(span)),
    tool("x", voice.text("remove", { what: words }), () => (pending ? actions.drop() : actions.remove(span))));
  return make("li", { class: `marked${pending ? " pending" : ""}` },
    make("q", { class: "clamp", dir: "auto", lang: screen.root.dataset.lang }, words),
    make("div", { class: "meta" }, pending ? voice.text("not-added", { count }) : count), tools);
}

export function drawSpans(screen, spans, actions) {
  const cards = spans.list.map((span) => card(screen, spans, span, actions, false));
  if (spans.pending) cards.push(card(screen, spans, spans.pending, actions, true));
  screen.find("[data-spans]").replaceChildren(...cards);
  screen.find("[data-no-spans]").hidden = cards.length > 0;
}

// One press moves one end by one word, so nobody has to drag.
export function drawHandles(screen, spans, actions) {
  const place = screen.find("[data-handles]");
  place.hidden = !spans.pending;
  if (!spans.pending) return;
  const { voice } = screen;
  const words = spans.quote(spans.pending);
  const count = voice.text("words", { n: spans.size(spans.pending) });
  place.setAttribute("aria-label", voice.text("selected", { what: words, count }));
  place.querySelector("[data-words]").textContent = words;
  place.querySelector("[data-count]").textContent = count;
  place.onclick = (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.end) actions.move(button.dataset.end, Number(button.dataset.by));
    else if (button) actions.add();
  };
}
