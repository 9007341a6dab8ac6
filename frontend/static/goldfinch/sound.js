// A short sound for those who allow it, made here, so that there is no file to load. The choice is kept on this device.
import { read, write } from "./storage.js";

const KEY = "goldfinch:sound";
const TONES = [[0, 660], [0.18, 880]]; // seconds, hertz
const LASTS = 0.16;
const LOUD = 0.15;

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  #box; #blocked;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#box = root.querySelector("input[data-sound]");
    this.#blocked = root.querySelector("[data-sound-blocked]");
    this.#box.checked = read(KEY) === "on";
    root.querySelector("[data-sound-choice]").hidden = false;
    this.#box.addEventListener("change", () => {
      write(KEY, this.#box.checked ? "on" : "off");
      this.play();
      this.#show();
    });
    // Browsers allow no sound before the first press on a page.
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => this.#wake());
    this.#show();
  }

  #wake() {
    if (this.#box.checked) this.#ready.resume().then(() => this.#show());
  }

  get #ready() {
    this.#context ??= new AudioContext();
    return this.#context;
  }

  #show() { this.#blocked.hidden = !this.#box.checked || this.#ready.state === "running"; }

  play() {
    if (!this.#box.checked) return;
    const context = this.#ready;
    for (const [later, pitch] of TONES) {
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      const start = context.currentTime + later;
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(LOUD, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + LASTS);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + LASTS);
    }
  }
}
