// The socket of shared work, or of a lobby. It says that something has changed, never what: the scripts that asked for
// that with `onPoke` then fetch it. While it is open they look for news seldom; without it, as often as they must.
import { begin, clearTimeout, setTimeout } from "./settled.js";
import { everySecond } from "./ticking.js";

const HERE = '{"here": true}';
const EVERY = 5; // seconds: says that this person is here; the same comes back, or else the connection is dead
const LONGEST_PAUSE = 30_000;
const LASTING = 5000; // a connection of so long was a good one: the next pause is short again
const SOON = 1000; // who was cut off together does not come back in the same moment

/** @type {Map<string, (() => void)[]>} */
const listeners = new Map();
/** @type {Connection | null} */
let current = null; // the Connection to what this page shows
let ticks = 0;

// Run this when the server says that `kind` ("work", "partner" or "lobby") has changed, and when the socket has opened
// or closed, since a poke may have been missed.
/** @param {string} kind @param {() => void} run */
export function onPoke(kind, run) {
  listeners.set(kind, [...listeners.get(kind) ?? [], run]);
  look();
}

export function isConnected() { return current?.open ?? false; }

/** @param {string} kind */
const tell = (kind) => { for (const run of listeners.get(kind) ?? []) run(); };
const tellAll = () => { for (const kind of listeners.keys()) tell(kind); };

class Connection {
  open = false;
  #url; #failed = 0; #openedAt = 0; #answered = true;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {number | undefined} */
  #timer;
  #connecting = () => {}; // to be called when that is over

  /** @param {string} path */
  constructor(path) {
    this.path = path;
    this.#url = new URL(path, location.href.replace(/^http/, "ws"));
    this.#connect();
  }

  end() {
    clearTimeout(this.#timer);
    this.#forget();
    this.open = false;
  }

  // The network is back, or the page is in sight again: do not wait.
  hurry() {
    if (!this.#socket) this.#connect();
  }

  // Nothing tells a browser that the other end has gone without a word.
  beat() {
    if (!this.open) return;
    if (!this.#answered) { this.lost(); return; }
    this.#answered = false;
    this.#socket.send(HERE);
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    this.#connecting = begin("socket");
    socket.onopen = () => {
      this.open = true;
      this.#answered = true;
      this.#openedAt = performance.now();
      this.beat();
      tellAll();
      this.#connecting();
    };
    socket.onclose = () => this.lost();
    socket.onmessage = ({ data }) => {
      if (data === HERE) this.#answered = true;
      else tell(JSON.parse(data).poke);
    };
  }

  #forget() {
    const socket = this.#socket;
    if (!socket) return;
    this.#connecting();
    socket.onopen = socket.onclose = socket.onmessage = null;
    socket.close();
    this.#socket = null;
  }

  // Closed, silent, or the device is off the network: try again after a pause.
  lost() {
    clearTimeout(this.#timer);
    this.#forget();
    if (this.open) {
      if (performance.now() - this.#openedAt >= LASTING) this.#failed = 0;
      setTimeout(tellAll, Math.random() * SOON);
    }
    this.open = false;
    const pause = Math.random() * Math.min(LONGEST_PAUSE, 1000 * 2 ** this.#failed);
    this.#failed += 1;
    this.#timer = setTimeout(() => this.#connect(), pause);
  }
}

// Be connected to what the page shows now, and to nothing else.
function look() {
  const path = document.querySelector("[data-socket]")?.dataset.socket;
  if (path === current?.path) return;
  current?.end();
  current = path ? new Connection(path) : null;
}

function tick() {
  ticks += 1;
  if (ticks % EVERY === 0) current?.beat();
}

function start() {
  if (!document.querySelector("[data-socket], [data-partner]")) return;
  everySecond(tick);
  document.addEventListener("htmx:afterSettle", look);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) current?.hurry(); });
  addEventListener("online", () => current?.hurry());
  addEventListener("offline", () => current?.lost());
  addEventListener("pagehide", () => { current?.end(); current = null; });
  addEventListener("pageshow", look);
}

start();
