// Records in the history of a piece of work how long each section of its guidelines was read, on a page of their own.
import { Sections } from "./guideline_sections.js";
import { Traces } from "./traces.js";

const root = document.querySelector("[data-traced]");
const page = {
  root, signal: new AbortController().signal, client: root.dataset.client, urls: { draft: root.dataset.urlDraft },
  form: root, tabs: { overtaken: false },
};
const traces = new Traces(page);
const headings = [...document.querySelectorAll("article :is(h1, h2, h3)[id]")];
const sections = new Sections(headings, { note: (read) => traces.note("guideline_opened", read) });

traces.before(() => sections.tell());
sections.look();
document.addEventListener("scroll", () => sections.look(), { passive: true });
for (const type of ["pointerdown", "keydown", "wheel", "touchmove"]) {
  document.addEventListener(type, () => traces.input(), { passive: true });
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) traces.send();
  sections.restart();
});
addEventListener("pagehide", () => traces.send());
