// A worker that ticks: browsers slow down the timers of pages in the background, but not those of workers.
setInterval(() => postMessage(0), 1000);
