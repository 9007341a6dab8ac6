// Boxes that can be chosen. Hover, focus and choice are drawn as an overlay, so that the page itself is unchanged.

/** @type {Map<number, { parent: number | null, name: string, count: string, chosen: string }>} */
const boxes = new Map(); // by candidate; only those that have an element
/** @type {Map<number, HTMLElement>} */
const elements = new Map(); // by candidate
/** @type {HTMLElement[]} */
let headings = []; // in document order
/** @type {number | null} */
let focused = null;
/** @type {HTMLElement | null} */
let place = null; // where the person is if that is in no box: a heading, or a match in one
/** @type {number | null} */
let chosen = null;
/** @type {number | null} */
let hovered = null;

const marks = Object.fromEntries(["hover", "chosen", "focus"].map((kind) => {
  const mark = document.createElement("div");
  mark.className = `mark ${kind}`;
  mark.hidden = true;
  mark.setAttribute("aria-hidden", "true");
  mark.append(document.createElement("span"));
  page.append(mark);
  return [kind, mark];
}));

// White space as in Python's str.split, with which the server compares.
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
/** @param {HTMLElement} element */
const quoteOf = (element) => [...element.textContent.replace(BLANKS, " ").replace(/^ | $/g, "")].slice(0, 200).join("");
/** @param {HTMLElement} target */
const candidateAt = (target) => {
  const element = target.closest?.("[data-c]");
  return element && boxes.has(Number(element.dataset.c)) ? Number(element.dataset.c) : null;
};

