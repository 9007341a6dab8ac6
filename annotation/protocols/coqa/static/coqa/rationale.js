// An answer in two steps: the words of the passage that support it, then what a person would say, which is copied from
// them as soon as they are marked (CoQA paper, 3.1).
import { Advice } from "../goldfinch/advice.js";
import { leaveHidden } from "../goldfinch/hidden_focus.js";
import { paint } from "../goldfinch/highlights.js";
import { SpanPicker } from "../goldfinch/spans/picker.js";
import { saysSomething } from "../goldfinch/spans/words.js";
import { requestAnimationFrame } from "../goldfinch/settled.js";
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { TextSpan } from "../goldfinch/spans/text_spans.js" */

const LONG = { words: 12, characters: 24 }; // an answer longer than that is hardly what anybody would say

/** @param {Screen} screen */
export function answering(screen) {
  const { form, voice, keys, signal } = screen;
  const { text, unknown } = form.elements;
  const advice = new Advice(screen);
  let copied = ""; // the words that were copied into the box last
  let askedToShorten = false;

  const picker = new SpanPicker(screen, {
    name: "rationale",
    most: 1,
    active: () => !unknown.checked,
    enter: () => {
      if (unknown.checked) know();
      return true;
    },
    adding: () => requestAnimationFrame(toTheBox),
    remember: () => screen.steps.push(state()),
    redraw: ({ changed }) => {
      const before = text.value;
      follow();
      draw();
      if (changed || text.value !== before) screen.changed();
    },
  });

  const state = () => ({ spans: picker.spans.state, text: text.value, unknown: unknown.checked });
  /** @param {TextSpan} span */
  const quote = (span) => picker.spans.quote(span).split(/\s+/).join(" ").trim();
  const current = () => picker.spans.pending ?? picker.spans.list[0] ?? null;
  const marked = () => (current() ? quote(current()) : "");
  const edited = () => Boolean(text.value.trim()) && text.value.trim() !== copied;
  let followed = current(); // the words that were copied last
  copied = marked();

  // Words that are marked are copied, but never over what somebody has written; a nudge of their ends asks nothing.
  function follow() {
    const [span, last] = [current(), followed];
    if (span === last) return;
    followed = span;
    const keeps = edited();
    copied = marked();
    if (!keeps) text.value = copied;
    const nudged = span && last && span.start < last.end && last.start < span.end;
    advice.holds("replaced", Boolean(keeps && span && last && !nudged));
  }

  /** @param {string} words */
  function copy(words) {
    copied = words;
    text.value = words;
    advice.holds("replaced", false);
    draw();
  }

  function toTheBox() {
    text.focus({ preventScroll: true });
    text.setSelectionRange(text.value.length, text.value.length);
    text.scrollIntoView({ block: "nearest" });
  }

  function draw() {
    picker.draw();
    const isUnknown = unknown.checked;
    if (isUnknown) paint("span", []);
    screen.find("[data-rationale-part]").hidden = isUnknown;
    screen.find("[data-unknown-part]").hidden = !isUnknown;
    screen.find("[data-words-part]").hidden = isUnknown;
    leaveHidden(unknown);
    const note = screen.find("[data-copied]");
    const has = Boolean(marked());
    form.toggleAttribute("data-unmarked", !has && !text.value.trim());
    if (has && text.value.trim() === marked()) note.textContent = voice.text("as-copied");
    else if (has && text.value.trim()) note.textContent = voice.text("as-edited");
    screen.find("[data-copy].more").hidden = !has || text.value.trim() === marked();
    if (!isLong()) advice.holds("long", false);
  }

  function isLong() {
    const { spans } = picker;
    const span = current();
    return Boolean(span) && text.value.trim() === marked() && spans.size(span) > LONG[spans.unit(span)];
  }

  /** @param {string} sentence */
  function settled(sentence) {
    screen.noProblem();
    draw();
    screen.changed();
    voice.live(voice.text(sentence));
  }

  // The rationale and the words are only hidden: the draft keeps them for a change of mind, and nobody is sent them.
  function notKnow() {
    if (picker.selecting.on) picker.selecting.leave();
    picker.spans.drop();
    screen.steps.push({ ...state(), unknown: false });
    unknown.checked = true;
    settled("is-unknown");
  }

  function know() {
    screen.steps.push({ ...state(), unknown: true });
    unknown.checked = false;
    settled("not-unknown");
  }

  unknown.addEventListener("change", () => (unknown.checked ? notKnow() : know()), { signal });
  let fromBox = false; // Unknown was chosen there
  keys.bind("Alt+u", () => {
    if (!unknown.checked) {
      fromBox = document.activeElement === text;
      notKnow();
      return;
    }
    know();
    if (fromBox && document.activeElement === unknown) toTheBox();
  }, { label: voice.text("key-unknown") });
  text.addEventListener("input", () => {
    advice.holds("replaced", false);
    draw();
  }, { signal });
  for (const button of form.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => {
      screen.steps.push(state());
      copy(marked());
      screen.changed();
      toTheBox();
    }, { signal });
  }
  draw();

  return {
    picker,
    undo() {
      const last = screen.steps.pop();
      if (!last) return;
      picker.spans.state = last.spans;
      if (!screen.steps.isEdited("text")) text.value = last.text;
      unknown.checked = last.unknown;
      followed = current();
      copied = marked();
      advice.holds("replaced", false);
      settled("undone");
    },
    escape: () => picker.escape(),
    ready() {
      if (unknown.checked) return true;
      if (picker.spans.pending) picker.add(); // their copy has been in the box since they were marked
      let problem = "";
      if (picker.isEmpty) problem = "mark-first";
      else if (!saysSomething(text.value)) problem = "write-answer";
      if (problem) {
        screen.problem(voice.text(problem));
        if (problem === "write-answer") toTheBox();
        return false;
      }
      if (isLong() && !askedToShorten) {
        askedToShorten = true;
        advice.holds("long", true);
        voice.live(voice.text("still-long"));
        toTheBox();
        return false;
      }
      advice.answered("sent");
      return true;
    },
  };
}
