// The frame's end of the postMessage channel: messages from and to the work page, and the keys that belong to it.

const page = document.getElementById("page");
const material = document.getElementById("material");
const hearers = new Map();
let nonce = null;
let home = "*"; // the origin of the work page, known from its first message
let keys = new Set();

function say(type, data = {}) {
  parent.postMessage({ type, nonce, ...data }, home);
}

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
  for (const hearer of hearers.get(message.type) ?? []) hearer(message);
});

function setTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

// Normalized name of a key, as in keys.js of the work page.
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
  if (key.startsWith("Arrow") && event.target.closest?.(".sideways")) return; // arrows scroll a wide table
  event.preventDefault();
  say("key", { key });
});

let lastActive = 0;
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
addEventListener("click", (event) => { if (event.target.closest?.("a")) event.preventDefault(); }, true);