/** @param {HTMLElement} element */
function sectionOf(element) {
  let found = "";
  for (const heading of headings) {
    if (!(heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    found = heading.id;
  }
  return found;
}

/** @param {number} c */
function about(c) {
  const element = elements.get(c);
  return { c, quote: quoteOf(element), section: sectionOf(element) };
}

// The visible part of a box: a wide table is clipped by the region that it scrolls in.
/** @param {HTMLElement} element */
function seen(element) {
  const rect = element.getBoundingClientRect();
  const clip = element.closest(".sideways")?.getBoundingClientRect();
  const left = clip ? Math.max(rect.left, clip.left) : rect.left;
  const right = clip ? Math.min(rect.right, clip.right) : rect.right;
  return { left, right, top: rect.top, bottom: rect.bottom };
}

/** @param {string} kind @param {number | null} c @param {string} label */
function draw(kind, c, label) {
  const mark = marks[kind];
  const element = c === null ? null : elements.get(c);
  mark.hidden = !element;
  if (!element) return;
  const origin = page.getBoundingClientRect();
  const column = material.getBoundingClientRect();
  const rect = seen(element);
  const row = element.tagName === "TR";
  const [x, y] = row ? [0, 0] : [10, 4];
  mark.style.left = `${rect.left - origin.left - x}px`;
  mark.style.top = `${rect.top - origin.top - y}px`;
  mark.style.width = `${rect.right - rect.left + 2 * x}px`;
  mark.style.height = `${rect.bottom - rect.top + 2 * y}px`;
  const tag = mark.querySelector("span");
  tag.textContent = label;
  // Labels are in the margin of the column: focus on the left, choice on the right. A float has its label on itself.
  const start = getComputedStyle(page).direction === "rtl" ? column.right - rect.right : rect.left - column.left;
  const end = getComputedStyle(page).direction === "rtl" ? rect.left - column.left : column.right - rect.right;
  const margin = page.clientWidth - column.width >= 180 && (kind === "chosen" ? end : start) < column.width / 3;
  mark.classList.toggle("in-margin", margin);
  // On a box that is shorter than its label, the label begins at the start.
  mark.classList.toggle("is-short", !margin && tag.offsetWidth > mark.offsetWidth);
  tag.style.setProperty("--out", `${Math.round((kind === "chosen" ? end : start) - x)}px`);
  tag.style.setProperty("--down", "0px");
}

function drawAll() {
  /** @param {number | null} c */
  const words = (c) => (c === null ? "" : `${boxes.get(c).name}\n${boxes.get(c).count}`);
  draw("hover", hovered === focused || hovered === chosen ? null : hovered, words(hovered));
  draw("focus", focused, words(focused));
  draw("chosen", chosen, chosen === null ? "" : `${boxes.get(chosen).chosen}`);
  marks.focus.classList.toggle("on-chosen", focused === chosen);
  const hover = marks.hover.querySelector("span").getBoundingClientRect();
  const focus = marks.focus.querySelector("span").getBoundingClientRect();
  if (!marks.hover.hidden && !marks.focus.hidden && hover.bottom > focus.top && hover.top < focus.bottom)
    marks.hover.querySelector("span").style.setProperty("--down", `${Math.ceil(focus.bottom - hover.top + 4)}px`);
}

// Scrolling and blocks that come into view are told by many events a frame, and each drawing lays the page out.
let drawing = false; // whether one is due in the next frame
function drawSoon() {
  if (drawing) return;
  drawing = true;
  inNextFrame(() => { drawing = false; drawAll(); });
}

// With content-visibility, a block that was never on the screen has an estimated height, so a target moves while the
// blocks around it are laid out: scroll to it again until its position is stable.
/** @type {(() => void) | null} */
let bringing = null; // the latest scroll wins, and scrolling by the person cancels it
for (const type of ["wheel", "touchmove"]) addEventListener(type, () => { bringing = null; }, { passive: true });
/** @param {HTMLElement} element @param {ScrollIntoViewOptions} options @param {() => void} [done] */
function bring(element, options, done = () => {}) {
  /** @type {number | null} */
  let at = null;
  let [resting, frames] = [0, 0];
  const look = () => {
    if (bringing !== look) return;
    const now = element.getBoundingClientRect().top;
    resting = at !== null && Math.abs(now - at) < 1 ? resting + 1 : 0;
    if (!resting) {
      element.scrollIntoView(options);
      at = element.getBoundingClientRect().top;
    }
    drawAll();
    if (resting < 3 && (frames += 1) < 20) inNextFrame(look);
    else { bringing = null; done(); }
  };
  bringing = look;
  look();
}

/** @param {number} c @param {{ calm?: boolean }} [options] */
function show(c, { calm = false } = {}) {
  const element = elements.get(c);
  if (!element) return;
  const rect = element.getBoundingClientRect();
  const room = innerHeight - 96;
  if (rect.top >= 48 && rect.bottom <= innerHeight - 48 && calm) return;
  bring(element, { block: rect.height > room ? "start" : calm ? "nearest" : "center" });
}

/** @param {HTMLElement} element */
function takeFocus(element) {
  if (!document.hasFocus()) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

// `quiet`: the work page shows the box, but doesn't announce it.
/** @param {number} c @param {{ tell?: boolean, scroll?: boolean, quiet?: boolean }} [options] */
function focusOn(c, { tell = true, scroll = true, quiet = false } = {}) {
  focused = c;
  place = null;
  if (scroll) show(c, { calm: true });
  takeFocus(elements.get(c));
  drawAll();
  if (tell) say("focus", { ...about(c), quiet });
}

// Move the cursor to an element: into its innermost box or, outside of all boxes, between them.
/** @param {HTMLElement} element */
function standAt(element) {
  const c = candidateAt(element);
  if (c !== null) return focusOn(c, { scroll: false, quiet: true });
  focused = null;
  place = element;
  drawAll();
  say("nowhere");
}

/** @param {HTMLElement} element */
function isOnScreen(element) {
  const rect = element.getBoundingClientRect();
  return rect.bottom > 0 && rect.top < innerHeight;
}

const tops = () => [...boxes.keys()].filter((c) => boxes.get(c).parent === null);
/** @param {number} c @returns {number} */
const outermost = (c) => (boxes.get(c).parent === null ? c : outermost(boxes.get(c).parent));
/** @param {HTMLElement} element @param {HTMLElement} other */
const isAfter = (element, other) => other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;

// The box from which to go on if none is in focus: beside the place, else the first or last one on the screen.
/** @param {string} to @param {number[]} all */
function begin(to, all) {
  if (place !== null && isOnScreen(place)) {
    /** @param {number} c */
    const isPast = (c) => isAfter(elements.get(c), place);
    return to === "previous" ? all.findLast((c) => !isPast(c)) ?? all[0] : all.find(isPast) ?? all.at(-1);
  }
  if (chosen !== null && focused === null && place === null) return chosen;
  const visible = all.filter((c) => isOnScreen(elements.get(c)));
  return (to === "previous" ? visible.at(-1) : visible[0]) ?? all.find((c) => below(elements.get(c))) ?? all.at(-1);
}

/** @param {HTMLElement} element */
const below = (element) => element.getBoundingClientRect().bottom > 0;

/** @param {Move} to */
function move(to) {
  const all = tops();
  if (!all.length) return;
  const stepping = to === "next" || to === "previous"; // and not to an outer or inner box
  if (focused === null || (stepping && !isOnScreen(elements.get(focused)))) return focusOn(begin(to, all));
  const at = all.indexOf(outermost(focused));
  const children = [...boxes.keys()].filter((c) => boxes.get(c).parent === focused);
  const target = { next: all[at + 1], previous: all[at - 1], out: boxes.get(focused).parent, in: children[0] }[to];
  if (target !== undefined && target !== null) focusOn(target);
}

/** @param {number | null} c */
function choose(c) {
  if (chosen !== null) elements.get(chosen)?.removeAttribute("data-chosen");
  chosen = c !== null && boxes.has(c) ? c : null;
  if (chosen !== null) elements.get(chosen).setAttribute("data-chosen", "");
  drawAll();
}

/** @param {Hello} hello */
function startBoxes(hello) {
  boxes.clear();
  for (const element of material.querySelectorAll("[data-c]")) elements.set(Number(element.dataset.c), element);
  /** @param {number} c */
  const parentOf = (c) => {
    const around = elements.get(c).parentElement.closest("[data-c]");
    return around ? Number(around.dataset.c) : null;
  };
  for (const [c, name, count, chosenLabel] of hello.boxes)
    if (elements.has(c)) boxes.set(c, { parent: parentOf(c), name, count, chosen: chosenLabel });
  for (const [c, box] of boxes) if (box.parent === null) elements.get(c)?.setAttribute("data-top", "");
  headings = hello.headings.map((id) => document.getElementById(id)).filter(Boolean);
  page.toggleAttribute("data-long", material.textContent.length > 200000);
  choose(hello.chosen);
  if (hello.focus !== null && boxes.has(hello.focus)) focusOn(hello.focus, { tell: true, scroll: false });
}

material.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || words.length) return;
  const c = candidateAt(event.target);
  if (c !== hovered) { hovered = c; drawAll(); }
});
material.addEventListener("pointerleave", () => { hovered = null; drawAll(); });
material.addEventListener("click", (event) => {
  const c = candidateAt(event.target);
  if (words.length || !getSelection().isCollapsed) return;
  if (c === null && !event.target.querySelector("[data-c]")) return standAt(event.target); // not a click between boxes
  if (c === null) return;
  focusOn(c, { tell: false, scroll: false });
  say("click", about(c));
});
marks.chosen.firstChild.addEventListener("click", () => {
  const outer = boxes.get(chosen)?.parent ?? null;
  if (outer === null) return;
  focusOn(outer, { tell: false });
  say("click", about(outer));
});

