// Whether the page is at rest: <html> has data-settled while nothing is under way of what the page does by itself, with
// the number of times that it has come to rest; else data-under-way names what is. Browser tests wait for it; nothing
// in the page reads it.
// `fetch` and the timers replace those of the browser in modules that import them.
import { whenLeaving } from "./leaving.js";

const LONG = 1000; // ms: such a timer is a pause or a beat, which nobody waits for

const root = document.documentElement;
/** @type {Map<string, number>} how often each is under way */
const underWay = new Map();
let times = 0;

function show() {
  if (underWay.size) {
    root.removeAttribute("data-settled");
    root.dataset.underWay = [...underWay.keys()].join(" ");
  } else {
    times += 1;
    root.removeAttribute("data-under-way");
    root.dataset.settled = String(times);
  }
}

// After everything that has just been promised. Not by a timer, since tests stop those.
/** @param {() => void} run */
function soon(run) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); run(); };
  port2.postMessage(null);
}

// Something is under way until the function that this returns is called, and what follows from it has begun.
/** @param {string} name */
export function begin(name) {
  underWay.set(name, (underWay.get(name) ?? 0) + 1);
  show();
  let over = false;
  return () => {
    if (over) return;
    over = true;
    soon(() => {
      const left = (underWay.get(name) ?? 1) - 1;
      if (left) underWay.set(name, left); else underWay.delete(name);
      show();
    });
  };
}

/** @template T @param {string} name @param {Promise<T>} promise */
export const during = (name, promise) => promise.finally(begin(name));

/** @param {RequestInfo | URL} address @param {RequestInit} [options] */
export async function fetch(address, options) {
  const answer = await during("fetch", globalThis.fetch(address, options));
  const [json, text] = [answer.json.bind(answer), answer.text.bind(answer)];
  return Object.assign(answer, { json: () => during("fetch", json()), text: () => during("fetch", text()) });
}

/** @type {Map<number, () => void>} what to call once each timer has ended */
const timers = new Map();

/** @param {(...nothing: any[]) => unknown} run */
export function setTimeout(run, ms = 0, name = "timer") {
  const end = ms < LONG ? begin(name) : () => {};
  const id = globalThis.setTimeout(() => {
    timers.delete(id);
    try { run(); } finally { end(); }
  }, ms);
  timers.set(id, end);
  return id;
}

/** @param {number | null} [id] */
export function clearTimeout(id) {
  globalThis.clearTimeout(id ?? undefined);
  timers.get(id ?? 0)?.();
  timers.delete(id ?? 0);
}

/** @param {FrameRequestCallback} run */
export function requestAnimationFrame(run) {
  const end = begin("drawing");
  return globalThis.requestAnimationFrame((at) => {
    try { run(at); } finally { end(); }
  });
}

// Scripts that are named in the page run before this event.
if (document.readyState !== "complete") document.addEventListener("DOMContentLoaded", begin("scripts"));

// htmx: from the request until what it has brought is settled.
document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => xhr.addEventListener("loadend", begin("fetch")));
/** @type {Map<Element, () => void>} what to call once each element has settled */
const swapped = new Map();
document.addEventListener("htmx:afterSwap", ({ detail: { elt } }) => {
  if (!swapped.has(elt)) swapped.set(elt, begin("swap"));
});
document.addEventListener("htmx:afterSettle", ({ detail: { elt } }) => {
  for (const [each, end] of swapped) {
    if (each !== elt && each.isConnected) continue;
    swapped.delete(each);
    end();
  }
});

// A dialog closes a little after Esc, and the focus leaves it with the next frame.
const closes = () => requestAnimationFrame(() => requestAnimationFrame(() => {}));
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && document.querySelector("dialog[open], :popover-open")) closes();
}, { capture: true });
new MutationObserver((changes) => {
  if (changes.some(({ target }) => target.nodeName === "DIALOG")) closes();
}).observe(root, { subtree: true, attributeFilter: ["open"] });

// Another page comes instead of this one. This one is there again if the person goes back to it.
let leaving = () => {};
whenLeaving(() => {
  leaving();
  leaving = begin("leaving");
});
addEventListener("pageshow", ({ persisted }) => { if (persisted) leaving(); });
