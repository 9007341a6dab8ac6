// The work page's end of the postMessage channel to a sandboxed frame: accepts known messages from this frame only.
import { isDark } from "./colours.js";
import { hush, make, notice } from "./say.js";
import { begin } from "./settled.js";
/** @import { Screen } from "./screen.js" */

/** @type {Channel | null} that of the screen that is shown */
let current = null;
/** @param {unknown} value */
const index = (value) => Number.isInteger(value) && Number(value) >= 0;
/** @param {unknown} value */
const string = (value) => typeof value === "string" && value.length <= 2000;
/** @param {unknown} value */
const number = (value) => Number.isFinite(value);
/** @param {unknown} value */
const boolean = (value) => typeof value === "boolean";
/** @type {Record<string, Record<string, (value: unknown) => boolean>>} */
const SAYS = {
  ready: {},
  active: {},
  left: {},
  key: { key: string, repeat: boolean },
  focus: { c: index, quote: string, section: string, quiet: boolean },
  nowhere: {},
  taken: { c: index, quote: string, section: string },
  untaken: {},
  click: { c: index, quote: string, section: string },
  section: { id: string },
  scrolled: { y: number },
  found: { count: index, at: index, sections: Array.isArray },
  set: {},
  height: { px: index },
  reveal: { top: number, bottom: number },
  settled: { n: index },
  picked: { start: index, end: index, how: string },
};

// What marks or chooses something; it changes nothing where a lead looks at what annotators see.
const MARKS = new Set(["focus", "taken", "untaken", "click", "picked"]);

/** @param {Message} message */
function fits(message) {
  const schema = Object.hasOwn(SAYS, message.type) ? SAYS[message.type] : null;
  return schema !== null && Object.entries(schema).every(([name, test]) => test(message[name]));
}

/** @typedef {{ type: string, nonce?: string, [field: string]: unknown }} Message */
/** @typedef {{ c: number, quote: string, section: string, quiet?: boolean }} ToldBox */
/**
 * What the work page does with the frame's messages, by their types in SAYS.
 * @typedef {{ key: (message: { key: string, repeat: boolean }) => void, active: () => void,
 *   focus?: (message: ToldBox) => void, nowhere?: () => void, taken?: (message: ToldBox) => void, untaken?: () => void,
 *   click?: (message: ToldBox) => void, section?: (message: { id: string }) => void,
 *   scrolled?: (message: { y: number }) => void,
 *   found?: (message: { count: number, at: number, sections: [string, number][] }) => void,
 *   set?: (message: { blocks: number[] }) => void, height?: (message: { px: number }) => void,
 *   reveal?: (message: { top: number, bottom: number }) => void,
 *   picked?: (message: { start: number, end: number }) => void }} Hearers
 */

export class Channel {
  #iframe; #hello; #hearers; #nonce = crypto.randomUUID();
  #sent = 0; // the number of the last message
  /** @type {(() => void) | null} what to call once the frame has settled after it */
  #answered = null;

  // `hello` returns the first message; `hearers` maps message types to handlers.
  /**
   * @param {HTMLIFrameElement} iframe
   * @param {{ hello: () => object, hearers: Hearers, signal: AbortSignal }} options
   */
  constructor(iframe, { hello, hearers, signal }) {
    this.#iframe = iframe;
    this.#hello = hello;
    this.#hearers = hearers;
    addEventListener("message", (event) => this.#hear(event), { signal });
    document.addEventListener("goldfinch:theme", () => this.send("theme", { theme: this.theme }), { signal });
    const send = () => this.send("theme", { theme: this.theme });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", send, { signal });
    signal.addEventListener("abort", () => this.expectNothing());
    current = this;
    this.#greet();
  }

  get theme() { return isDark() ? "dark" : "light"; }

  #greet() {
    // The frame's origin is opaque and can't be given as a target origin, hence "*"; nothing sent here is secret.
    this.send("hello", { theme: this.theme, ...this.#hello() });
  }

  // The frame says when it has settled after the last message; a stopped frame says nothing.
  expectAnswer() { this.#answered ??= begin("channel"); }

  expectNothing() {
    this.#answered?.();
    this.#answered = null;
  }

  /** @param {MessageEvent} event */
  #hear(event) {
    const message = event.data;
    if (event.source !== this.#iframe.contentWindow) return;
    if (typeof message !== "object" || message === null || !fits(message)) return;
    if (message.type === "ready") return this.#greet();
    if (message.nonce !== this.#nonce) return;
    if (message.type === "left") document.dispatchEvent(new Event("goldfinch:left"));
    if (message.type === "settled" && message.n === this.#sent) this.expectNothing();
    if (!MARKS.has(message.type) || !this.#iframe.closest("[data-as-seen]")) {
      this.#hearers[/** @type {keyof Hearers} */ (message.type)]?.(message);
    }
    if (index(message.said)) this.#post("heard", { said: message.said });
  }

  /** @param {string} type @param {object} [data] */
  send(type, data = {}) {
    this.#sent += 1;
    this.expectAnswer();
    this.#post(type, { n: this.#sent, ...data });
  }

  /** @param {string} type @param {object} data */
  #post(type, data) {
    this.#iframe.contentWindow?.postMessage({ type, nonce: this.#nonce, ...data }, "*");
  }

  focus() { this.#iframe.focus(); }
}

// The page in the frame tried to navigate and was stopped: say so, and show it again on request.
/** @param {Screen} screen */
export function frameStopped(screen) {
  const frame = screen.find("[data-frame]");
  if (!frame) return;
  screen.note("frame_stopped");
  current?.expectNothing();
  frame.dataset.address ??= frame.getAttribute("src");
  frame.setAttribute("src", "about:blank"); // instead of the browser's error page
  frame.style.opacity = "0";
  const again = () => {
    hush(screen.root, "frame");
    current?.expectAnswer();
    frame.setAttribute("src", frame.dataset.address);
    frame.style.opacity = "";
  };
  const button = make("button", { class: "btn", type: "button", on: again }, screen.voice.text("frame-again"));
  notice(screen.root, "frame", { text: screen.voice.text("frame-stopped"), kind: "bad", buttons: [button] });
}
