// Whether the frame is at rest, as in settled.js of the work page: <html> has data-settled while nothing is under way,
// else data-under-way. The work page learns when all that its last message has begun is over; that the frame has ceased
// to be scrolled, it is told anyway.

const underWay = new Map(); // name -> how often
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
    root.removeAttribute("data-under-way");
    root.dataset.settled = times += 1;
  }
  if (names.every((name) => name === "scrolling") && told !== heard) say("settled", { n: (told = heard) });
}

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
      const left = underWay.get(name) - 1;
      if (left) underWay.set(name, left); else underWay.delete(name);
      showState();
    };
    port2.postMessage(null);
  };
}

const timers = new Map(); // id -> what to call once it has ended

function setTimeout(run, ms, name = "timer") {
  const end = beginning(name);
  const id = globalThis.setTimeout(() => {
    timers.delete(id);
    try { run(); } finally { end(); }
  }, ms);
  timers.set(id, end);
  return id;
}

function clearTimeout(id) {
  globalThis.clearTimeout(id);
  timers.get(id)?.();
  timers.delete(id);
}

function requestAnimationFrame(run) {
  const end = beginning("drawing");
  globalThis.requestAnimationFrame(() => {
    try { run(); } finally { end(); }
  });
}
