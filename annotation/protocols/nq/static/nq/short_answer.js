// Stage 3: the words of the chosen box that answer, or yes, no or none. Four ways of marking words, one result.
import { Advice } from "../goldfinch/advice.js";
import { Channel } from "../goldfinch/channel.js";
import { leaveHidden } from "../goldfinch/hidden_focus.js";
import { findQuotes } from "../goldfinch/quotes.js";
import { FIRST_KEYS, Selecting } from "../goldfinch/selecting.js";
import { drawBar, drawChips, listenToBar, sizeText } from "../goldfinch/spans/cards.js";
import { Boxes } from "./boxes.js";
import { drawCrumbs } from "./crumbs.js";
import { cut } from "./sentences.js";
import { Spans } from "./spans.js";
/** @import { DraftData } from "../goldfinch/drafts.js" */
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { PlacedWord } from "../goldfinch/selecting.js" */
/** @import { WordSpan } from "./spans.js" */

const QUOTE_LENGTH = 200; // of schemas.py

/** @param {Screen} screen @param {DraftData} draft */
export function start(screen, draft) {
  const { voice, keys } = screen;
  const form = screen.find("form#answer");
  /** @param {string} name */
  const field = (name) => form.elements.namedItem(name);
  const box = new Boxes(screen.json("box"), voice);
  const chosen = screen.json("box")[0][0];
  const spans = new Spans(screen.json("words"), screen.json("text"));
  const rows = screen.json("rows") ?? [];
  const advice = new Advice(screen);
  let blocks = [0]; // the words with which they begin, once the frame has told
  /** @type {WordSpan | null} */
  let show = null; // a span that the frame should bring into view, once
  /** @type {string | null} */
  let drafted = null; // the field of the marked words, as it was last drawn
  /** @type {Channel} */
  let channel;
  /** @type {ReturnType<typeof standing>} */
  let told; // the state when it was last traced
  const send = screen.find("[data-commit-label]");
  const finish = send.textContent.trim();
  let turned = false; // to the answer, with all marked words in one row

  for (const { start: first, end } of JSON.parse(field("spans").value || "[]")) {
    const range = spans.fromTokens(first, end);
    if (range) { spans.select(range); spans.add(); }
  }

  const kind = () => field("kind").value;
  // The words that are the answer now: with Yes, No or None, those marked before are kept for a change of mind.
  const marked = () => (["spans", ""].includes(kind()) ? spans.list : []);
  // Whether nothing has been chosen or marked yet.
  const isOpen = () => !kind() || (kind() === "spans" && !spans.list.length && !spans.pending);
  let shown = kind(); // what the last drawing showed: a radio has changed before its event arrives
  const remember = () => screen.steps.push({ kind: shown, state: spans.state });

  /** @param {WordSpan} options */
  const offsets = ([first, end]) => `${spans.words[first][0]}-${spans.words[end - 1][0] + 1}`;
  const standing = () => ({ kind: kind(), spans: marked().map(offsets) });

  // Trace what has changed since the last time, including undo and what a change of kind clears.
  function tell() {
    const now = standing();
    const added = now.spans.filter((one) => !told.spans.includes(one));
    const removed = told.spans.filter((one) => !now.spans.includes(one));
    if (added.length || removed.length) {
      const some = { added: added.slice(0, 100), removed: removed.slice(0, 100) };
      screen.note("spans_changed", { ...some, of: now.spans.length });
    }
    if (now.kind !== told.kind) screen.note("kind_changed", { from: told.kind, to: now.kind });
    told = now;
  }

  function draw({ changed = true } = {}) {
    const value = spans.forForm();
    const isOther = drafted !== null && drafted !== value; // also if words are only being marked
    field("spans").value = drafted = value;
    const cursor = selecting.on ? here() : null;
    channel.send("marks", { spans: marked(), pending: spans.pending, cursor, selecting: selecting.on, show });
    show = null;
    const n = marked().length;
    const words = kind() !== "spans" ? voice.text(`summary-${kind() || "open"}`) : voice.text("summary-spans", { n });
    const so = spans.pending && voice.text("summary-pending");
    screen.find("[data-summary]").textContent = so && n ? `${words}, ${so}` : so || words;
    screen.find("[data-summary-dot]").className = `dot ${n ? "gold" : spans.pending || kind() ? "blue" : "none"}`;
    drawChips(screen, spans, actions);
    drawBar(screen, spans);
    const what = () => (spans.pending ? spans.quote(spans.pending) : spans.word(here()));
    screen.find("[data-selection]").textContent = selecting.on ? voice.text("selecting", { what: what() }) : "";
    for (const each of screen.root.querySelectorAll("[data-while-selecting]")) each.hidden = !selecting.on;
    screen.find("[data-select]").setAttribute("aria-pressed", selecting.on);
    const away = spans.replaced.length ? "after-replacing" : "after-pending";
    screen.find("[data-after]").textContent = spans.pending ? voice.text(away) : "";
    send.textContent = isOpen() ? voice.text("commit-open") : finish;
    form.querySelector("[type=submit]").setAttribute("aria-disabled", String(isOpen()));
    screen.find("[data-spans-part]").hidden = !["spans", ""].includes(kind());
    leaveHidden(screen.find("#material"));
    advise();
    shown = kind();
    if (changed) tell();
    if (changed || isOther) screen.changed();
  }

  // Advice, never a rule: if all words are in one row of a table, that row may be the better, smaller box. After the
  // first words of several that would be too early: it waits until the person turns from the text to the answer.
  function advise() {
    if (!row()) turned = false;
    advice.holds("row", turned);
  }

  function turn() {
    if (turned || selecting.on || spans.pending || !row()) return;
    turned = true;
    advise();
  }

  // The only row with marked words, if the box is a table: [box, first token, end token].
  function row() {
    /** @param {[number, number, number]} options */
    const inside = ([, first, end]) => marked().length > 0 && marked().every((span) => (
      spans.words[span[0]][0] >= first && spans.words[span[1] - 1][0] < end
    ));
    return rows.find(inside);
  }

  // Choose the row as the long answer; the marked words stay, as the draft of this stage.
  async function useRow() {
    const [candidate, first, end] = row();
    advice.answered("followed");
    await screen.drafts.send({ leaving: true });
    const { seen, client, after } = form.elements;
    const quote = spans.beginning(first, end, QUOTE_LENGTH);
    const answer = { kind: "box", candidate, quote, submission_key: crypto.randomUUID() };
    const values = { ...answer, seen: seen.value, client: client.value, after: after.value };
    htmx.ajax("POST", screen.find("a[data-back]").href, { target: "#screen", swap: "outerHTML", values });
  }
  screen.find("[data-advice-use]").addEventListener("click", useRow, { signal: screen.signal });

  /** @param {() => WordSpan[]} adds returns what is replaced */
  function added(adds) {
    const what = spans.quote(spans.pending);
    const away = adds();
    selecting.added();
    voice.live(voice.text(away.length ? "replaced" : "span-added", { what }));
    draw();
  }

  const actions = {
    /** @param {WordSpan} range @param {{ end?: boolean }} [options] */
    pick(range, { end = true } = {}) {
      remember();
      if (!["spans", ""].includes(shown)) spans.clear(); // only the choice of Words brings back those marked before
      field("kind").value = "spans";
      if (spans.editing) spans.drop();
      spans.select(range);
      const count = () => sizeText(voice, spans, range);
      if (end) voice.live(voice.text("selected", { what: spans.quote(range), count: count() }));
      screen.noProblem();
      show = range; // the bar below the text may cover it
      draw({ changed: false });
    },
    /** @param {string} end @param {number} by */
    move(end, by) {
      remember();
      spans.move(end, by);
      voice.live(spans.quote(spans.pending));
      draw({ changed: false });
    },
    add() {
      const range = spans.pending ?? (selecting.on ? [here(), here() + 1] : null); // the word under the cursor
      if (!range) return;
      remember(); // before the word under the cursor is marked: undone, it is not being marked either
      if (!spans.pending) spans.select(range);
      field("kind").value = "spans";
      added(() => spans.add());
    },
    addAll() {
      remember();
      added(() => spans.addAll());
    },
    /** @param {WordSpan} span */
    edit(span) { remember(); spans.edit(span); show = span; draw(); screen.find("[data-pending-bar] button").focus(); },
    /** @param {WordSpan} span */
    remove(span) { remember(); spans.remove(span); voice.live(voice.text("removed")); draw(); },
    drop() { remember(); spans.back(); draw(); },
    /** @param {WordSpan} span */
    goTo(span) { show = span; draw({ changed: false }); },
  };

  /** @param {string} value */
  function choose(value) {
    if (value === shown) return;
    remember();
    field("kind").value = value;
    if (value !== "spans") spans.drop();
    selecting.leave();
    screen.noProblem();
    voice.live(voice.text(`summary-${value}`, { n: spans.list.length }));
    draw();
  }

  listenToBar(screen, actions);

  /** @type {Selecting<PlacedWord & { index: number }>} */
  const selecting = new Selecting({
    keys, rtl: screen.root.dataset.dir === "rtl",
    mark: (first, last) => spans.select([selecting.words[first].index, selecting.words[last].index + 1]),
    /** @param {string} command */
    done(command) {
      if (command === "add") return actions.add();
      if (command === "leave") {
        selecting.leave();
        spans.drop();
        voice.live(voice.text("left"));
        turn();
        return draw();
      }
      field("kind").value = "spans";
      show = [here(), here() + 1];
      const count = spans.pending ? sizeText(voice, spans, spans.pending) : "";
      const what = () => voice.text("selected", { what: spans.quote(spans.pending), count });
      voice.live(spans.pending ? what() : spans.word(here()));
      return draw({ changed: false });
    },
  });

  // The word under the cursor, or under which it was.
  const here = () => selecting.words[selecting.at]?.index ?? draft._view?.at ?? 0;
  const sentences = () => cut(spans, blocks);
  const visited = () => {
    const all = sentences();
    return spans.visited.map((index) => ({ index, ...all[index] }));
  };

  channel = new Channel(screen.find("[data-frame]"), {
    signal: screen.signal,
    hello: () => ({
      keys: [...keys.all(), ...FIRST_KEYS], headings: [],
      boxes: box.forFrame(voice.text("long-answer").replace(" ", "\u00a0")), // on one line, in the margin
      words: spans.words, visited: spans.visited, chosen, focus: null, scroll: null,
      outlined: false, label: voice.text("box"), table: voice.text("kind-table"),
    }),
    hearers: {
      key: (message) => screen.pressed(message),
      active: () => screen.touched(),
      set: (message) => {
        const at = here();
        blocks = message.blocks;
        selecting.words = visited();
        selecting.at = Math.max(0, selecting.words.findIndex(({ index }) => index >= at));
        draw({ changed: false });
      },
      height: ({ px }) => {
        screen.find("[data-waiting]")?.remove();
        screen.find("[data-frame]").style.height = `${px}px`;
      },
      reveal: ({ top, bottom }) => {
        const [material, frame] = [screen.find(".material"), screen.find("[data-frame]")];
        const [view, at] = [material.getBoundingClientRect(), frame.getBoundingClientRect().top];
        const outside = at + top < view.top + 24 || at + bottom > view.bottom - 24;
        if (outside) material.scrollBy({ top: at + top - view.top - view.height / 2 });
      },
      picked: ({ start: first, end }) => {
        if (!screen.form || first >= end || end > spans.count) return;
        selecting.leave();
        const range = spans.trimmed([first, end]);
        if (range) actions.pick(range);
      },
    },
  });

  screen.find("[data-long-answer]").textContent = box.label(chosen);
  drawCrumbs(screen.find("[data-path]"), box, chosen, null, { whole: true });
  for (const [key, value] of [["y", "yes"], ["x", "no"], ["0", "none"]]) {
    keys.bind(key, () => choose(value), { label: voice.text(`key-${value}`) });
  }
  const startSelecting = () => {
    if (!["spans", ""].includes(kind())) choose("spans");
    field("kind").value = "spans";
    channel.focus();
    const [words, from] = [visited(), spans.pending?.[0] ?? here()];
    selecting.enter(words, words.findIndex(({ index }) => index >= from));
  };
  const sentence = () => {
    const all = sentences().map((word) => word.sentence);
    return spans.quote([all.indexOf(all[here()]), all.lastIndexOf(all[here()]) + 1]);
  };
  const saySentence = () => { if (selecting.on) voice.live(sentence()); };
  keys.bind("r", saySentence, { label: voice.text("key-sentence-here") });
  screen.find("[data-say-sentence]").addEventListener("click", () => {
    channel.focus();
    saySentence();
  }, { signal: screen.signal });
  keys.bind("s", startSelecting, { label: voice.text("key-select") });
  screen.find("[data-select]").addEventListener("click", () => {
    if (selecting.on) selecting.done("leave");
    else startSelecting();
  }, { signal: screen.signal });
  keys.bind("Enter", () => actions.add(), { label: voice.text("key-add") });
  keys.bind("[", () => screen.find("[data-back]").click(), { label: voice.text("key-back") });
  form.addEventListener("change", ({ target }) => {
    if (target.name === "kind") choose(target.value);
  }, { signal: screen.signal });
  for (const type of ["pointerenter", "focusin"]) form.addEventListener(type, turn, { signal: screen.signal });
  findQuotes(screen, {
    /** @param {{ start: number, end: number }} options */
    read({ start: first, end }) {
      const found = spans.fromTokens(first, end);
      const range = found && spans.trimmed(found);
      return range && { range, ...spans.around(range) };
    },
    /** @param {WordSpan} range */
    take(range) { selecting.leave(); actions.pick(range); show = range; draw({ changed: false }); },
  });
  // The next screen replaces this one without a page load, so unsent traces and drafts are sent here.
  screen.find("[data-back]")?.addEventListener("click", () => {
    advice.answered("back");
    screen.leave();
  }, { signal: screen.signal, capture: true });
  draw({ changed: false });
  told = standing();

  return {
    keysChanged: () => channel.send("keys", { keys: [...keys.all(), ...FIRST_KEYS] }),
    view: () => ({ at: here() }),
    escape: () => { if (spans.pending) { actions.drop(); return true; } return false; },
    undo: () => {
      const last = screen.steps.pop();
      if (!last) return;
      field("kind").value = last.kind;
      spans.state = last.state;
      voice.live(voice.text("undone"));
      draw();
    },
    // Pending words are added when the form is sent.
    ready() {
      if (spans.pending) actions.add();
      if (!isOpen()) { advice.answered("sent"); return true; }
      if (!screen.panels.showAnswer()) screen.problem(voice.text("mark-first"));
      return false;
    },
  };
}
