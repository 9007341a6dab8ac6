// Whether the frame is at rest, as in settled.js of the work page: <html> has data-settled while nothing is under way,
// else data-under-way. The work page learns when all that its last message has begun is over; that the frame has ceased
// to be scrolled, it is told anyway.

/** @type {Map<string, number>} how often each is under way */
const underWay = new Map();
let times = 0;
let heard = 0; // the number of the last message of the work page
let told = 0; // that of the last one of which it was told that all is over

function showState() {
  const root = document.documentElement;
  const names = [...underWay.keys()];
  if (names.length) {
    root.removeAttribute("data-settled");
    root.dataset.underWay = names.join(" ");
  } else {
    times += 1;
    root.removeAttribute("data-under-way");
    root.dataset.settled = String(times);
  }
  if (names.every((name) => name === "scrolling") && told !== heard) say("settled", { n: (told = heard) });
}

// Something is under way until the function that this returns is called, and what follows from it has begun.
/** @param {string} name */
function beginning(name) {
  underWay.set(name, (underWay.get(name) ?? 0) + 1);
  showState();
  let over = false;
  return () => {
    if (over) return;
    over = true;
    const { port1, port2 } = new MessageChannel(); // after what has just been begun; no timer: tests stop those
    port1.onmessage = () => {
      port1.close();
      const left = (underWay.get(name) ?? 1) - 1;
      if (left) underWay.set(name, left); else underWay.delete(name);
      showState();
    };
    port2.postMessage(null);
  };
}

/** @type {Map<number, () => void>} what to call once each timer has ended */
const timers = new Map();

/** @param {() => void} run @param {number} ms */
function later(run, ms, name = "timer") {
  const end = beginning(name);
  const id = setTimeout(() => {
    timers.delete(id);
    try { run(); } finally { end(); }
  }, ms);
  timers.set(id, end);
  return id;
}

/** @param {number | null | undefined} id */
function cancel(id) {
  clearTimeout(id ?? undefined);
  timers.get(id ?? 0)?.();
  timers.delete(id ?? 0);
}

/** @param {() => void} run */
function inNextFrame(run) {
  const end = beginning("drawing");
  requestAnimationFrame(() => {
    try { run(); } finally { end(); }
  });
}
