// Reports how long a page was visible that belongs to no piece of work, once a minute and when it is left.
import { token } from "./fetching.js";
import { Presence } from "./presence.js";

// Milliseconds: a page that is left is hidden a moment later, and that second report could overtake the first, whose
// time would then have been counted already.
const LEAST = 100;
const BEAT = 60_000; // at most this much time is lost if the browser crashes

const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-time-note]"));
const lasts = Number(place?.dataset.timeLasts ?? 0) * 1000;
const presence = new Presence(new AbortController().signal, lasts || undefined);

/** @param {HTMLElement} root */
function tell(root) {
  const spent = presence.take(LEAST);
  if (!spent) return;
  const body = new FormData();
  const { timeNote: note, urlTime } = root.dataset;
  const fields = { ...spent, note, csrfmiddlewaretoken: token(root) };
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  navigator.sendBeacon(urlTime, body);
}

if (place?.dataset.timeNote) {
  if (lasts) presence.input(); // who opens the page is there
  for (const type of ["pointerdown", "keydown", "wheel", "touchmove"]) {
    document.addEventListener(type, () => presence.input(), { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => { if (document.hidden) tell(place); });
  addEventListener("pagehide", () => tell(place));
  setInterval(() => { if (presence.watched) tell(place); }, BEAT);
}
