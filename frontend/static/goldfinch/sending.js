// Ctrl+Enter: one press sends once, and what came in place of what was sent waits until somebody has looked at it.
import { hush, notice } from "./say.js";
/** @import { Screen } from "./screen.js" */

const ALONE = new Set(["Control", "Meta", "Shift", "Alt"]); // pressed for another key

/** @param {KeyboardEvent} event */
export const isSendKey = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey);

export class Sending {
  #screen; #unread = false;

  /** @param {Screen} screen */
  constructor(screen) { this.#screen = screen; }

  // This screen came in place of one that was sent: a second press was made for that one, whenever it arrives.
  follows() { this.#unread = true; }

  /** @param {KeyboardEvent} event */
  pressed(event) { if (!isSendKey(event) && !ALONE.has(event.key)) this.looked(); }

  // Somebody has moved, scrolled, pressed or typed something here.
  looked() {
    if (!this.#unread) return;
    this.#unread = false;
    hush(this.#screen.root, "unread");
  }

  send() {
    const { form, root, requests, voice } = this.#screen;
    if (!form || requests.sending || !this.#screen.isReady()) return;
    if (this.#unread) notice(root, "unread", { text: voice.text("unread") });
    else this.#screen.commit();
  }
}
