// Stage 1: good or bad. The label of the button names the verdict and the next screen; choosing a reason
// also chooses Bad.
/** @import { Screen } from "../goldfinch/screen.js" */

/** @param {Screen} screen */
export function start(screen) {
  const verdict = () => screen.form?.elements.verdict.value ?? "";
  const reasons = [...screen.root.querySelectorAll("[name=reasons]")];
  const button = screen.form?.querySelector("[type=submit]");

  const state = () => [verdict(), ...reasons.filter((reason) => reason.checked).map((reason) => reason.value)];
  /** @type {string[]} */
  let before = []; // state before the last choice

  // After a choice by mouse or key: push the state before it, for undo.
  function chosen() {
    if (String(before) !== String(state())) screen.steps.push(before);
    before = state();
    screen.noProblem();
    draw();
    screen.changed();
  }

  function draw() {
    if (!button) return;
    const commit = { good: "commit-good", bad: "commit-bad" }[verdict()] ?? "commit-open";
    screen.find("[data-commit-label]").textContent = screen.voice.text(commit);
    button.setAttribute("aria-disabled", !verdict());
    screen.mayStop(verdict() === "bad");
    screen.find("[data-after]").textContent = screen.voice.text(verdict() === "bad" ? "after-bad" : "after-good");
  }

  /** @param {string} value */
  function choose(value) {
    screen.form.elements.verdict.value = value;
    if (value === "good") for (const reason of reasons) reason.checked = false;
    chosen();
  }

  /** @param {HTMLInputElement} reason */
  function toggle(reason) {
    reason.checked = !reason.checked;
    screen.form.elements.verdict.value = "bad";
    choose("bad");
    const said = screen.voice.text(reason.checked ? "on" : "off");
    screen.voice.live(`${reason.parentElement.querySelector("b").textContent}: ${said}`);
  }

  if (screen.form) {
    screen.form.addEventListener("change", (event) => {
      if (event.target.name === "reasons" && event.target.checked) screen.form.elements.verdict.value = "bad";
      if (event.target.value === "good") for (const reason of reasons) reason.checked = false;
      chosen();
    });
    screen.keys.bind("g", () => choose("good"), { label: screen.voice.text("key-good") });
    screen.keys.bind("b", () => choose("bad"), { label: screen.voice.text("key-bad") });
    screen.keys.bind(reasons.map((_, i) => String(i + 1)), (key) => toggle(reasons[Number(key) - 1]), {
      label: screen.voice.text("key-reason"), shown: ["1", "5"],
    });
  }
  before = state();
  draw();

  return {
    undo() {
      const last = screen.steps.pop();
      if (!last) return;
      before = last;
      const [value, ...why] = before;
      for (const radio of screen.form.elements.verdict) radio.checked = radio.value === value;
      for (const reason of reasons) reason.checked = why.includes(reason.value);
      screen.voice.live(screen.voice.text("undone"));
      draw();
      screen.changed();
    },
    ready() {
      if (verdict() === "good") return true;
      if (verdict() === "bad" && reasons.some((reason) => reason.checked)) return true;
      screen.problem(screen.voice.text(verdict() === "bad" ? "say-why" : "say-verdict"));
      return false;
    },
  };
}
