// What the question asks for, and whether for a fact or an opinion. Changing the type later asks before the opinions or
// entities of the answers go.
/** @import { Screen } from "../goldfinch/screen.js" */

const KEYS = { 1: "DESCRIPTION", 2: "ENTITY", 3: "YES_NO", f: "FACT", o: "OPINION" };

/** @param {Screen} screen */
export function start(screen) {
  const { form, voice, keys } = screen;
  if (!form) return null;
  const [type, fact] = ["question_type", "fact_or_opinion"].map((name) => form.elements.namedItem(name));
  const { was } = screen.root.dataset; // the type that was sent before
  const state = () => [type.value, fact.value];
  let before = state();
  let confirmed = false;

  function draw() { form.querySelector("[type=submit]").setAttribute("aria-disabled", !type.value || !fact.value); }

  // After a choice by mouse or key: push the state before it, for undo.
  function chosen() {
    if (String(before) !== String(state())) screen.steps.push(before);
    before = state();
    confirmed = false;
    screen.noProblem();
    draw();
    screen.changed();
  }

  /** @param {string} value */
  function choose(value) {
    const radio = [...type, ...fact].find((one) => one.value === value);
    radio.checked = true;
    voice.live(radio.parentElement.querySelector("b").textContent);
    chosen();
  }

  form.addEventListener("change", chosen, { signal: screen.signal });
  for (const [key, value] of Object.entries(KEYS)) {
    keys.bind(key, () => choose(value), { label: voice.text(`key-${value}`) });
  }
  const dialog = screen.find("dialog#retype");
  dialog.querySelector("[data-retype-yes]").addEventListener("click", () => {
    confirmed = true;
    dialog.close();
    form.requestSubmit();
  }, { signal: screen.signal });
  // Closed without that, the type stays what it was.
  dialog.addEventListener("close", () => { if (!confirmed) choose(was); }, { signal: screen.signal });
  draw();

  return {
    undo() {
      const last = screen.steps.pop();
      if (!last) return;
      for (const radio of [...type, ...fact]) radio.checked = last.includes(radio.value);
      before = state();
      voice.live(voice.text("undone"));
      draw();
      screen.changed();
    },
    ready() {
      if (!type.value || !fact.value) {
        screen.problem(voice.text(type.value ? "say-fact" : "say-type"));
        return false;
      }
      if (confirmed || type.value === was || !["ENTITY", "YES_NO"].includes(was)) return true;
      dialog.querySelector("[data-retype-what]").textContent = voice.text(`drops-${was}`);
      dialog.showModal();
      return false;
    },
  };
}
