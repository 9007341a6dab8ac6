// The search field of the work page; the frame searches, counts and paints.

export class Finding {
  #field; #count; #voice; #channel; #resting = null; #sought = null;

  constructor(screen, channel) {
    this.#field = screen.find("[data-find]");
    this.#count = screen.find("[data-found]");
    this.#voice = screen.voice;
    this.#channel = channel;
    screen.traces?.before(() => {
      if (this.#sought) screen.note("found", this.#sought); // never what was typed
      this.#sought = null;
    });
    this.#field.addEventListener("input", () => {
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => this.#ask(0), 150);
    }, { signal: screen.signal });
    this.#field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); this.step(event.shiftKey ? -1 : 1); }
      if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); this.leave(); }
    }, { signal: screen.signal });
  }

  open() {
    const hidden = getComputedStyle(this.#field.parentElement).display === "none";
    if (hidden) document.querySelector('[data-toggles="find"]')?.click();
    this.#field.focus();
    this.#field.select();
  }

  step(by) { if (this.#field.value.trim()) this.#ask(by); else this.open(); }

  leave() {
    this.#field.value = "";
    this.#ask(0);
    if (this.#field.closest("[data-open]")) document.querySelector('[data-toggles="find"]').click();
    this.#channel().focus();
  }

  #ask(step) {
    clearTimeout(this.#resting);
    this.#channel().send("find", { query: this.#field.value, step });
  }

  found({ count, at }) {
    const sought = this.#field.value.trim();
    if (sought) this.#sought = { characters: sought.length, hits: count };
    const words = sought ? (count ? this.#voice.text("found", { at, n: count }) : this.#voice.text("found-none")) : "";
    this.#count.textContent = words;
    if (words) this.#voice.live(words);
  }
}
