// Stage 2: the page in its frame, the box in focus, and the choice: a box, or no answer with its reason.
import { Channel } from "../goldfinch/channel.js";
import { icon, make } from "../goldfinch/say.js";
import { Boxes } from "./boxes.js";
import { drawCrumbs } from "./crumbs.js";
import { Finding } from "./finding.js";
import { Outline } from "./outline.js";
import { Takes } from "./takes.js";
/** @import { DraftData } from "../goldfinch/drafts.js" */
/** @import { Screen } from "../goldfinch/screen.js" */
/** @import { ToldBox } from "../goldfinch/channel.js" */

/** @param {Screen} screen @param {DraftData} draft */
export function start(screen, draft) {
  const { voice, keys } = screen;
  const form = screen.find("form#answer");
  /** @param {string} name */
  const field = (name) => form.elements.namedItem(name);
  const boxes = new Boxes(screen.json("boxes") ?? [], voice);
  /** @typedef {{ candidate: number | null, quote: string, reason: string, section: string }} Choice */
  /** @type {Choice} */
  let choice = { candidate: null, quote: "", reason: "", section: "" };
  /** @type {ToldBox | null} */
  let focus = null; // the box in focus
  let asked = false; // N was pressed: 1 and 2 choose the reason
  const takes = new Takes();
  let scroll = draft._view?.scroll ?? null;
  /** @type {Channel} */
  let channel;

  const given = Number(field("candidate").value);
  if (field("kind").value === "box" && field("candidate").value !== "" && boxes.has(given)) {
    choice = { ...choice, candidate: given, quote: field("quote").value };
  } else {
    choice.reason = field("reason").value;
  }

  const outline = new Outline(screen, (id) => {
    channel.focus(); // so that Enter is no longer the link's
    channel.send("heading", { id });
  });
  const finding = new Finding(screen, () => channel);

  /** @param {Partial<Choice>} next @param {{ remember?: boolean }} [options] */
  function decide(next, { remember = true } = {}) {
    if (!screen.form) return;
    asked = false;
    const isSame = (next.candidate ?? null) === choice.candidate && (next.reason ?? "") === choice.reason;
    if (remember && isSame) return; // nothing that could be undone
    if (remember) screen.steps.push(choice);
    choice = { candidate: null, quote: "", reason: "", section: "", ...next };
    screen.note("choice_changed", { box: choice.candidate, reason: choice.reason });
    screen.noProblem();
    channel.send("choose", { c: choice.candidate });
    draw();
    screen.changed();
  }

  /** @param {ToldBox} options */
  function choose({ c, quote, section }) {
    if (!boxes.has(c)) return;
    decide({ candidate: c, quote, section });
    voice.live(`${voice.text("chosen")}: ${boxes.label(c)}. ${quote}`);
  }

  function take() {
    takes.sent();
    channel.send("take");
  }

  /** @param {ToldBox} box */
  function focusAndChoose(box) {
    if (!boxes.has(box.c)) return;
    focused(box);
    choose(box);
  }

  /** @param {string} value */
  const giveReason = (value) => takes.after(() => decide({ reason: value }));

  function draw() {
    const { candidate, reason } = choice;
    field("kind").value = candidate !== null ? "box" : reason ? "none" : "";
    field("candidate").value = String(candidate ?? "");
    field("quote").value = choice.quote;
    for (const radio of form.querySelectorAll("[name=reason]")) radio.checked = radio.value === reason;
    outline.chosen(choice.section);
    card();
    const unset = reason ? voice.text(`no-answer-${reason}`) : voice.text("nothing-chosen");
    const summary = candidate !== null ? boxes.label(candidate) : unset;
    screen.find("[data-summary]").textContent = summary;
    screen.find("[data-summary-dot]").className = `dot ${candidate !== null ? "gold" : reason ? "blue" : "none"}`;
    const label = screen.find("[data-commit-label]");
    if (!label) return;
    label.textContent = candidate !== null ? boxes.use(candidate) : voice.text(reason ? "commit-none" : "commit-open");
    form.querySelector("[type=submit]").setAttribute("aria-disabled", candidate === null && !reason);
    screen.mayStop(candidate === null && Boolean(reason));
    const after = candidate !== null ? "after-box" : reason ? "after-none" : "";
    screen.find("[data-after]").textContent = after && voice.text(after);
  }

  function card() {
    const place = screen.find("[data-chosen-card]");
    if (choice.candidate === null) {
      const keys = make("span", { class: "by-key" }, voice.text("nothing-yet-keys"));
      return place.replaceChildren(make("p", { class: "nothing-yet" }, voice.text("nothing-yet"), " ", keys));
    }
    const c = choice.candidate;
    /** @param {string} name @param {string} label @param {() => void} on */
    const tool = (name, label, on) => make(
      "button", { class: "btn btn-link btn-sm btn-icon", type: "button", "aria-label": label, title: label, on },
      icon(name),
    );
    const goTo = tool("goto", voice.text("go-to"), () => channel.send("goto", { c }));
    const tools = make("div", { class: "tools" }, goTo, screen.form ? tool("x", voice.text("remove"), remove) : "");
    const crumbs = make("ol", { class: "crumbs wraps", "aria-label": voice.text("around") });
    drawCrumbs(crumbs, boxes, c, screen.form ? goToOuter : null);
    const quote = make("q", { class: "clamp", lang: form.dataset.lang, dir: "auto" }, choice.quote);
    const meta = make("div", { class: "meta" }, boxes.label(c));
    return place.replaceChildren(make("div", { class: "marked" }, quote, meta, tools), crumbs);
  }

  // A box in a path is chosen by a click like one on the page.
  /** @param {number} at */
  const goToOuter = (at) => channel.send("goto", { c: at, choose: Boolean(screen.form) });

  function remove() {
    decide({});
    voice.live(voice.text("removed"));
  }

  /** @param {ToldBox} box */
  function focused(box) {
    if (box.c !== focus?.c) screen.note("box_focused", { box: box.c });
    focus = box;
    drawCrumbs(screen.find("[data-focus-crumbs]"), boxes, box.c, goToOuter);
    if (box.c === choice.candidate && !choice.section) { choice.section = box.section; outline.chosen(box.section); }
  }

  channel = new Channel(screen.find("[data-frame]"), {
    signal: screen.signal,
    hello: () => {
      takes.forget();
      return {
        keys: keys.all(), boxes: boxes.forFrame(voice.text("chosen")),
        headings: [...screen.root.querySelectorAll("[data-heading]")].map((link) => link.dataset.heading),
        words: null, chosen: choice.candidate, focus: focus?.c ?? draft._view?.focus ?? choice.candidate, scroll,
        outlined: screen.find("input[data-outline-all]").checked,
        label: voice.text("page"), table: voice.text("kind-table"),
      };
    },
    hearers: {
      key: (message) => screen.pressed(message),
      active: () => screen.touched(),
      section: ({ id }) => { screen.find("[data-waiting]")?.remove(); outline.at(id); },
      scrolled: ({ y }) => { scroll = y; },
      found: (message) => { finding.found(message); outline.found(new Map(message.sections)); },
      click: focusAndChoose,
      taken: (box) => {
        focusAndChoose(box);
        takes.answered();
      },
      focus: (box) => {
        if (!boxes.has(box.c)) return;
        focused(box);
        if (!box.quiet) voice.live(`${boxes.label(box.c)}. ${box.quote}`);
      },
      untaken: () => takes.answered(), // no box is in focus, or it was off the screen and is only shown now
      nowhere: () => {
        focus = null;
        screen.find("[data-focus-crumbs]").replaceChildren();
      },
    },
  });

  // Enter and Space are for the page from now on, no longer for a reason.
  function leaveTheAnswer() {
    if (form.contains(document.activeElement)) screen.find("#material").focus({ preventScroll: true });
  }

  /** @param {string} to */
  function move(to) {
    leaveTheAnswer();
    channel.send("move", { to });
  }
  const repeats = true;
  keys.bind(["j", "k"], (key) => move(key === "j" ? "next" : "previous"), { label: voice.text("key-next"), repeats });
  keys.bind(["h", "l"], (key) => move(key === "h" ? "out" : "in"), { label: voice.text("key-nest"), repeats });
  keys.bind("/", () => finding.open(), { label: voice.text("key-find") });
  keys.bind(["F3", "Shift+F3"], (key) => finding.step(key === "F3" ? 1 : -1), {
    label: voice.text("key-find-next"), repeats,
  });
  keys.bind("o", () => outline.focus(), { label: voice.text("key-outline") });
  if (screen.form) {
    keys.bind("Enter", take, { label: voice.text("key-choose") });
    keys.bind("n", () => {
      asked = true;
      screen.panels.showAnswer();
      voice.live(voice.text("press-1-2"));
      form.querySelector("[name=reason]").focus();
    }, { label: voice.text("key-none") });
    keys.bind(["1", "2"], (key) => {
      if (!asked) return;
      giveReason(key === "1" ? "page" : "spread");
      screen.panels.close();
      leaveTheAnswer();
    });
  }
  form.addEventListener("change", ({ target }) => {
    if (target.name === "reason") giveReason(target.value);
  }, { signal: screen.signal });
  const all = screen.find("input[data-outline-all]");
  all.addEventListener("change", () => {
    channel.send("outline", { on: all.checked });
  }, { signal: screen.signal });
  draw();

  return {
    keysChanged: () => channel.send("keys", { keys: keys.all() }),
    view: () => ({ scroll, focus: focus?.c ?? null }),
    escape: () => screen.panels.close() || finding.clear(),
    undo: () => takes.after(() => {
      const last = screen.steps.pop();
      if (!last) return;
      decide(last, { remember: false });
      voice.live(voice.text("undone"));
    }),
    ready() {
      if (takes.pending) { takes.after(() => screen.commit()); return false; }
      if (choice.candidate !== null || choice.reason) return true;
      // A closed sheet has the other answers.
      if (!screen.panels.showAnswer()) screen.problem(voice.text("choose-first"));
      return false;
    },
  };
}
