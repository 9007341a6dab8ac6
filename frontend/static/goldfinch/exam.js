// The page of an exam: what is chosen is kept at once, and the time left is told without a running clock.
import { OneAtATime, post } from "./fetching.js";
import { everySecond } from "./ticking.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-exam]"));
const left = /** @type {HTMLElement | null} */ (document.querySelector("[data-time-left]"));
const begun = performance.now();
let over = false;
/** @type {Set<string>} */
const said = new Set();

// One save after another, so that what was chosen last arrives last.
const saving = new OneAtATime(() => post(form.dataset.draft, new FormData(form)));
form.addEventListener("change", () => { saving.ask(); });

// At a third, at five minutes and at one.
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
  const seconds = Math.max(0, Number(timeLeft) - (performance.now() - begun) / 1000);
  const rounded = Math.ceil(seconds / 60);
  place.querySelector("[data-words]").textContent = seconds < 60 ? minute : filled(minutes, rounded);
  const now = milestone(seconds, Number(whole));
  if (now && !said.has(now)) {
    // What was passed before this page was opened is not told again.
    if (said.size || performance.now() - begun > 1000) {
      document.querySelector("[data-announce]").textContent = now === "last" ? last : filled(announced, rounded);
    }
    said.add(now);
  }
  if (!seconds) end();
}

// The time is over: what is chosen is handed in with it.
function end() {
  if (over) return;
  over = true;
  form.action = form.dataset.handIn;
  form.submit();
}

if (left) {
  tell(left);
  everySecond(() => tell(left));
}
