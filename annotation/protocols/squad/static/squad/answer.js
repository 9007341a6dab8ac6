// An answer: words of the paragraph, or no answer. Marking words chooses the first.
import { leaveHidden } from "../goldfinch/hidden_focus.js";
import { paint } from "../goldfinch/highlights.js";
import { SpanPicker } from "../goldfinch/spans/picker.js";
import { lower } from "./bottom_sheet.js";
/** @import { Screen } from "../goldfinch/screen.js" */

/** @param {Screen} screen */
export function start(screen) {
  const { form, voice, keys } = screen;
  if (!form) return null;
  const { kind } = form.elements;
  const state = () => ({ kind: kind.value, spans: picker.spans.state });
  let before = kind.value;

  const picker = new SpanPicker(screen, {
    name: "span",
    most: 1,
    remember: () => screen.steps.push(state()),
    redraw: ({ changed }) => {
      draw();
      if (changed) screen.changed();
    },
    enter() {
      choose("span");
      return true;
    },
    selecting: () => choose("span"),
    bring: () => lower(screen),
  });

  function draw() {
    picker.draw();
    const none = kind.value === "unanswerable";
    if (none) paint("span", []); // the marked words are kept for a change of mind, but they are not the answer now
    screen.find("[data-words-part]").hidden = none;
    screen.find("[data-none-part]").hidden = !none;
    leaveHidden(screen.find("#material"));
    const words = picker.spans.list.map((span) => picker.spans.quote(span)).join();
    screen.find("[data-summary]").textContent = none ? voice.text("summary-none") : words || voice.text("summary-open");
    before = kind.value;
  }

  /** @param {string} value */
  function choose(value) {
    if (kind.value === value) return;
    screen.steps.push(state());
    kind.value = value;
    settled();
  }

  function settled() {
    if (kind.value === "unanswerable") {
      if (picker.selecting.on) picker.selecting.leave();
      picker.spans.drop();
    }
    screen.noProblem();
    draw();
    screen.changed();
  }

  for (const radio of kind) {
    radio.addEventListener("change", () => {
      screen.steps.push({ ...state(), kind: before });
      settled();
    }, { signal: screen.signal });
  }
  keys.bind("n", () => {
    choose("unanswerable");
    voice.live(voice.text("summary-none"));
  }, { label: voice.text("key-none") });
  draw();

  return {
    undo() {
      const last = screen.steps.pop();
      if (!last) return;
      for (const radio of kind) radio.checked = radio.value === last.kind;
      picker.spans.state = last.spans;
      voice.live(voice.text("undone"));
      draw();
      screen.changed();
    },
    escape: () => picker.escape(),
    ready() {
      if (kind.value === "unanswerable") return true;
      if (!picker.ready()) return false;
      if (picker.isEmpty) screen.problem(voice.text("mark-first"));
      return !picker.isEmpty;
    },
  };
}
