// The answers to a question in one's own words, up to five that differ, each with its opinion or its entities; or none.
import { Advice } from "../goldfinch/advice.js";
import { leaveHidden } from "../goldfinch/hidden_focus.js";
import { Rows } from "../goldfinch/rows.js";
import { lengthOf, saysSomething } from "../goldfinch/spans/words.js";
import { Documents } from "./documents.js";
import { Entities } from "./entities.js";
/** @import { DraftData } from "../goldfinch/drafts.js" */
/** @import { Screen } from "../goldfinch/screen.js" */

/** @typedef {{ text: string, opinion: string, entities: string, pending: string }} Said `pending`: typed only */

/** @param {Screen} screen @param {DraftData} draft */
export function start(screen, draft) {
  const { form, voice, keys } = screen;
  if (!form) return null;
  const { type } = screen.root.dataset;
  const { kind } = form.elements;
  const options = { signal: screen.signal };
  const advice = new Advice(screen);
  let wasNone = kind.value === "none";
  /** @type {Map<HTMLElement, string>} */
  const before = new Map(); // the opinion of a row, as it was before it is chosen anew

  /** @param {HTMLElement} row */
  const radios = (row) => [...row.querySelectorAll("input[type=radio]")];
  /** @param {HTMLElement} row */
  const opinion = (row) => radios(row).find((radio) => radio.checked)?.value ?? "";
  /** @param {HTMLElement} row @returns {Said} */
  const said = (row) => ({
    text: rows.box(row).value, opinion: opinion(row), entities: entities.get(row)?.lines.value ?? "",
    pending: entities.get(row)?.input.value ?? "",
  });
  /** @param {HTMLElement} row @returns {boolean} */
  const isUsed = (row) => Boolean(
    rows.box(row).value.trim() || opinion(row) || entities.get(row)?.lines.value || entities.get(row)?.pending,
  );
  /** @param {HTMLElement} row */
  const isWritten = (row) => saysSomething(rows.box(row).value);

  /** @param {HTMLElement} row @param {Said} what */
  function write(row, what) {
    rows.box(row).value = what.text;
    const list = entities.get(row);
    if (list) list.input.value = what.pending;
    fillBeside(row, what);
  }

  // What belongs to an answer beside its words.
  /** @param {HTMLElement} row @param {Said} what */
  function fillBeside(row, { opinion: chosen, entities: lines }) {
    for (const radio of radios(row)) radio.checked = radio.value === chosen;
    before.set(row, chosen);
    const list = entities.get(row);
    if (list) list.lines.value = lines;
  }

  /** @type {Rows} */
  const rows = new Rows(screen, {
    read: said, write, empty: { text: "", opinion: "", entities: "", pending: "" }, isUsed, redraw: draw,
  });
  /** @param {HTMLElement} row @param {string} [chosen] the opinion before this step */
  const remember = (row, chosen = opinion(row)) => {
    screen.steps.push({ id: rows.id(row), before: { ...said(row), opinion: chosen } });
  };
  /** @type {Map<HTMLElement, Entities>} */
  const entities = new Map(type !== "ENTITY" ? [] : rows.all.map((row) => [
    row, new Entities(screen, row, { advice, remember: () => remember(row), redraw: draw }),
  ]));
  const documents = new Documents(screen, {
    used(place) {
      const on = documents.boxes[place].checked;
      voice.live(voice.text(on ? "used-on" : "used-off", { at: place + 1 }));
      marked(place);
    },
  });

  /** @param {number} place */
  function marked(place) {
    screen.steps.push({ used: place, was: !documents.boxes[place].checked });
    screen.noProblem();
    draw();
    screen.changed();
  }

  function draw() {
    rows.draw();
    const none = kind.value === "none";
    screen.find("[data-answers-part]").hidden = none;
    screen.find("[data-none-part]").hidden = !none;
    leaveHidden(screen.find("#material"));
    for (const row of rows.all) {
      const { n, unit } = lengthOf(rows.box(row).value);
      row.querySelector("[data-count]").textContent = n ? voice.text(unit, { n }) : "";
      entities.get(row)?.draw();
    }
    const n = none ? 0 : documents.used; // they are used for answers only
    screen.find("[data-used-count]").textContent = n ? voice.text("used", { n }) : "";
    const what = rows.box(rows.active).value.trim() || voice.text("summary-open");
    const summary = voice.text("summary", { at: rows.number(rows.active), what });
    screen.find("[data-summary]").textContent = none ? voice.text("summary-none") : summary;
    wasNone = none;
  }

  /** @param {boolean} none */
  function chooseNone(none) {
    for (const radio of kind) radio.checked = radio.value === (none ? "none" : "answers");
    settleNone();
  }

  function settleNone() {
    const none = kind.value === "none";
    if (none === wasNone) return;
    screen.steps.push({ none: wasNone });
    if (none) voice.live(voice.text("summary-none"));
    screen.noProblem();
    rows.complain();
    draw();
    screen.changed();
  }

  // The name of the message about what is wrong with an answer; "" if nothing is.
  /** @param {HTMLElement} row */
  function wrong(row) {
    if (!isUsed(row)) return "";
    if (!isWritten(row)) return "write-this";
    if (type === "YES_NO" && !opinion(row)) return "opinion-this";
    if (type === "ENTITY" && !entities.get(row).names.length) return "entities-this";
    if (type === "YES_NO") return "";
    /** @param {HTMLElement} one */
    const plain = (one) => rows.box(one).value.replace(/\s/gu, "");
    const earlier = rows.all.slice(0, rows.all.indexOf(row)).filter(isUsed);
    return earlier.some((one) => plain(one) === plain(row)) ? "twice" : "";
  }

  form.addEventListener("change", (event) => {
    if (event.target.name === "kind") settleNone();
    const row = event.target.closest("[data-row]");
    if (row && event.target.type === "radio") {
      remember(row, before.get(row));
      before.set(row, opinion(row));
      screen.noProblem();
      rows.complain();
      draw();
      screen.changed();
    }
  }, options);
  for (const [place, box] of documents.boxes.entries()) box.addEventListener("change", () => marked(place), options);
  keys.bind("n", () => chooseNone(kind.value !== "none"), { label: voice.text("key-none") });

  for (const row of rows.all) before.set(row, opinion(row));
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
      } else if ("none" in last) {
        for (const radio of kind) radio.checked = radio.value === (last.none ? "none" : "answers");
      } else if ("used" in last) {
        documents.boxes[last.used].checked = last.was;
      } else {
        const row = rows.withId(last.id);
        if (row) {
          rows.activate(row);
          fillBeside(row, last.before);
        }
      }
      screen.noProblem();
      rows.complain();
      voice.live(voice.text("undone"));
      draw();
      screen.changed();
    },
    view: () => ({ row: rows.number(rows.active) }),
    ready() {
      if (kind.value === "none") return true;
      for (const list of entities.values()) list.takePending();
      const row = rows.all.find(wrong);
      const sentence = row ? voice.text(wrong(row), { at: rows.number(row) }) : "";
      rows.complain(row, sentence);
      if (row) {
        screen.panels.showAnswer();
        screen.problem(sentence);
        rows.activate(row, { focus: true });
        return false;
      }
      if (!rows.all.some(isWritten)) {
        if (!screen.panels.showAnswer()) screen.problem(voice.text("write-first"));
        rows.activate(rows.all[0], { focus: true });
        return false;
      }
      if (!documents.used) {
        screen.problem(voice.text("use-first"));
        return false;
      }
      advice.answered("sent");
      return true;
    },
  };
}
