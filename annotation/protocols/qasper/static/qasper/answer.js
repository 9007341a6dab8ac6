// One question about a paper: evidence, the kind of answer, and what that kind needs. Mouse, taps and keys do the same.
import { Advice } from "../goldfinch/advice.js";
import { findQuotes } from "../goldfinch/quotes.js";
import { Selecting } from "../goldfinch/selecting.js";
import { Evidence } from "./evidence.js";
import { Finding } from "./finding.js";
import { Kinds } from "./kinds.js";
import { Marks } from "./marks.js";
import { setMaths } from "./maths.js";
import { Moving } from "./moving.js";
import { Paper } from "./paper.js";
import { Pointing } from "./pointing.js";
import { Recorded } from "./recorded.js";
import { reveal as bring } from "./sight.js";
import { Spans } from "./spans.js";
import { Tray } from "./tray.js";

export function start(screen, draft) {
  const { voice, keys, form } = screen;
  const field = (name) => form.elements.namedItem(name);
  const paper = new Paper(screen.find("[data-paper]"));
  const evidence = new Evidence(paper);
  const spans = new Spans(paper);
  const undone = [];
  evidence.load(JSON.parse(field("evidence").value || "[]"));
  spans.load(JSON.parse(field("spans").value || "[]"));

  const marks = new Marks(screen, paper, evidence, spans);
  const moving = new Moving(screen, paper, evidence);
  const finding = new Finding(screen, paper);
  const kinds = new Kinds(screen, { evidence, spans, remember, draw });
  const recorded = new Recorded(screen, { evidence, spans, kinds });
  const advice = new Advice(screen);
  const selecting = new Selecting({ keys, rtl: getComputedStyle(paper.root).direction === "rtl", apart: true, mark, done: selected });
  const cursor = () => (selecting.on ? selecting.words[selecting.at] : null);

  function remember() { undone.push({ evidence: evidence.state, spans: spans.state, kind: kinds.state }); }

  function draw({ changed = true } = {}) {
    field("evidence").value = evidence.forForm();
    field("spans").value = kinds.kind === "extractive" ? spans.forForm() : "";
    marks.draw(cursor());
    tray.draw();
    kinds.draw();
    moving.draw();
    for (const each of screen.root.querySelectorAll("[data-while-selecting]")) each.hidden = !selecting.on;
    screen.find("[data-select]").setAttribute("aria-pressed", selecting.on);
    screen.root.toggleAttribute("data-selecting", selecting.on);
    if (changed) screen.changed();
    recorded.look();
  }

  // Evidence that goes takes the words along that were marked in it.
  function dropOutside() {
    const outside = spans.list.filter((span) => !evidence.covers(span));
    for (const span of outside) spans.remove(span);
    return outside.length;
  }

  const reveal = (place) => bring(screen.find("#material"), place);

  const clip = (text) => (text.length > 80 ? `${text.slice(0, 77)}…` : text);

  function changeEvidence(change, what, on) {
    remember();
    if (kinds.kind === "unanswerable") kinds.set("");
    change();
    const lost = dropOutside();
    voice.live([voice.text(on ? "added" : "taken-out", { what: clip(what) }), lost ? voice.text("with-spans") : ""].join(" ").trim());
    screen.noProblem();
    draw();
  }

  function toggleSentence(paragraph, sentence, { focus = false } = {}) {
    const on = !evidence.has(paragraph, sentence);
    const { start: from, end } = paper.block(paragraph).sentences[sentence];
    moving.goTo({ paragraph }, { sentence, focus });
    changeEvidence(() => evidence.set(paragraph, [sentence], on), paper.block(paragraph).slice(from, end), on);
  }

  function toggleFloat(index) {
    const on = !evidence.hasFloat(index);
    moving.goTo({ float: index }, { focus: false });
    changeEvidence(() => evidence.setFloat(index, on), paper.float(index).caption || voice.text("no-caption"), on);
  }

  function select(span, { show = false } = {}) {
    if (kinds.kind !== "extractive") kinds.set("extractive");
    if (spans.editing && spans.pending === spans.editing) spans.drop();
    spans.select(span);
    if (show) moving.goTo(span, { sentence: paper.block(span.paragraph).sentenceAt(span.start), focus: false });
    sayPending();
    screen.noProblem();
    draw({ changed: false });
    if (show) reveal(paper.block(span.paragraph).range(span.start, span.end));
  }

  function mark(first, last) {
    const { words } = selecting;
    spans.select({ paragraph: words[first].paragraph, start: words[first].start, end: words[last].end });
  }

  function sayPending() {
    const { pending } = spans;
    const what = voice.text("selected", { what: clip(spans.quote(pending)), count: voice.text("words", { n: spans.size(pending) }) });
    voice.live(evidence.covers(pending) ? what : `${what}. ${voice.text("outside")}`);
  }

  // Words outside the evidence are asked about as long as they are selected; adding them says yes.
  function addSpan() {
    if (!spans.pending) return;
    remember();
    const { pending } = spans;
    if (!evidence.covers(pending)) {
      const touched = evidence.touched(pending);
      evidence.set(pending.paragraph, Array.from({ length: touched.at(-1) - touched[0] + 1 }, (_, at) => touched[0] + at));
    }
    spans.add();
    selecting.added();
    pointing.forget();
    voice.live(voice.text("span-added", { what: clip(spans.quote(pending)) }));
    screen.noProblem();
    draw();
  }

  function dropSpan() { spans.drop(); selecting.added(); pointing.forget(); draw(); }

  function enterSelecting() {
    const chosen = evidence.units.filter((unit) => unit.kind === "sentences");
    const { stop } = moving;
    const places = chosen.map((unit) => { const [from, end] = evidence.place(unit); return { paragraph: unit.paragraph, start: from, end }; });
    if (!places.length && stop?.paragraph !== undefined) places.push({ paragraph: stop.paragraph, start: 0, end: paper.block(stop.paragraph).text.length });
    if (kinds.kind !== "extractive" && !kinds.choose("extractive")) return;
    moving.tab("paper");
    const words = paper.wordsIn(places);
    const { pending } = spans;
    const at = pending ? words.findIndex((word) => word.paragraph === pending.paragraph && word.start >= pending.start) : 0;
    if (!selecting.enter(words, at)) return screen.problem(voice.text("selecting-none"));
    screen.find("#material").setAttribute("role", "application");
    screen.find("#material").focus({ preventScroll: true });
  }

  function saySentence() {
    if (!selecting.on) return;
    const { paragraph, sentence } = cursor();
    const block = paper.block(paragraph);
    voice.live(block.slice(block.sentences[sentence].start, block.sentences[sentence].end));
  }

  function leaveSelecting() {
    selecting.leave();
    pointing.forget();
    screen.find("#material").removeAttribute("role");
    spans.drop();
    voice.live(voice.text("selecting-left"));
    draw({ changed: false });
  }

  function selected(command) {
    if (command === "leave") return leaveSelecting();
    if (command === "add") {
      if (!spans.pending) mark(selecting.at, selecting.at); // the word under the cursor
      return addSpan();
    }
    const here = cursor();
    const block = paper.block(here.paragraph);
    if (spans.pending) sayPending();
    else voice.live(block.slice(here.start, here.end));
    draw({ changed: false });
    reveal(block.range(here.start, here.end)); // once the bar of the marked words has its room
    return undefined;
  }

  function undo() {
    const last = undone.pop();
    if (!last) return;
    evidence.state = last.evidence;
    spans.state = last.spans;
    kinds.state = last.kind;
    voice.live(voice.text("undone"));
    draw();
  }

  const pointing = new Pointing(screen, paper, {
    marking: () => selecting.on,
    spans: () => ["extractive", ""].includes(kinds.kind),
    at: (where) => { moving.goTo(where, { focus: false }); },
    sentence: (paragraph, sentence) => toggleSentence(paragraph, sentence),
    twice: undo,
    float: toggleFloat,
    words: (span) => select(span),
    sentences: (parts) => {
      const all = parts.map((part) => [part.paragraph, evidence.touched(part)]);
      changeEvidence(() => { for (const [paragraph, touched] of all) evidence.set(paragraph, touched); }, paper.block(parts[0].paragraph).slice(parts[0].start, parts[0].end), true);
    },
  });

  const tray = new Tray(screen, paper, evidence, spans, {
    advise: (kind, now) => advice.holds(kind, now),
    show: (unit) => { moving.tab("paper"); moving.goTo(unit.kind === "float" ? { float: unit.index } : unit, { sentence: unit.start ?? 0 }); },
    takeOut: (unit) => changeEvidence(() => { if (unit.kind === "float") evidence.setFloat(unit.index, false); else for (let at = unit.start; at < unit.end; at += 1) evidence.set(unit.paragraph, [at], false); }, evidence.quote(unit), false),
    showSpan: (span) => { moving.tab("paper"); moving.goTo(span, { sentence: paper.block(span.paragraph).sentenceAt(span.start) }); },
    edit: (span) => { remember(); spans.edit(span); moving.tab("paper"); draw(); screen.find("[data-pending-bar] button").focus(); },
    removeSpan: (span) => { remember(); spans.remove(span); voice.live(voice.text("removed")); draw(); },
  });

  const bar = screen.find("[data-pending-bar]");
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.end) { spans.move(button.dataset.end, Number(button.dataset.by)); draw({ changed: false }); voice.live(spans.quote(spans.pending)); }
    else if (button && "spanAdd" in button.dataset) addSpan();
    else if (button) dropSpan();
  }, { signal: screen.signal });
  screen.find("[data-select]").addEventListener("click", () => (selecting.on ? leaveSelecting() : enterSelecting()), { signal: screen.signal });
  screen.find("[data-say-sentence]").addEventListener("click", () => { screen.find("#material").focus({ preventScroll: true }); saySentence(); }, { signal: screen.signal });
  screen.find("[data-strip]")?.addEventListener("click", (event) => {
    const button = event.target.closest("[data-strip-toggle]");
    if (button) toggleFloat(Number(button.dataset.stripToggle));
  }, { signal: screen.signal });
  findQuotes(screen, {
    read({ text, start: from, end }) {
      const block = paper.block(text);
      const words = block.snap(block.toUnits(from), block.toUnits(end));
      const span = words && { paragraph: text, start: words[0], end: words[1] };
      return span && { range: span, ...spans.around(span) };
    },
    take(span) { selecting.added(); moving.tab("paper"); select(span, { show: true }); },
  });

  // Shift with a letter is the letter to the keys of every screen, so these two are heard before them.
  document.addEventListener("keydown", (event) => {
    const step = { J: 1, K: -1 }[event.key];
    if (!step || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !keys.singles || selecting.on) return;
    if (document.querySelector("dialog[open]") || event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    event.preventDefault();
    screen.input();
    moving.stepSentence(step);
  }, { signal: screen.signal, capture: true });

  const links = [...screen.root.querySelectorAll(".questions a")];
  screen.note("question_shown", { at: links.findIndex((link) => link.hasAttribute("aria-current")) + 1, of: links.length });
  const neighbour = (by) => links[links.findIndex((link) => link.hasAttribute("aria-current")) + by]?.click();
  screen.find("[data-previous]")?.addEventListener("click", () => neighbour(-1), { signal: screen.signal });
  screen.find("[data-next]")?.addEventListener("click", () => neighbour(1), { signal: screen.signal });

  const bind = (shown, run, label) => keys.bind(shown, run, { label: label && voice.text(label) });
  keys.bind(["j", "k"], (key) => { if (!selecting.on) moving.step(key === "j" ? 1 : -1); }, { label: voice.text("key-paragraph"), shown: ["j", "k"] });
  keys.bind("Shift+j", () => {}, { label: voice.text("key-sentence"), shown: ["Shift+j", "Shift+k"] });
  bind("e", () => {
    const inStrip = document.activeElement.closest("[data-strip] [data-to-float]");
    if (inStrip) return toggleFloat(Number(inStrip.dataset.toFloat));
    const { stop } = moving;
    if (!stop) return moving.step(1);
    return stop.float === undefined ? toggleSentence(stop.paragraph, moving.sentence) : toggleFloat(stop.float);
  }, "key-evidence");
  bind("s", enterSelecting, "key-select");
  bind("r", saySentence, "key-sentence-here");
  keys.bind(["1", "2", "3", "4"], (key) => { moving.tab("answer"); kinds.choose(["extractive", "yes_no", "abstractive", "unanswerable"][key - 1]); }, { label: voice.text("key-kind"), shown: ["1", "4"] });
  bind("/", () => finding.open(), "key-find");
  keys.bind(["F3", "Shift+F3"], (key) => finding.step(key === "F3" ? 1 : -1), { label: voice.text("key-find-next"), shown: ["F3", "Shift+F3"] });
  bind("t", () => moving.outline(), "key-outline");
  bind("f", () => moving.strip(), paper.stops.some((stop) => stop.float !== undefined) ? "key-strip" : "");
  if (links.length > 1) keys.bind(["[", "]"], (key) => neighbour(key === "[" ? -1 : 1), { label: voice.text("key-question") });
  bind("Enter", () => addSpan());

  draw({ changed: false });
  setMaths(screen.root);
  if (draft._view?.paragraph !== undefined && paper.block(draft._view.paragraph)) paper.block(draft._view.paragraph).element.scrollIntoView({ block: "center" });

  return {
    undo,
    view: () => (moving.stop?.paragraph === undefined ? {} : { paragraph: moving.stop.paragraph }),
    escape() {
      if (moving.stripOpen) { moving.strip(false); return true; }
      if (spans.pending) { dropSpan(); return true; }
      return false;
    },
    // What is being selected is added when it is sent; a sentence comes along with it only if the person says so.
    ready() {
      if (spans.pending && !evidence.covers(spans.pending)) {
        moving.tab("paper");
        screen.problem(voice.text("say-outside"));
        bar.querySelector("[data-span-add]").focus();
        return false;
      }
      if (spans.pending) addSpan();
      const missing = kinds.missing();
      if (!missing) { advice.answered("sent"); return true; }
      moving.tab("answer");
      screen.problem(voice.text(missing));
      return false;
    },
  };
}
