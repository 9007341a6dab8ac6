// One person's questions about a paper: rows that can be added, moved and removed, each validated separately.
import { icon, make } from "../goldfinch/say.js";
import { lengthOf } from "../goldfinch/spans/words.js";
import { setMaths } from "./maths.js";
import { cutText, drawReferences } from "./paper.js";
import { isTwo, plain, saidIn } from "./wording.js";
/** @import { Screen } from "../goldfinch/screen.js" */

const [FEWEST, MOST] = [3, 60]; // words
/** @typedef {{ text?: string, answerable_from_abstract?: boolean, kept?: boolean }} Asked */
const PROFILE = ["topic_background", "paper_read", "nlp_background"]; // in the order of the screen

/** @param {Screen} screen */
export function start(screen) {
  const { voice, form } = screen;
  const list = screen.find("[data-asks]");
  const field = form.elements.namedItem("questions");
  /** @returns {HTMLElement[]} */
  const rows = () => [...list.querySelectorAll(":scope > li")];
  /** @param {HTMLElement} row */
  const box = (row) => row.querySelector("textarea");
  const written = () => rows().filter((row) => box(row).value.trim());
  /** @type {{ row: HTMLElement, at: number }[]} */
  const removed = []; // newest last

  function newRow({ text = "", answerable_from_abstract = false, kept = false } = {}) {
    const [pattern] = screen.find("template[data-row]").content.children;
    const row = /** @type {HTMLElement} */ (pattern.cloneNode(true));
    box(row).value = text;
    row.querySelector("input[data-from-abstract]").checked = answerable_from_abstract;
    row.toggleAttribute("data-kept", kept);
    return row;
  }

  /** @param {HTMLElement} place @param {string} sentence */
  function say(place, sentence) {
    (place.querySelector("span") ?? place).textContent = sentence;
    place.hidden = !sentence;
  }

  /** @param {HTMLElement} row */
  function wrong(row) {
    const { n, unit } = lengthOf(box(row).value);
    if (!box(row).value.trim()) return "";
    if (n < FEWEST) return voice.text(`too-short-${unit}`);
    if (n > MOST) return voice.text(`too-long-${unit}`);
    const before = rows().slice(0, rows().indexOf(row));
    return before.some((one) => plain(box(one).value) === plain(box(row).value)) ? voice.text("twice") : "";
  }

  /** @param {HTMLElement} row @param {string} sentence */
  function complain(row, sentence) {
    say(row.querySelector("[data-wrong]"), sentence);
    box(row).toggleAttribute("aria-invalid", Boolean(sentence));
    if (sentence) box(row).setAttribute("aria-invalid", "true");
    row.querySelector("[data-keep]").hidden = true;
  }

  // The server found it too similar to another one: it has to be changed, or kept on purpose.
  /** @param {HTMLElement} row @param {string} sentence */
  function ask(row, sentence) {
    complain(row, sentence);
    row.toggleAttribute("data-asked", true);
    row.querySelector("[data-keep]").hidden = false;
  }

  /** @param {HTMLElement} row */
  function keep(row) {
    row.toggleAttribute("data-kept", true);
    settle(row);
    count("kept");
    draw();
    form.querySelector("[type=submit]").focus();
  }

  /** @param {HTMLElement} row */
  function settle(row) {
    row.removeAttribute("data-asked");
    complain(row, "");
  }

  // Nothing is looked up in the abstract before the question has its question mark: half a question says little.
  const abstract = screen.find(".paper .abstract")?.textContent ?? "";
  /** @param {string} text @param {boolean} fromAbstract */
  function adviceOn(text, fromAbstract) {
    if (isTwo(text)) return voice.text("advice-marks");
    if (fromAbstract) return text.trim() && voice.text("advice-abstract");
    const what = /[?？؟]\s*$/.test(text) ? saidIn(abstract, text) : "";
    return what && voice.text("advice-said", { what });
  }

  /** @param {HTMLElement} row */
  function advise(row) {
    const advice = adviceOn(box(row).value, row.querySelector("input[data-from-abstract]").checked);
    const place = row.querySelector("[data-advice]");
    if (advice && place.hidden) screen.note("advice_shown", { kind: "question", said: advice });
    say(place, advice);
  }

  // How often questions were added, edited and so on; sent with the next traces.
  const counts = { added: 0, edited: 0, removed: 0, moved: 0, kept: 0 };
  /** @param {keyof typeof counts} what */
  const count = (what) => { counts[what] += 1; };
  let profile = "";
  screen.traces?.before(() => {
    if (Object.values(counts).some(Boolean)) screen.note("questions", { ...counts, of: written().length });
    for (const what of /** @type {(keyof typeof counts)[]} */ (Object.keys(counts))) counts[what] = 0;
    const said = Object.fromEntries(PROFILE.map((name) => [name, form.elements.namedItem(name).value]));
    if (JSON.stringify(said) !== profile) screen.note("profile", said);
    profile = JSON.stringify(said);
  });

  function draw({ changed = true } = {}) {
    rows().forEach((row, at) => {
      const number = at + 1;
      box(row).setAttribute("aria-label", voice.text("question", { at: number }));
      row.querySelector("[data-grip]").setAttribute("aria-label", voice.text("move", { at: number }));
      row.querySelector("[data-remove]").setAttribute("aria-label", voice.text("remove", { at: number }));
      const { n, unit } = lengthOf(box(row).value);
      row.querySelector("[data-count]").textContent = n ? voice.text(unit, { n }) : "";
      row.querySelector("[data-count]").toggleAttribute("data-over", n > MOST);
      for (const name of ["wrong", "advice"]) row.querySelector(`[data-${name}]`).id = `ask-${number}-${name}`;
      box(row).setAttribute("aria-describedby", `ask-${number}-wrong ask-${number}-advice`);
      if (box(row).hasAttribute("aria-invalid") && !wrong(row) && !row.hasAttribute("data-asked")) complain(row, "");
      advise(row);
    });
    field.value = JSON.stringify(written().map((row) => ({
      text: box(row).value.trim(),
      answerable_from_abstract: row.querySelector("input[data-from-abstract]").checked,
      kept: row.hasAttribute("data-kept"),
    })));
    const n = written().length;
    screen.find("[data-summary]").textContent = n ? voice.text("written", { n }) : voice.text("written-none");
    screen.find("[data-commit-label]").textContent = n ? voice.text("send", { n }) : voice.text("send-none");
    if (changed) screen.changed();
  }

  /** @param {HTMLElement | null} after @param {Asked} [question] */
  function add(after, question) {
    const row = newRow(question);
    if (after) after.after(row); else list.append(row);
    count("added");
    draw({ changed: Boolean(question) });
    return row;
  }

  /** @param {HTMLElement} row */
  function remove(row) {
    const at = rows().indexOf(row);
    removed.push({ row, at });
    row.remove();
    count("removed");
    if (!rows().length) list.append(newRow());
    screen.noProblem(); // it may have been about this row
    draw();
    sayRemoved();
    box(rows()[Math.min(at, rows().length - 1)]).focus();
  }

  function sayRemoved() {
    const place = screen.find("[data-removed]");
    const last = removed.at(-1);
    place.hidden = !last;
    if (!last) return;
    const back = make("button", { class: "btn btn-sm", type: "button", on: restore }, icon("undo"), voice.text("undo"));
    place.replaceChildren(make("span", {}, voice.text("removed", { at: last.at + 1 })), back);
  }

  function restore() {
    if (!removed.length) return;
    const { row, at } = removed.pop();
    count("added");
    const only = rows().length === 1 && !box(rows()[0]).value.trim() ? rows()[0] : null;
    list.insertBefore(row, rows()[at] ?? null);
    only?.remove();
    sayRemoved();
    draw();
    box(row).focus();
  }

  // Moving the row in the document loses the focus, so it is restored.
  /** @param {HTMLElement} row @param {number} to @param {{ speak?: boolean }} [options] */
  function move(row, to, { speak = true } = {}) {
    const from = rows().indexOf(row);
    if (to < 0 || to >= rows().length || to === from) return;
    const focused = row.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const other = rows()[to];
    if (to > from) other.after(row); else other.before(row);
    focused?.focus();
    count("moved");
    draw();
    if (speak) voice.live(voice.text("moved", { at: to + 1, of: rows().length }));
  }

  // The parts of the background that are missing.
  function unsaid() {
    const said = new FormData(form);
    return PROFILE.filter((name) => !said.has(name));
  }

  // Beside each of these parts that it is missing, and nothing beside the others.
  /** @param {string[]} missing */
  function sayUnsaid(missing) {
    for (const place of screen.root.querySelectorAll("[data-unsaid]")) {
      const name = place.dataset.unsaid;
      say(place, missing.includes(name) ? voice.text(`unsaid-${name}`) : "");
    }
  }
  form.addEventListener("change", ({ target }) => {
    if (!PROFILE.includes(target.name)) return;
    const place = screen.root.querySelector(`[data-unsaid="${target.name}"]`);
    if (!place.hidden) say(place, "");
    screen.noProblem();
  }, { signal: screen.signal });

  // Whether every part of the background has been answered.
  function isSaid() {
    const missing = unsaid();
    sayUnsaid(missing);
    const [first] = missing;
    if (!first) return true;
    screen.panels.showAnswer();
    screen.problem(voice.text(missing.length > 1 ? "unsaid-several" : `unsaid-${first}`, { n: missing.length }));
    form.querySelector(`[name=${first}]`).focus();
    return false;
  }

  /** @param {Event & { target: HTMLElement }} event */
  const rowOf = (event) => event.target.closest?.("[data-asks] > li");
  const options = { signal: screen.signal };
  list.addEventListener("input", (event) => {
    const row = rowOf(event);
    // A changed question is checked for similarity again.
    if (row && event.target === box(row)) {
      row.removeAttribute("data-kept");
      if (row.hasAttribute("data-asked")) settle(row);
    }
    screen.noProblem();
    draw();
  }, options);
  list.addEventListener("change", (event) => { if (event.target.matches("textarea")) count("edited"); }, options);
  list.addEventListener("focusout", (event) => {
    const row = rowOf(event);
    if (row && event.target === box(row) && !row.hasAttribute("data-asked")) complain(row, wrong(row));
  }, options);
  list.addEventListener("keydown", (event) => {
    const row = rowOf(event);
    if (!row) return;
    const at = rows().indexOf(row);
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      move(row, at + (event.key === "ArrowUp" ? -1 : 1));
    } else if (event.target === box(row) && event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const next = rows()[at + 1];
      box(next && !box(next).value.trim() ? next : box(row).value.trim() ? add(row) : row).focus();
    } else if (event.target === box(row) && event.key === "Backspace" && !box(row).value && rows().length > 1) {
      event.preventDefault();
      row.remove();
      count("removed");
      draw();
      box(rows()[Math.max(0, at - 1)]).focus();
    }
  }, options);
  list.addEventListener("click", (event) => {
    if (event.target.closest("[data-remove]")) remove(rowOf(event));
    else if (event.target.closest("[data-keep]")) keep(rowOf(event));
  }, options);
  list.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest("[data-grip]");
    if (!grip || event.button) return;
    const row = rowOf(event);
    grip.setPointerCapture(event.pointerId);
    row.toggleAttribute("data-dragging", true);
    /** @param {PointerEvent} moved */
    const drag = (moved) => {
      const over = rows().map((one) => one.getBoundingClientRect())
        .findIndex(({ top, bottom }) => moved.clientY >= top && moved.clientY <= bottom);
      if (over >= 0) move(row, over, { speak: false });
    };
    const end = () => { row.removeAttribute("data-dragging"); grip.removeEventListener("pointermove", drag); };
    grip.addEventListener("pointermove", drag, options);
    for (const over of ["pointerup", "pointercancel", "lostpointercapture"]) {
      grip.addEventListener(over, end, { ...options, once: true });
    }
  }, options);
  screen.find("[data-add-ask]").addEventListener("click", () => box(add(null)).focus(), options);
  screen.keys.bind("Enter", () => box(add(null)).focus(), { label: voice.text("key-new") });
  screen.keys.bind("Alt+ArrowUp", () => {}, { label: voice.text("key-move"), shown: ["Alt+ArrowUp", "Alt+ArrowDown"] });

  const asked = JSON.parse(field.value || "[]");
  for (const question of asked) list.append(newRow(question));
  if (!asked.length) list.append(newRow());
  draw({ changed: false });
  for (const [place, message, code] of screen.json("problems") ?? []) {
    const row = rows()[Number(/^questions\.(\d+)$/.exec(place)?.[1] ?? -1)];
    if (row) (code === "alike" ? ask : complain)(row, message);
  }
  for (const text of screen.root.querySelectorAll(".paper .title, .paper .abstract")) cutText(text);
  setMaths(screen.root);
  drawReferences(screen.find(".paper"));

  return {
    undo: restore,
    ready() {
      if (!written().length) {
        if (!screen.panels.showAnswer()) screen.problem(voice.text("write-first"));
        box(rows()[0]).focus();
        return false;
      }
      for (const row of rows()) if (!row.hasAttribute("data-asked") || wrong(row)) complain(row, wrong(row));
      const bad = rows().find((row) => wrong(row));
      if (!bad) return isSaid();
      screen.panels.showAnswer();
      screen.problem(voice.text("see-rows"));
      box(bad).focus();
      bad.scrollIntoView({ block: "nearest" }); // its reason too
      return false;
    },
  };
}
