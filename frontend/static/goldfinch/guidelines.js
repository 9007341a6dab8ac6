// Records in the history of a piece of work how long each section of its guidelines was read.
import { Traces } from "./traces.js";

const PASSING = 1000; // a section that is visible for less was only scrolled past

const root = document.querySelector("[data-traced]");
const page = {
  root, signal: new AbortController().signal, client: root.dataset.client, urls: { draft: root.dataset.urlDraft },
  form: root, tabs: { overtaken: false },
};
const traces = new Traces(page);
const headings = [...document.querySelectorAll("article :is(h1, h2, h3)[id]")];
let section = "";
let since = performance.now();

function tell() {
  const seconds = Math.round((performance.now() - since) / 1000);
  if (performance.now() - since >= PASSING) traces.note("guideline_opened", { section, seconds });
  since = performance.now();
}

function look() {
  // The section whose heading was the last to enter the upper half of the window.
  const now = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 2)?.id ?? "";
  if (now === section) return;
  tell();
  section = now;
}

traces.before(tell);
look();
document.addEventListener("scroll", look, { passive: true });
for (const type of ["pointerdown", "keydown", "wheel", "touchmove"]) {
  document.addEventListener(type, () => traces.input(), { passive: true });
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) traces.send();
  since = performance.now();
});
addEventListener("pagehide", () => traces.send());
