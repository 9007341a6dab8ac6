// What runs every second, in a page in the background too: browsers slow down the timers of such pages, but not those
// of workers. In sight the page's own timer ticks, which runs by the page's own clock.
/** @type {(() => void)[]} */
const everyone = [];

// Run this every second from now on.
/** @param {() => void} run */
export function everySecond(run) {
  if (!everyone.length) start();
  everyone.push(run);
}

function tick() { for (const run of everyone) run(); }

function start() {
  const { ticker } = document.querySelector("[data-ticker]")?.dataset ?? {};
  let worker = ticker ? new Worker(ticker) : null;
  setInterval(() => { if (!worker || !document.hidden) tick(); }, 1000);
  if (!worker) return;
  worker.onmessage = () => { if (document.hidden) tick(); };
  worker.onerror = () => { worker = null; };
}
