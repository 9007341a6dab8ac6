// The frame's end of the postMessage channel: messages from and to the work page, and the keys that belong to it.

/** @typedef {[first: number, end: number]} Span */
/** @typedef {[token: number, start: number, end: number]} Word */
/**
 * The work page's first message: its boxes are [candidate, name, word count, label of the box when chosen].
 * @typedef {{ type: "hello", nonce: string, theme: string, keys: string[],
 *   boxes: [c: number, name: string, count: string, chosen: string][], headings: string[], words: Word[] | null,
 *   visited?: number[], chosen: number | null, focus: number | null, scroll: number | null, outlined: boolean,
 *   label: string, table: string }} Hello
 */
/**
 * @typedef {{ spans: Span[], pending: Span | null, cursor: number | null, selecting: boolean,
 *   show: Span | null }} Marks
 */
/** @typedef {"next" | "previous" | "out" | "in"} Move */
/**
 * What the work page says, by the type of the message.
 * @typedef {{ hello: Hello, theme: { theme: string }, keys: { keys: string[] }, move: { to: Move },
 *   choose: { c: number | null }, goto: { c: number, choose?: boolean }, take: object, outline: { on: boolean },
 *   heading: { id: string }, find: { query: string, step: number }, marks: Marks }} Heard
 */

const page = document.getElementById("page");
const material = document.getElementById("material");
/** @type {Map<string, Function[]>} */
const hearers = new Map();
/** @type {string | null} */
let nonce = null;
let home = "*"; // the origin of the work page, known from its first message
let keys = new Set();

let said = 0;
/** @type {Map<number, () => void>} number of a message -> what to call once the work page has heard it */
const unheard = new Map();

/** @param {string} type @param {object} [data] */
function say(type, data = {}) {
  if (nonce === null || type === "settled") return parent.postMessage({ type, nonce, ...data }, home);
  said += 1;
  unheard.set(said, beginning(type));
  parent.postMessage({ type, nonce, said, ...data }, home);
}

/** @param {number} number */
function wasHeard(number) {
  unheard.get(number)?.();
  unheard.delete(number);
}

/** @template {keyof Heard} K @param {K} type @param {(message: Heard[K]) => void} hearer */
function hear(type, hearer) {
  hearers.set(type, [...(hearers.get(type) ?? []), hearer]);
}

addEventListener("message", (event) => {
  const message = event.data;
  if (event.source !== parent || typeof message !== "object" || message === null) return;
  if (message.type === "hello" && typeof message.nonce === "string") {
    nonce = message.nonce;
    home = event.origin;
  }
  if (nonce === null || message.nonce !== nonce) return;
  if (message.type === "heard") return wasHeard(message.said);
  const end = beginning("message");
  heard = message.n;
  for (const hearer of hearers.get(message.type) ?? []) hearer(message);
  end();
});

/** @param {string} theme */
function setTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

// Normalized name of a key, as in keys.js of the work page.
/** @param {KeyboardEvent} event */
function describe(event) {
  const printable = event.key.length === 1;
  const letter = event.altKey && event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key;
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Mod");
  if (event.altKey) parts.push("Alt");
  if (event.shiftKey && (!printable || event.altKey)) parts.push("Shift");
  parts.push(printable ? letter.toLowerCase() : letter);
  return parts.join("+");
}

// A key reaches the parent too late to prevent the browser's default action, so prevent it here.
addEventListener("keydown", (event) => {
  const key = describe(event);
  if (!keys.has(key) || event.isComposing) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (key.startsWith("Arrow") && target.closest?.(".sideways")) return; // arrows scroll a wide table
  event.preventDefault();
  say("key", { key, repeat: event.repeat });
});

let lastActive = -Infinity; // the first is always told: the work page waits for it
function active() {
  if (performance.now() - lastActive < 5000) return;
  lastActive = performance.now();
  if (nonce !== null) say("active");
}
for (const type of ["pointerdown", "keydown", "wheel", "touchmove"]) addEventListener(type, active, { passive: true });
// The work page gets no blur event when the window loses focus while it is in the frame.
addEventListener("blur", () => { if (nonce !== null) say("left"); });

hear("theme", ({ theme }) => setTheme(theme));
hear("keys", (message) => { keys = new Set(message.keys); });

// Links are inert: nothing in an imported page navigates.
addEventListener("click", (event) => {
  if (/** @type {HTMLElement} */ (event.target).closest?.("a")) event.preventDefault();
}, true);
