// The work page's end of the postMessage channel to a sandboxed frame: accepts known messages from this frame only.
import { isDark } from "./colours.js";
import { hush, make, notice } from "./say.js";

const index = (value) => Number.isInteger(value) && value >= 0;
const string = (value) => typeof value === "string" && value.length <= 2000;
const number = (value) => Number.isFinite(value);
const boolean = (value) => typeof value === "boolean";
const SAYS = {
  ready: {},
  active: {},
  left: {},
  key: { key: string },
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
  picked: { start: index, end: index, how: string },
};

function fits(message) {
  const schema = Object.hasOwn(SAYS, message.type) ? SAYS[message.type] : null;
  return schema !== null && Object.entries(schema).every(([name, test]) => test(message[name]));
}

export class Channel {
  #iframe; #hello; #hearers; #nonce = crypto.randomUUID();

  // `hello` returns the first message; `hearers` maps message types to handlers.
  constructor(iframe, { hello, hearers, signal }) {
    this.#iframe = iframe;
    this.#hello = hello;
    this.#hearers = hearers;
    addEventListener("message", (event) => this.#hear(event), { signal });
    document.addEventListener("goldfinch:theme", () => this.send("theme", { theme: this.theme }), { signal });
    const send = () => this.send("theme", { theme: this.theme });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", send, { signal });
    this.#greet();
  }

  get theme() { return isDark() ? "dark" : "light"; }

  #greet() {
    // The frame's origin is opaque and can't be given as a target origin, hence "*"; nothing sent here is secret.
    const hello = { type: "hello", nonce: this.#nonce, theme: this.theme, ...this.#hello() };
    this.#iframe.contentWindow?.postMessage(hello, "*");
  }

  #hear(event) {
    const message = event.data;
    if (event.source !== this.#iframe.contentWindow) return;
    if (typeof message !== "object" || message === null || !fits(message)) return;
    if (message.type === "ready") return this.#greet();
    if (message.nonce !== this.#nonce) return;
    if (message.type === "left") document.dispatchEvent(new Event("goldfinch:left"));
    this.#hearers[message.type]?.(message);
  }

  send(type, data = {}) {
    this.#iframe.contentWindow?.postMessage({ type, nonce: this.#nonce, ...data }, "*");
  }

  focus() { this.#iframe.focus(); }
}

// The page in the frame tried to navigate and was stopped: say so, and show it again on request.
export function frameStopped(screen) {
  const frame = screen.find("[data-frame]");
  if (!frame) return;
  screen.note("frame_stopped");
  frame.dataset.address ??= frame.getAttribute("src");
  frame.setAttribute("src", "about:blank"); // instead of the browser's error page
  frame.style.opacity = 0;
  const again = () => {
    hush(screen.root, "frame");
    frame.setAttribute("src", frame.dataset.address);
    frame.style.opacity = "";
  };
  const button = make("button", { class: "btn", type: "button", on: again }, screen.voice.text("frame-again"));
  notice(screen.root, "frame", { text: screen.voice.text("frame-stopped"), kind: "bad", buttons: [button] });
}
