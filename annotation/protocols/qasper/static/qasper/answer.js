// One question about a paper: evidence, the kind of answer, and the fields of that kind, by mouse, touch or keys.
import { Advice } from "../goldfinch/advice.js";
import { SpanPicker } from "../goldfinch/spans/picker.js";
import { Clicks } from "./clicks.js";
import { Evidence } from "./evidence.js";
import { Finding } from "./finding.js";
import { Kinds } from "./kinds.js";
import { Marks } from "./marks.js";
import { setMaths } from "./maths.js";
import { Moving } from "./moving.js";
import { drawAgain, drawReferences, Paper } from "./paper.js";
import { Recorded } from "./recorded.js";
import { Tray } from "./tray.js";
/** @import { DraftData } from "../goldfinch/drafts.js" */
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { TextSpan } from "../goldfinch/spans/text_spans.js" */

const KINDS = ["extractive", "yes_no", "abstractive", "unanswerable"];
const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select";

/** @param {string} text */
const clip = (text) => (text.length > 80 ? `${text.slice(0, 77)}…` : text);

/** @param {number} start @param {number} end */
const numbers = (start, end) => Array.from({ length: end - start }, (_, at) => start + at);

/** @param {Screen} screen @param {DraftData} draft */
export function start(screen, draft) {
  const { voice, keys, form } = screen;
  /** @param {string} name */
  const field = (name) => form.elements.namedItem(name);
  const paper = new Paper(screen.find("[data-paper]"));
  const evidence = new Evidence(paper);
  evidence.load(JSON.parse(field("evidence").value || "[]"));

  const marks = new Marks(screen, paper, evidence);
  const moving = new Moving(screen, paper, evidence);
  const finding = new Finding(screen, paper, (block, start) => moving.standIn(block, start));
  const advice = new Advice(screen);
  const clicks = new Clicks(paper, {
    at: (where) => moving.goTo(where, { focus: false }),
    beside: (element) => moving.standAt(element),
    sentence: (paragraph, sentence) => toggleSentence(paragraph, sentence),
    float: (index) => toggleFloat(index),
  });

  keys.bind(["j", "k"], (key) => { if (!picker.selecting.on) moving.step(key === "j" ? 1 : -1); }, {
    label: voice.text("key-paragraph"), shown: ["j", "k"], repeats: true,
  });
  keys.bind("Shift+j", () => {}, { label: voice.text("key-sentence"), shown: ["Shift+j", "Shift+k"] });
  keys.bind("e", () => toggleHere(), { label: voice.text("key-evidence") });

  /** @type {SpanPicker} */
  const picker = new SpanPicker(screen, {
    passages: paper.passages,
    active: () => ["extractive", ""].includes(kinds.kind),
    enter: () => kinds.kind === "extractive" || kinds.choose("extractive"),
    stretches,
    /** @param {TextSpan} span @param {{ show: boolean }} options */
    selecting(span, { show }) {
      if (kinds.kind !== "extractive") kinds.set("extractive");
      if (show) moving.goTo({ paragraph: span.passage }, { sentence: sentenceOf(span), focus: false });
    },
    concern: (span) => (evidence.covers(span) ? null : {
      ask: voice.text("ask-outside"), say: voice.text("outside"), add: voice.text("add-with"),
      problem: voice.text("say-outside"),
    }),
    /** @param {TextSpan} span */
    adding(span) {
      if (evidence.covers(span)) return;
      const touched = evidence.touched(span);
      evidence.set(span.passage, numbers(touched[0], touched.at(-1) + 1));
    },
    taps: () => false,
    clicked: (event, { dragged }) => clicks.clicked(event, { dragged, marking: picker.selecting.on }),
    twice: () => { if (clicks.undone()) undo(); },
    dragged: addSentences,
    bring: () => moving.tab("paper"),
    goTo: (span) => moving.goTo({ paragraph: span.passage }, { sentence: sentenceOf(span) }),
    remember,
    redraw: draw,
  });
  const { spans } = picker;
  /** @type {Kinds} */
  const kinds = new Kinds(screen, { evidence, spans, remember, draw });
  const recorded = new Recorded(screen, { evidence, kinds });
  const tray = new Tray(screen, paper, evidence, {
    advise: (kind, now) => advice.holds(kind, now),
    show(unit) {
      moving.tab("paper");
      if (unit.kind === "float") moving.goTo({ float: unit.index });
      else moving.goTo(unit, { sentence: unit.start });
    },
    takeOut(unit) {
      const takeOut = () => (
        unit.kind === "float" ? evidence.setFloat(unit.index, false)
          : evidence.set(unit.paragraph, numbers(unit.start, unit.end), false)
      );
      changeEvidence(takeOut, evidence.quote(unit), false);
    },
  });

  function remember() { screen.steps.push({ evidence: evidence.state, spans: spans.state, kind: kinds.state }); }

  function draw({ changed = true } = {}) {
    field("evidence").value = evidence.forForm();
    marks.draw();
    tray.draw();
    picker.draw();
    drawAgain(screen.root.querySelectorAll("[data-tray] q, [data-spans] q"), paper.root);
    if (spans.pending) drawAgain([screen.find("[data-pending-words]")], paper.root);
    kinds.draw();
    moving.draw();
    if (changed) screen.changed();
    recorded.look();
  }

  // Marked words are removed together with the evidence that contains them.
  function dropOutside() {
    const outside = spans.list.filter((span) => !evidence.covers(span));
    for (const span of outside) spans.remove(span);
    return outside.length;
  }

  /** @param {() => void} change @param {string} what @param {boolean} on */
  function changeEvidence(change, what, on) {
    if (kinds.kind === "unanswerable") {
      kinds.giveUpUnanswerable(() => {
        remember();
        kinds.set("");
        takeEvidence(change, what, on);
      });
      return;
    }
    remember();
    takeEvidence(change, what, on);
  }

  /** @param {() => void} change @param {string} what @param {boolean} on */
  function takeEvidence(change, what, on) {
    change();
    const lost = dropOutside();
    const said = voice.text(on ? "added" : "taken-out", { what: clip(what) });
    voice.live(lost ? `${said} ${voice.text("with-spans")}` : said);
    screen.noProblem();
    draw();
  }

  /** @param {number} paragraph @param {number} sentence */
  function toggleSentence(paragraph, sentence) {
    const on = !evidence.has(paragraph, sentence);
    const text = paper.block(paragraph);
    const { start: from, end } = text.sentences[sentence];
    moving.goTo({ paragraph }, { sentence, focus: false });
    changeEvidence(() => evidence.set(paragraph, [sentence], on), text.slice(from, end), on);
  }

  /** @param {number} index */
  function toggleFloat(index) {
    const on = !evidence.hasFloat(index);
    const caption = paper.float(index).caption || voice.text("no-caption");
    moving.goTo({ float: index }, { focus: false });
    changeEvidence(() => evidence.setFloat(index, on), caption, on);
  }

  // The figure in focus in the strip, or the sentence or figure where the reader is.
  function toggleHere() {
    const inStrip = document.activeElement.closest("[data-strip] [data-to-float]");
    const { stop } = moving;
    if (inStrip) toggleFloat(Number(inStrip.dataset.toFloat));
    else if (!stop) moving.step(1);
    else if (!moving.canSeeSentence) moving.go(moving.at, { sentence: moving.sentence }); // show it first
    else if (stop.float === undefined) toggleSentence(stop.paragraph, moving.sentence);
    else toggleFloat(stop.float);
  }

  /** @param {TextSpan[]} parts */
  function addSentences(parts) {
    const all = parts.map((part) => /** @type {const} */ ([part.passage, evidence.touched(part)]));
    const add = () => { for (const [paragraph, touched] of all) evidence.set(paragraph, touched); };
    const [{ passage, start: from, end }] = parts;
    changeEvidence(add, paper.block(passage).slice(from, end), true);
  }

  /** @param {TextSpan} span */
  const sentenceOf = (span) => paper.block(span.passage).sentenceAt(span.start);

  // Words are marked in the evidence or, without any, in the paragraph in focus.
  function stretches() {
    const chosen = evidence.units.filter((unit) => unit.kind === "sentences");
    const { stop } = moving;
    if (!chosen.length && stop?.paragraph !== undefined) {
      return [{ passage: stop.paragraph, start: 0, end: paper.block(stop.paragraph).text.length }];
    }
    return chosen.map((unit) => {
      const [from, end] = evidence.place(unit);
      return { passage: unit.paragraph, start: from, end };
    });
  }

  function undo() {
    const last = screen.steps.pop();
    if (!last) return;
    evidence.state = last.evidence;
    spans.state = last.spans;
    kinds.restore(last.kind);
    voice.live(voice.text("undone"));
    draw();
  }

  // The advice is followed: the text says it, so the figures and tables go.
  function removeFloats() {
    const floats = evidence.units.flatMap((unit) => (unit.kind === "float" ? [unit.index] : []));
    const [only] = floats.length === 1 ? floats : [];
    const what = only === undefined ? "" : paper.float(only).caption;
    advice.follow("float");
    changeEvidence(() => {
      for (const index of floats) evidence.setFloat(index, false);
    }, what || voice.text("floats", { n: floats.length }), false);
    screen.find("#material").focus({ preventScroll: true });
  }
  screen.find("[data-remove-floats]")?.addEventListener("click", removeFloats, { signal: screen.signal });

  screen.find("[data-strip]")?.addEventListener("click", (event) => {
    const button = event.target.closest("[data-strip-toggle]");
    if (button) toggleFloat(Number(button.dataset.stripToggle));
  }, { signal: screen.signal });

  // The keys of every screen treat Shift with a letter as the letter, so these two are handled before them.
  document.addEventListener("keydown", (event) => {
    const step = { J: 1, K: -1 }[event.key];
    if (!step || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!keys.singles || picker.selecting.on || document.querySelector("dialog[open]")) return;
    if (event.target.matches(FIELDS)) return;
    event.preventDefault();
    screen.input();
    moving.stepSentence(step);
  }, { signal: screen.signal, capture: true });

  const links = [...screen.root.querySelectorAll(".questions a")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  // A skipped question has no address.
  /** @param {number} by */
  const neighbour = (by) => {
    const way = by < 0 ? links.slice(0, at).toReversed() : links.slice(at + 1);
    way.find((link) => link.hasAttribute("href"))?.click();
  };
  screen.note("question_shown", { at: at + 1, of: links.length });
  screen.find("[data-previous]")?.addEventListener("click", () => neighbour(-1), { signal: screen.signal });
  screen.find("[data-next]")?.addEventListener("click", () => neighbour(1), { signal: screen.signal });

  keys.bind(["1", "2", "3", "4"], (key) => {
    moving.tab("answer");
    kinds.choose(KINDS[Number(key) - 1]);
  }, { label: voice.text("key-kind"), shown: ["1", "4"] });
  keys.bind(["y", "x"], (key) => {
    moving.tab("answer");
    kinds.answer(key === "y" ? "yes" : "no");
  }, { label: voice.text("key-value"), shown: ["y", "x"] });
  keys.bind("/", () => finding.open(), { label: voice.text("key-find") });
  keys.bind(["F3", "Shift+F3"], (key) => finding.step(key === "F3" ? 1 : -1), {
    label: voice.text("key-find-next"), shown: ["F3", "Shift+F3"], repeats: true,
  });
  keys.bind("t", () => moving.outline(), { label: voice.text("key-outline") });
  const anyFloat = paper.stops.some((stop) => stop.float !== undefined);
  keys.bind("f", () => moving.strip(), { label: anyFloat ? voice.text("key-strip") : "" });
  if (links.length > 1) {
    keys.bind(["[", "]"], (key) => neighbour(key === "[" ? -1 : 1), { label: voice.text("key-question") });
  }

  draw({ changed: false });
  setMaths(screen.root);
  drawReferences(paper.root);
  drawAgain(screen.root.querySelectorAll("[data-to-float] > span"), paper.root);
  paper.block(draft._view?.paragraph)?.element.scrollIntoView({ block: "center" });

  return {
    undo,
    view: () => (moving.stop?.paragraph === undefined ? {} : { paragraph: moving.stop.paragraph }),
    escape() {
      if (moving.stripOpen) { moving.strip(false); return true; }
      return picker.escape() || screen.panels.close() || finding.clear();
    },
    // The sentence of the pending words becomes evidence only if the person confirms it.
    ready() {
      if (!picker.ready()) return false;
      const missing = kinds.missing();
      if (!missing) { advice.answered("sent"); return true; }
      moving.tab("answer");
      screen.problem(voice.text(missing));
      return false;
    },
  };
}
