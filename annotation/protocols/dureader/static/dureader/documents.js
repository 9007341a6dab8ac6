// The documents of a question: J and K go through them, M marks the one in focus as used, and a button shows them side
// by side or one after another, which this device remembers.
import { read, write } from "../goldfinch/storage.js";
/** @import { Screen } from "../goldfinch/screen.js" */

const LAYOUT = "goldfinch:dureader-layout";

export class Documents {
  #current = -1;

  /** @param {Screen} screen @param {{ used(place: number): void }} options `used`: a box was ticked by a key */
  constructor(screen, { used }) {
    this.screen = screen;
    const { keys, voice, signal } = screen;
    this.all = [...screen.root.querySelectorAll("[data-document]")];
    this.boxes = this.all.map((each) => each.querySelector("input[name=used]"));
    this.material = screen.find("#material");
    this.button = screen.find("[data-layout]");
    const kept = read(LAYOUT);
    if (kept) this.#lay(kept === "beside");
    this.button.addEventListener("click", () => {
      const beside = !this.material.hasAttribute("data-beside");
      this.#lay(beside);
      write(LAYOUT, beside ? "beside" : "after");
    }, { signal });
    for (const [place, each] of this.all.entries()) {
      each.addEventListener("focusin", () => this.#point(place), { signal });
      each.addEventListener("pointerdown", () => this.#point(place), { signal });
    }
    keys.bind(["j", "k"], (key) => this.#move(key === "j" ? 1 : -1), {
      label: voice.text("key-document"), shown: ["J", "K"], repeats: true,
    });
    keys.bind("m", () => {
      const place = Math.max(0, this.#current);
      this.boxes[place].checked = !this.boxes[place].checked;
      this.#point(place);
      used(place);
    }, { label: voice.text("key-used") });
  }

  get used() { return this.boxes.filter((box) => box.checked).length; }

  /** @param {boolean} beside */
  #lay(beside) {
    this.material.toggleAttribute("data-beside", beside);
    this.button.setAttribute("aria-pressed", beside);
  }

  /** @param {number} place */
  #point(place) {
    this.#current = place;
    for (const [at, each] of this.all.entries()) {
      if (at === place) each.setAttribute("aria-current", "true"); else each.removeAttribute("aria-current");
    }
  }

  /** @param {number} by */
  #move(by) {
    const place = Math.min(this.all.length - 1, Math.max(0, this.#current + by));
    this.#point(place);
    this.all[place].focus({ preventScroll: true });
    this.all[place].scrollIntoView({ block: "nearest", inline: "nearest" });
    if (!this.material.hasAttribute("data-beside")) this.all[place].scrollIntoView({ block: "start" });
  }
}
