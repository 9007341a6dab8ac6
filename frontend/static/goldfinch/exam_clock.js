// The time left of an exam, told without a running clock: at a third, at five minutes and at one.
import { everySecond } from "./ticking.js";

const opened = performance.now();
/** @type {WeakMap<HTMLElement, number>} */
const shown = new WeakMap(); // since when each place tells the time: a screen brings a new one
/** @type {Set<string>} */
const said = new Set();
let over = false;

/** @param {number} seconds @param {number} whole */
function milestone(seconds, whole) {
  if (seconds <= 60) return "last";
  if (seconds <= 300) return "five";
  return seconds <= whole / 3 ? "third" : "";
}

/** @param {string} words @param {number} n */
const filled = (words, n) => words.replace("{n}", String(n));

/** @param {HTMLElement} place */
function tell(place) {
  const { timeLeft, whole, minutes, minute, announced, last } = place.dataset;
  if (!shown.has(place)) shown.set(place, performance.now());
  const seconds = Math.max(0, Number(timeLeft) - (performance.now() - shown.get(place)) / 1000);
  const rounded = Math.ceil(seconds / 60);
  place.querySelector("[data-words]").textContent = seconds < 60 ? minute : filled(minutes, rounded);
  const now = milestone(seconds, Number(whole));
  if (now && !said.has(now)) {
    // What was passed before this page was opened is not told again.
    if (said.size || performance.now() - opened > 1000) {
      document.querySelector("[data-announce]").textContent = now === "last" ? last : filled(announced, rounded);
    }
    said.add(now);
  }
  return seconds;
}

// Tell the time left from now on, and do this once when it is over.
/** @param {() => void} end */
export function watchTheTime(end) {
  const look = () => {
    const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-time-left]"));
    if (!place || tell(place) || over) return;
    over = true;
    end();
  };
  look();
  everySecond(look);
}
