// The work page: starts each screen that a page load or htmx brings, together with the stage's own script.
import { frameStopped } from "./channel.js";
import { closeMenus } from "./menus.js";
import { leaves } from "./leaving.js";
import { Screen } from "./screen.js";
import { toast } from "./say.js";
import { clearTimeout, during, setTimeout } from "./settled.js";
import { token } from "./fetching.js";
import { firstWrong } from "./wrong_fields.js";

/** @type {Screen | null} */
let screen = null;
let loaded = true; // just loaded, so this is the newest page with this work
/** @type {string | null} */
let skipped = null; // the URL that undoes the last skip
let reported = false;
let follows = false; // the next screen comes in place of one that was sent or skipped

async function start() {
  const root = document.querySelector("[data-screen]");
  if (!root || root === screen?.root) return;
  screen?.stop();
  screen = new Screen(root);
  if (follows) screen.sending.follows();
  follows = false;
  const mine = screen;
  // If the page itself scrolls, start the next work at its top.
  if (!loaded && !("refused" in root.dataset)) scrollTo(0, 0);
  const stage = root.dataset.module ? await during("scripts", import(root.dataset.module)) : null;
  if (mine === screen) await mine.start(stage);
  if (mine === screen && screen.id) {
    const isOlder = loaded || (screen.after && screen.after !== screen.client);
    (isOlder ? mine.tabs.take() : Promise.resolve()).then(() => mine.announceCopies());
  }
  loaded = false;
  root.toggleAttribute("data-started", true);
}

/** @param {string} url */
function offerUndo(url) {
  const close = toast(screen.voice.text("skipped"), screen.voice.text("undo"), () => {
    const values = { csrfmiddlewaretoken: token(document), client: screen.client };
    htmx.ajax("POST", url, { target: "#screen", swap: "outerHTML", values });
  });
  screen.undoSkip = () => document.querySelector("[data-toasts] button")?.click();
  const over = setTimeout(() => { close(); screen.undoSkip = null; }, 10_000); // the server accepts an undo for 10 s
  screen.signal.addEventListener("abort", () => { clearTimeout(over); close(); });
}

// A box to type in at once, unless a keyboard on the screen would cover the rest.
function boxToTypeIn() {
  return matchMedia("(pointer: fine)").matches ? document.querySelector("#screen [data-focus-first]") : null;
}

/** @param {XMLHttpRequest | null} xhr */
const signedOut = (xhr) => xhr?.status === 401 && xhr.getResponseHeader("X-Sign-In") !== null;

document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb === "get") return;
  event.detail.parameters.csrfmiddlewaretoken = token(document);
  screen?.requests.adds(event.detail.elt, event.detail.parameters);
});
document.addEventListener("htmx:beforeRequest", (event) => screen?.requests.sends(event.detail.elt));
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (signedOut(xhr)) event.detail.shouldSwap = false; // never swap the sign-in page into a work page
  if (xhr.getResponseHeader("X-Refused") === "taken_over") {
    event.detail.shouldSwap = false;
    screen.tabs.giveWay(xhr.responseText);
  }
});
document.addEventListener("htmx:afterRequest", (event) => {
  const { xhr, requestConfig, successful } = event.detail;
  const { elt } = requestConfig; // not event.target: that is another element if the swap has removed this one
  if (xhr?.getResponseHeader("HX-Redirect")) leaves();
  screen?.requests.ends(elt);
  if (signedOut(xhr)) screen?.requests.signedOut(elt);
  else if (successful) {
    screen?.requests.arrived(elt, xhr);
    follows ||= screen?.requests.leaves(elt) ?? false;
    if (elt.matches?.("[data-skip]")) skipped = screen.urls.unskip;
    reported = elt.matches?.("[data-report]") ?? false;
  } else screen?.requests.failed(elt, xhr?.status ?? 0);
});
document.addEventListener("htmx:afterSettle", async () => {
  await start();
  const wrong = firstWrong(document);
  const first = wrong ?? document.querySelector("#screen main [autofocus]") ?? boxToTypeIn()
    ?? document.querySelector("#screen [data-prompt], #screen h1");
  if (!document.activeElement?.closest("[data-chat]")) first?.focus({ preventScroll: !wrong });
  if (skipped && screen) offerUndo(skipped);
  if (reported && screen) setTimeout(toast(screen.voice.text("reported")), 10_000);
  skipped = null;
  reported = false;
});
// The page in the frame tried to navigate and was stopped: only the frame's content is lost.
document.addEventListener("securitypolicyviolation", (event) => {
  if (event.effectiveDirective === "frame-src" && screen) frameStopped(screen);
});
document.addEventListener("keydown", (event) => screen?.press(event));
// After a pointer press, a toolbar button must not keep the focus: letters would no longer be shortcuts.
document.addEventListener("click", (event) => { if (event.detail) event.target.closest(".topbar button")?.blur(); });
// A click in the frame is not one in this page, but it takes the focus from it.
addEventListener("blur", () => { if (document.activeElement?.matches("iframe")) closeMenus(); });
document.addEventListener("visibilitychange", () => { if (document.hidden) screen?.leave(); });
// An exam is handed in from outside of the form: what is entered comes first.
document.addEventListener("goldfinch:save", (event) => {
  const { detail: saves } = /** @type {CustomEvent<Promise<void>[]>} */ (event);
  if (screen?.drafts) saves.push(screen.drafts.send({ leaving: true }));
});
addEventListener("pagehide", () => screen?.leave());

start().then(() => boxToTypeIn()?.focus({ preventScroll: true }));
