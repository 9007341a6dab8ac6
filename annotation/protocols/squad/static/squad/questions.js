// Up to five questions about a paragraph, each with its own marked words. One question is active: words that are
// marked belong to it.
import { Advice } from "../goldfinch/advice.js";
import { SpanPicker } from "../goldfinch/spans/picker.js";
import { make } from "../goldfinch/say.js";
import { saysSomething } from "../goldfinch/spans/words.js";
import { lower } from "./bottom_sheet.js";
import { copied, plain } from "./wording.js";
/** @import { DraftData } from "../goldfinch/drafts.js" */
/** @import { Screen } from "../goldfinch/screen.js" */

/** @typedef {{ id: number, text: string, kind: string, span: string }} Said */
/** @typedef {{ removed: Said, at: number, waits?: boolean }} Removal */

/** @param {Screen} screen @param {DraftData} draft */
export function start(screen, draft) {
  const { form, voice } = screen;
  if (!form) return null;
  const options = { signal: screen.signal };
  const rows = [...screen.root.querySelectorAll("[data-row]")];
  const paragraph = screen.find("[data-passage]").textContent;
  const marking = screen.find("[data-marking]");
  const advice = new Advice(screen);
  // Which question stands in a row: removing one moves those below it.
  const ids = new Map(rows.map((row, id) => [row, id]));
  let newest = rows.length;
  let active = rows[0];

  /** @param {HTMLElement} row */
  const at = (row) => Number(row.dataset.row);
  /** @param {HTMLElement} row */
  const box = (row) => row.querySelector("textarea");
  /** @param {HTMLElement} row */
  const field = (row) => form.elements.namedItem(`span_${at(row)}`);
  /** @param {HTMLElement} row */
  const kinds = (row) => [...row.querySelectorAll("input[type=radio]")];
  /** @param {HTMLElement} row */
  const kind = (row) => kinds(row).find((radio) => radio.checked)?.value ?? "answerable";
  /** @param {HTMLElement} row */
  const quote = (row) => JSON.parse(field(row).value || "[]")[0]?.quote ?? "";
  /** @param {HTMLElement} row */
  const isWritten = (row) => saysSomething(box(row).value);
  /** @param {HTMLElement} row */
  const isUsed = (row) => Boolean(box(row).value.trim() || field(row).value);
  /** @param {HTMLElement} row */
  const said = (row) => ({ id: ids.get(row), text: box(row).value, kind: kind(row), span: field(row).value });

  const picker = new SpanPicker(screen, {
    name: "span_1",
    most: 1,
    remember: () => screen.steps.push({ id: ids.get(active), span: picker.spans.value }),
    redraw: ({ changed }) => {
      picker.draw();
      draw();
      if (changed) screen.changed();
    },
    bring: () => lower(screen),
  });

  // Update every row; an unused row is shown only while it is active.
  function draw() {
    for (const row of rows) {
      row.hidden = row !== active && !isUsed(row);
      row.toggleAttribute("data-active", row === active);
      if (row === active) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
      const words = row.querySelector("[data-words]");
      words.hidden = row === active;
      const marked = quote(row);
      words.replaceChildren(marked ? make("q", { class: "chip-read", dir: "auto" }, marked) : voice.text("no-words"));
      advise(row);
    }
    screen.find("[data-marking-label]").textContent = voice.text(`label-${kind(active)}`);
    screen.find("[data-add]").hidden = rows.every(isUsed);
    const n = rows.filter(isWritten).length;
    screen.find("[data-commit-label]").textContent = n ? voice.text("send", { n }) : voice.text("send-none");
    const what = quote(active) || voice.text("no-words");
    screen.find("[data-summary]").textContent = voice.text("summary", { at: at(active), what });
  }

  /** @param {HTMLElement} row */
  function advise(row) {
    const same = copied(box(row).value, paragraph);
    row.querySelector("[data-copied]").textContent = same;
    advice.holds(`copied-${at(row)}`, Boolean(same));
  }

  // Make a row active; pending words are added to the question that was active until now.
  /** @param {HTMLElement} row @param {{ focus?: boolean }} [options] */
  function activate(row, { focus = false } = {}) {
    if (row !== active) {
      picker.add();
      if (picker.selecting.on) picker.selecting.leave();
      active = row;
      row.hidden = false;
      const inside = marking.contains(document.activeElement);
      row.querySelector("[data-words]").after(marking);
      picker.use(`span_${at(row)}`);
      draw();
      if (inside) box(row).focus();
    }
    if (focus) {
      box(row).focus();
      voice.live(voice.text("now-at", { at: at(row) }));
    }
  }

  function another() {
    const free = rows.find((row) => !isUsed(row));
    if (free) activate(free, { focus: true });
    else voice.live(voice.text("all-five"));
  }

  /** @param {number} by */
  function move(by) {
    const shown = rows.filter((row) => row === active || isUsed(row));
    const next = shown[shown.indexOf(active) + by];
    if (next) activate(next, { focus: true });
    else if (by > 0) another();
  }

  /** @param {HTMLElement} row @param {Said} options */
  function fill(row, { id, text, kind: chosen, span }) {
    ids.set(row, id);
    box(row).value = text;
    for (const radio of kinds(row)) radio.checked = radio.value === chosen;
    field(row).value = span;
    if (row === active) picker.use(`span_${at(row)}`);
  }

  // Questions below the removed one move up, so that the numbers have no gap.
  /** @param {HTMLElement} row */
  function remove(row) {
    if (row === active) picker.drop(); else picker.add();
    if (isUsed(row)) remember({ removed: said(row), at: rows.indexOf(row) });
    newest += 1;
    arrange([...rows.filter((one) => one !== row).map(said), { id: newest, text: "", kind: "answerable", span: "" }]);
    complain();
    activate(isUsed(row) ? row : rows.findLast(isUsed) ?? rows[0], { focus: true });
    voice.live(voice.text("removed-question", { at: at(row) }));
    draw();
    screen.changed();
  }

  // Only rows that get another question are filled: words that are pending in one that stays are kept.
  /** @param {Said[]} questions */
  function arrange(questions) {
    rows.forEach((row, place) => { if (ids.get(row) !== questions[place].id) fill(row, questions[place]); });
  }

  // One that found no room to be put back waits for this removal: it comes back first.
  /** @param {Removal} removal */
  function remember(removal) {
    const last = screen.steps.pop();
    for (const step of last?.waits ? [removal, last] : [last, removal]) if (step) screen.steps.push(step);
  }

  // Put a removed question back at its place, beside those that are there; an unused row makes room for it.
  /** @param {Removal} removal */
  function putBack(removal) {
    if (rows.every(isUsed)) {
      screen.steps.push({ ...removal, waits: true });
      screen.problem(voice.text("no-room"));
      return false;
    }
    const questions = rows.map(said);
    questions.splice(removal.at, 0, removal.removed);
    questions.splice(questions.findLastIndex(({ text, span }) => !text.trim() && !span), 1);
    arrange(questions);
    activate(rows.find((row) => ids.get(row) === removal.removed.id));
    return true;
  }

  /** @param {HTMLElement | null} [row] @param {string} [sentence] */
  function complain(row = null, sentence = "") {
    for (const one of rows) {
      const place = one.querySelector("[data-wrong]");
      place.textContent = one === row ? sentence : "";
      place.hidden = one !== row;
      box(one).toggleAttribute("aria-invalid", one === row);
      if (one === row) box(one).setAttribute("aria-invalid", "true");
    }
  }

  /** @param {HTMLElement} row */
  function wrong(row) {
    /** @param {string} name */
    const say = (name) => voice.text(name, { at: at(row) });
    if (!isUsed(row)) return "";
    if (!isWritten(row)) return say("write-this");
    if (!field(row).value) return say("mark-this");
    const earlier = rows.slice(0, rows.indexOf(row));
    return earlier.some((one) => plain(box(one).value) === plain(box(row).value)) ? say("twice") : "";
  }

  for (const row of rows) {
    row.addEventListener("focusin", (event) => {
      if (!event.target.closest("[data-remove]")) activate(row);
    }, options);
    row.addEventListener("click", (event) => {
      if (event.target.closest("[data-remove]")) remove(row);
    }, options);
    row.addEventListener("input", () => {
      screen.noProblem();
      complain();
      draw();
    }, options);
  }
  form.addEventListener("keydown", (event) => {
    if (!event.target.matches("[data-row] textarea")) return;
    const by = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by && (event.key !== "Enter" || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    if (by) move(by);
    else marking.querySelector("[data-select]").focus();
  }, options);
  screen.find("[data-add]").addEventListener("click", another, options);
  screen.keys.bind(["Alt+ArrowDown", "Alt+ArrowUp"], (key) => move(key === "Alt+ArrowUp" ? -1 : 1), {
    label: voice.text("key-next"), shown: ["Alt+ArrowDown", "Alt+ArrowUp"], repeats: true,
  });

  /** @type {[place: string, message: string][]} */
  const problems = screen.json("problems") ?? [];
  picker.draw();
  draw();
  const [place, sentence] = problems.find(([name]) => /_\d$/.test(name)) ?? [];
  if (place) {
    const row = rows[Number(place.at(-1)) - 1];
    activate(row);
    complain(row, sentence);
  } else {
    activate(rows[(draft?._view?.row ?? 1) - 1] ?? rows[0]);
  }

  return {
    undo() {
      const last = screen.steps.pop();
      if (!last) return;
      if (last.removed) {
        if (!putBack(last)) return;
      } else {
        const row = rows.find((one) => ids.get(one) === last.id);
        if (row) activate(row);
        if (row) fill(row, { ...said(row), span: last.span });
      }
      screen.noProblem();
      complain();
      voice.live(voice.text("undone"));
      draw();
      screen.changed();
    },
    escape: () => picker.escape(),
    view: () => ({ row: at(active) }),
    ready() {
      if (!picker.ready()) return false;
      const row = rows.find(wrong);
      complain(row, row ? wrong(row) : "");
      if (row) {
        screen.panels.showAnswer();
        screen.problem(wrong(row));
        activate(row, { focus: true });
        return false;
      }
      if (!rows.some(isWritten)) {
        if (!screen.panels.showAnswer()) screen.problem(voice.text("write-first"));
        activate(rows[0], { focus: true });
        return false;
      }
      advice.answered("sent");
      return true;
    },
  };
}