/** @type {string | null} */
let section = null;
/** @type {number | undefined} */
let resting;
function tellSection() {
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= 96);
  const at = passed.at(-1)?.id ?? headings[0]?.id ?? "";
  if (at !== section) say("section", { id: (section = at) });
}
addEventListener("scroll", () => {
  tellSection();
  cancel(resting);
  resting = later(() => { drawAll(); say("scrolled", { y: Math.round(scrollY) }); }, 200, "scrolling");
}, { passive: true });
document.addEventListener("scroll", (event) => {
  if (event.target !== event.currentTarget) drawSoon();
}, { capture: true, passive: true });
document.addEventListener("contentvisibilityautostatechange", drawSoon, true);
new ResizeObserver(() => drawAll()).observe(material);

hear("move", ({ to }) => move(to));
hear("choose", ({ c }) => choose(c));
hear("goto", ({ c, choose: wanted }) => {
  if (!boxes.has(c)) return;
  focusOn(c, { scroll: false });
  show(c);
  if (wanted) say("click", about(c));
});
// "take" chooses the box in focus, which the parent may not know yet: a move may have come just before.
// A box that can't be seen, since the person has scrolled on, is only shown: they would not know what they choose.
hear("take", () => {
  if (focused !== null && isOnScreen(elements.get(focused))) return say("taken", about(focused));
  if (focused !== null) focusOn(focused);
  say("untaken");
});
hear("outline", ({ on }) => page.toggleAttribute("data-outlined", on));
hear("heading", ({ id }) => {
  const heading = document.getElementById(id);
  if (!heading || !material.contains(heading)) return;
  bring(heading, { block: "start" });
  standAt(heading);
  takeFocus(heading);
});
// Back in the frame: the keyboard and screen readers go on at the cursor.
addEventListener("focus", () => {
  const here = focused === null ? place : elements.get(focused);
  if (here && document.activeElement === document.body) takeFocus(here);
});
