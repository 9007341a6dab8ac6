// Shared work: say that this person is here, show how the partner is and what they do, and ask for more time. Beside an
// open socket it polls as often as without: reminders, and whether the partner writes, are told by these polls alone.
import { newestMessage } from "./chat.js";
import { get, goTo, OneAtATime, pageOf, post } from "./fetching.js";
import { hush, notice } from "./say.js";
import { isSignedOut } from "./signin.js";
import { onPoke } from "./socket.js";
import { everySecond } from "./ticking.js";

const POLL = 5; // seconds, in a page in the background too: after three polls that did not come the partner is told

let ticks = 0;
let folded = false; // this person keeps waiting

// What the partner does is shown where the page has a place for it, which says in its attribute what stands there
// otherwise. It is not spoken: it changes all the time.
/** @param {Document} page */
function says(page) {
  const does = page.querySelector("[data-does]");
  does?.remove();
  for (const place of document.querySelectorAll("[data-partner-does]")) {
    place.textContent = does?.textContent ?? place.dataset.partnerDoes;
  }
}

// Once the partner has begun, what was sent can't be taken back: the button makes way for that sentence, in its place.
/** @param {Document} page */
function keepsWhatWasBegun(page) {
  const mark = page.querySelector("[data-partner-begun]");
  mark?.remove();
  for (const place of document.querySelectorAll("[data-withdrawable]")) {
    const focused = place.contains(document.activeElement);
    place.toggleAttribute("data-begun", Boolean(mark));
    if (mark && focused) document.querySelector("[data-answer]")?.focus({ preventScroll: true });
  }
}

// Who keeps waiting is not asked again until the partner has been back: until then, the choices are one small button.
/** @param {HTMLElement} line */
function fold(line) {
  const button = line.querySelector("[data-unfold]");
  folded &&= Boolean(button);
  line.toggleAttribute("data-folded", folded);
  // The passage then begins below the button, until the next screen: it does not move when the partner comes back.
  if (folded) line.closest(".work").dataset.room = "";
}

const polls = new OneAtATime(async () => {
  const line = document.querySelector("[data-partner]");
  if (!line) return;
  try {
    const answer = await get(line.dataset.partner, { headers: { "X-Part": "1" } });
    // The partner learns why this person does not answer. The page has no session, so its address for this is signed.
    if (isSignedOut(answer) && line.dataset.signingIn) await post(line.dataset.signingIn, {});
    // What this person has just sent is under way, and its answer leads on.
    if (document.querySelector("#screen .htmx-request")) return;
    if (!answer.ok || answer.redirected) return; // the work page itself says what is wrong
    newestMessage(Number(answer.headers.get("X-Chat")));
    const page = pageOf(await answer.text());
    says(page);
    keepsWhatWasBegun(page);
    if (page.querySelector("[data-gone]")) return goTo(line.dataset.partner);
    const found = page.body.textContent.trim() ? [...page.body.children] : [];
    if (line.textContent.trim() === page.body.textContent.trim() || !line.isConnected) return;
    line.replaceChildren(...found.map((each) => document.adoptNode(each)));
    fold(line);
    const live = document.querySelector("#screen [data-live]");
    if (found.length && live && !folded) live.textContent = line.querySelector(".alert > div").textContent.trim();
  } catch {
    // not connected: the next poll tries again, and the work page says so
  }
});

function poll() {
  if (!polls.isUnderWay) polls.ask();
}

// Why the press had no effect; "" if it had one. A page that nobody is signed in to says so by itself.
/** @param {Response | null} answer @param {HTMLElement} form @returns {Promise<string | undefined>} */
async function why(answer, form) {
  if (answer?.status === 409) return answer.text();
  return answer?.ok || (answer && isSignedOut(answer)) ? "" : form.dataset.failed;
}

/** @param {string} [text] */
function refused(text) {
  const screen = document.getElementById("screen");
  if (text) notice(screen, "more-time", { text }); else hush(screen, "more-time");
}

// Not by loading a page, which would take the caret out of what is being written; it goes back there.
/** @type {HTMLElement | null} */
let before = null;
document.addEventListener("focusin", (event) => {
  if (event.target.closest("[data-more-time]")) before = /** @type {HTMLElement} */ (event.relatedTarget);
});
document.addEventListener("submit", async (event) => {
  const form = event.target.closest?.("form[data-more-time]");
  if (!form) return;
  event.preventDefault();
  const answer = await post(form.action, new FormData(form));
  refused(await why(answer, form));
  if (before?.isConnected) before.focus({ preventScroll: true });
  poll();
});
document.addEventListener("click", (event) => {
  const [keeps, unfolds] = ["[data-keep-waiting]", "[data-unfold]"].map((each) => event.target.closest(each));
  if (!keeps && !unfolds) return;
  const line = event.target.closest("[data-partner]");
  folded = Boolean(keeps);
  fold(line);
  (keeps ? document.querySelector("#material") : line.querySelector("[data-keep-waiting]"))
    ?.focus({ preventScroll: true });
});
// What was said once floats above the passage until it is closed.
document.addEventListener("click", ({ target }) => {
  const said = target.closest("[data-hush]")?.closest(".alert");
  if (!said) return;
  said.remove();
  document.querySelector("#material")?.focus({ preventScroll: true });
});
document.addEventListener("htmx:afterSettle", poll);
everySecond(() => {
  ticks += 1;
  if (ticks % POLL === 0) poll();
});
onPoke("partner", () => polls.ask());
poll();
