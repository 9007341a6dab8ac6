// One choice of a few: the keys 1, 2, 3 … choose, Enter sends.
/** @import { Screen } from "../goldfinch/screen.js" */
/** @param {Screen} screen @param {{ name: string, missing: string, send: string }} options */
export function choosing(screen, { name, missing, send }) {
  const { form, voice, keys } = screen;
  const radios = [...form.elements.namedItem(name)];
  for (const [place, radio] of radios.entries()) {
    const label = radio.closest("label").querySelector("span").textContent.trim();
    keys.bind(String(place + 1), () => {
      radio.checked = true;
      radio.focus();
      screen.noProblem();
      screen.changed();
    }, { label });
  }
  keys.bind("Enter", () => screen.commit(), { label: send });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("[type=radio]") || event.isComposing) return;
    event.preventDefault();
    screen.commit();
  }, { signal: screen.signal });
  return {
    ready() {
      const chosen = Boolean(form.elements.namedItem(name).value);
      if (!chosen) screen.problem(voice.text(missing));
      return chosen;
    },
  };
}
