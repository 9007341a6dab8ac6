// One choice of a few: the keys 1, 2, 3 … choose.
/** @import { Screen } from "../goldfinch/screen.js" */
/** @param {Screen} screen @param {{ name: string, missing: string }} options */
export function choosing(screen, { name, missing }) {
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
  return {
    ready() {
      const chosen = Boolean(form.elements.namedItem(name).value);
      if (!chosen) screen.problem(voice.text(missing));
      return chosen;
    },
  };
}
