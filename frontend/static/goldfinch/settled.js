// Whether the page is at rest: <html> has data-settled while nothing is under way of what the page does by itself, with
// the number of times that it has come to rest; else data-under-way names what is. Browser tests wait for it; nothing
// in the page reads it.
// `fetch` and the timers replace those of the browser in modules that import them.

const LONG = 1000; // ms: such a timer is a pause or a beat, which nobody waits for

const root = document.documentElement;
const underWay = new Map(); // name -> how often
let times = 0;

function show() {
  if (underWay.size) {
    root.removeAttribute("data-settled");
    root.dataset.underWay = [...underWay.keys()].join(" ");
  } else {
    root.removeAttribute("data-under-way");
    root.dataset.settled = times += 1;
  }
}

// After everything that has just been promised. Not by a timer, since tests stop those.
function soon(run) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); run(); };
  port2.postMessage(null);
}

// Something is under way until the function that this returns is called, and what follows from it has begun.
export function begin(name) {
  underWay.set(name, (underWay.get(name) ?? 0) + 1);
  show();
  let over = false;
  return () => {
    if (over) return;
    over = true;
    soon(() => {
      const left = underWay.get(name) - 1;
      if (left) underWay.set(name, left); else underWay.delete(name);
      show();
    });
  };
}

export const during = (name, promise) => promise.finally(begin(name));

export async function fetch(...request) {
  const answer = await during("fetch", globalThis.fetch(...request));
  for (const read of ["json", "text"]) {
    answer[read] = () => during("fetch", Object.getPrototypeOf(answer)[read].call(answer));
  }
  return answer;
}

const timers = new Map(); // id -> what to call once it has ended

export function setTimeout(run, ms = 0, name = "timer") {
  const end = ms < LONG ? begin(name) : () => {};
  const id = globalThis.setTimeout(() => {
    timers.delete(id);
    try { run(); } finally { end(); }
  }, ms);
  timers.set(id, end);
  return id;
}

export function clearTimeout(id) {
  globalThis.clearTimeout(id);
  timers.get(id)?.();
  timers.delete(id);
}

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
const swapped = new Map(); // element -> what to call once it has settled
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
  if (changes.some(({ target }) => target.localName === "dialog")) closes();
}).observe(root, { subtree: true, attributeFilter: ["open"] });

// Another page comes instead of this one. This one is there again if the person goes back to it.
let leaving = () => {};
function leave() {
  leaving();
  leaving = begin("leaving");
}
addEventListener("submit", ({ defaultPrevented, submitter, target }) => {
  const said = (name) => submitter?.getAttribute(`form${name}`) ?? target.getAttribute(name);
  if (!defaultPrevented && said("method") !== "dialog" && !said("target")) leave();
});
globalThis.navigation?.addEventListener("navigate", ({ destination, downloadRequest }) => {
  if (downloadRequest === null && !destination.sameDocument) leave();
});
addEventListener("pageshow", ({ persisted }) => { if (persisted) leaving(); });
