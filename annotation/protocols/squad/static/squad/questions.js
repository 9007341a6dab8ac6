// Up to five questions about a paragraph, each with its own marked words. One question is active: words that are
// marked belong to it.
import { Advice } from "../goldfinch/advice.js";
import { Rows } from "../goldfinch/rows.js";
import { SpanPicker } from "../goldfinch/spans/picker.js";
import { make } from "../goldfinch/say.js";
import { saysSomething } from "../goldfinch/spans/words.js";
import { lower } from "../goldfinch/bottom_sheet.js";
import { copied, plain } from "./wording.js";
/** @import { DraftData } from "../goldfinch/drafts.js" */
/** @import { Screen } from "../goldfinch/screen.js" */

/** @typedef {{ text: string, kind: string, span: string }} Said */

/** @param {Screen} screen @param {DraftData} draft */
export function start(screen, draft) {
  const { form, voice } = screen;
  if (!form) return null;
  const options = { signal: screen.signal };
  const paragraph = screen.find("[data-passage]").textContent;
  const marking = screen.find("[data-marking]");
  const advice = new Advice(screen);

  /** @param {HTMLElement} row */
  const field = (row) => form.elements.namedItem(`span_${rows.number(row)}`);
  /** @param {HTMLElement} row */
  const kinds = (row) => [...row.querySelectorAll("input[type=radio]")];
  /** @param {HTMLElement} row */
  const kind = (row) => kinds(row).find((radio) => radio.checked)?.value ?? "answerable";
  /** @param {HTMLElement} row */
  const quote = (row) => JSON.parse(field(row).value || "[]")[0]?.quote ?? "";
  /** @param {HTMLElement} row */
  const isWritten = (row) => saysSomething(rows.box(row).value);
  /** @param {HTMLElement} row @returns {boolean} */
  const isUsed = (row) => Boolean(rows.box(row).value.trim() || field(row).value);
  /** @param {HTMLElement} row @returns {Said} */
  const said = (row) => ({ text: rows.box(row).value, kind: kind(row), span: field(row).value });

  /** @type {Rows} */
  const rows = new Rows(screen, {
    read: said,
    write: fill,
    empty: { text: "", kind: "answerable", span: "" },
    isUsed,
    // Pending words are added to the question that was active until now.
    left(removed) {
      if (removed) picker.drop(); else picker.add();
      if (picker.selecting.on) picker.selecting.leave();
    },
    entered(row) {
      const inside = marking.contains(document.activeElement);
      if (!row.contains(marking)) row.querySelector("[data-words]").after(marking);
      picker.use(`span_${rows.number(row)}`);
      if (inside) rows.box(row).focus();
    },
    redraw: draw,
  });
  const picker = new SpanPicker(screen, {
    name: "span_1",
    most: 1,
    remember: () => screen.steps.push({ id: rows.id(rows.active), span: picker.spans.value }),
    redraw: ({ changed }) => {
      picker.draw();
      draw();
      if (changed) screen.changed();
    },
    bring: () => lower(screen),
  });

  // Update every row; an unused row is shown only while it is active.
  function draw() {
    rows.draw();
    for (const row of rows.all) {
      const words = row.querySelector("[data-words]");
      words.hidden = row === rows.active;
      const marked = quote(row);
      words.replaceChildren(marked ? make("q", { class: "chip-read", dir: "auto" }, marked) : voice.text("no-words"));
      advise(row);
    }
    screen.find("[data-marking-label]").textContent = voice.text(`label-${kind(rows.active)}`);
    const n = rows.all.filter(isWritten).length;
    screen.find("[data-commit-label]").textContent = n ? voice.text("send", { n }) : voice.text("send-none");
    const what = quote(rows.active) || voice.text("no-words");
    screen.find("[data-summary]").textContent = voice.text("summary", { at: rows.number(rows.active), what });
  }

  /** @param {HTMLElement} row */
  function advise(row) {
    const same = copied(rows.box(row).value, paragraph);
    row.querySelector("[data-copied]").textContent = same;
    advice.holds(`copied-${rows.number(row)}`, Boolean(same));
  }

  /** @param {HTMLElement} row @param {Said} said */
  function fill(row, { text, kind: chosen, span }) {
    rows.box(row).value = text;
    for (const radio of kinds(row)) radio.checked = radio.value === chosen;
    field(row).value = span;
  }

  /** @param {HTMLElement} row */
  function wrong(row) {
    /** @param {string} name */
    const say = (name) => voice.text(name, { at: rows.number(row) });
    if (!isUsed(row)) return "";
    if (!isWritten(row)) return say("write-this");
    if (!field(row).value) return say("mark-this");
    const earlier = rows.all.slice(0, rows.all.indexOf(row));
    return earlier.some((one) => plain(rows.box(one).value) === plain(rows.box(row).value)) ? say("twice") : "";
  }

  form.addEventListener("keydown", (event) => {
    if (!event.target.matches("[data-row] textarea")) return;
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    marking.querySelector("[data-select]").focus();
  }, options);

  picker.draw();
  draw();
  if (!rows.complainOf(screen.json("problems") ?? [])) {
    rows.activate(rows.all[(draft?._view?.row ?? 1) - 1] ?? rows.all[0]);
  }

  return {
    undo() {
      const last = screen.steps.pop();
      if (!last) return;
      if (last.removed) {
        if (!rows.putBack(last)) return;
      } else {
        const row = rows.withId(last.id);
        if (row) {
          rows.activate(row);
          field(row).value = last.span;
          picker.use(field(row).name);
        }
      }
      screen.noProblem();
      rows.complain();
      voice.live(voice.text("undone"));
      draw();
      screen.changed();
    },
    escape: () => picker.escape(),
    view: () => ({ row: rows.number(rows.active) }),
    ready() {
      if (!picker.ready()) return false;
      const row = rows.all.find(wrong);
      rows.complain(row, row ? wrong(row) : "");
      if (row) {
        screen.panels.showAnswer();
        screen.problem(wrong(row));
        rows.activate(row, { focus: true });
        return false;
      }
      if (!rows.all.some(isWritten)) {
        if (!screen.panels.showAnswer()) screen.problem(voice.text("write-first"));
        rows.activate(rows.all[0], { focus: true });
        return false;
      }
      advice.answered("sent");
      return true;
    },
  };
}
