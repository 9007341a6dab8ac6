// Flag what a partner has said: by the button beside it, or the newest with Alt+F. The dialog asks why.
import { discuss } from "./chat.js";
import { goTo } from "./fetching.js";
import { make, toast } from "./say.js";
import { setTimeout } from "./settled.js";
/** @import { Screen } from "./screen.js" */

const SHOWN = 80; // characters of what was said, in the list
const SECONDS = 10;

export class Flags {
  #screen; #dialog; #form;

  // A button has `data-flag`, the address of what it flags, and `data-what`, the words; `data-newest` comes last.
  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
    this.#dialog = screen.find("dialog#flag");
    if (!this.#dialog) return;
    this.#form = this.#dialog.querySelector("form");
    const { root, signal, keys, voice } = screen;
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-flag]");
      if (button) this.open(button.dataset.flag);
    }, { signal });
    this.#form.addEventListener("change", () => this.#choose(), { signal });
    this.#form.addEventListener("submit", (event) => {
      if (!this.#discusses) return;
      event.preventDefault();
      event.stopImmediatePropagation(); // htmx sends nothing
      this.#discuss();
    }, { signal, capture: true });
    this.#form.addEventListener("htmx:afterRequest", (event) => this.#answered(event.detail), { signal });
    keys.bind("Alt+f", () => this.open(), { label: voice.text("key-flag"), general: true });
  }

  // Without an address: what was said last.
  open(address = "") {
    const buttons = [...this.#screen.root.querySelectorAll("[data-flag]")];
    buttons.sort((one, other) => Number("newest" in one.dataset) - Number("newest" in other.dataset));
    if (!buttons.length) { this.#screen.voice.live(this.#screen.voice.text("nothing-to-flag")); return; }
    this.#form.elements.step.replaceChildren(...buttons.map(({ dataset }) => {
      const words = dataset.what.length > SHOWN ? `${dataset.what.slice(0, SHOWN)}…` : dataset.what;
      return make("option", { value: dataset.flag }, words);
    }));
    this.#form.elements.step.value = address || buttons.at(-1).dataset.flag;
    this.#choose();
    this.#screen.panels.open("flag");
  }

  get #discusses() { return this.#form.elements.how.value === "discuss"; }

  // Nothing is flagged: the side chat opens with the number of the turn.
  #discuss() {
    const { value } = this.#form.elements.step;
    const { turn } = this.#screen.find(`[data-flag="${CSS.escape(value)}"]`).dataset;
    this.#dialog.close();
    this.#form.reset();
    discuss(turn);
  }

  // Only the reasons that fit what is flagged, and none where it is discussed first.
  #choose() {
    const discusses = this.#discusses;
    for (const part of this.#form.querySelectorAll("fieldset[data-not-discussed]")) {
      part.toggleAttribute("disabled", discusses);
    }
    this.#form.querySelector("span[data-not-discussed]").toggleAttribute("hidden", discusses);
    this.#form.querySelector("span[data-discussed]").toggleAttribute("hidden", !discusses);
    const [stage] = this.#form.elements.step.value.split("-");
    for (const label of this.#form.querySelectorAll("[data-of]")) {
      const fits = label.dataset.of.split(" ").includes(stage);
      const input = label.querySelector("input");
      label.hidden = !fits;
      input.disabled = !fits;
      if (!fits) input.checked = false;
    }
  }

  /** @param {{ successful: boolean, xhr: XMLHttpRequest }} options */
  #answered({ successful, xhr }) {
    // Over, or taken back meanwhile: the address of the work shows what there is now.
    if ([404, 409, 410].includes(xhr?.status)) goTo(this.#screen.urls.work);
    if (!successful) return;
    this.#dialog.close();
    this.#form.reset();
    if (!xhr.getResponseHeader("HX-Redirect")) {
      setTimeout(toast(this.#screen.voice.text("flagged")), SECONDS * 1000);
    }
  }
}
