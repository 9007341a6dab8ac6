// The list of items: J and K move through the rows, Enter opens one (its link has the focus), X chooses it.
// "/" goes to the search field. Who has chosen a whole page is offered all that match.
import { read } from "./storage.js";

const form = document.querySelector("form[data-items]");
const boxes = [...form?.querySelectorAll("[name=item]") ?? []];
const links = boxes.map((box) => box.closest("tr").querySelector("th a"));

function current() {
  return links.findIndex((link) => link.closest("tr").contains(document.activeElement));
}

/** @param {number} by */
function move(by) {
  const at = current();
  const to = at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by;
  links[Math.max(0, Math.min(links.length - 1, to))]?.focus();
}

function choose() {
  const box = boxes[current()];
  if (!box) return;
  box.checked = !box.checked;
  count();
}

/** @type {Record<string, () => void>} */
const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  x: choose,
  "/": () => document.querySelector("#q").focus(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.matches("input:not([type=checkbox]), textarea, select")) return;
  if (read("goldfinch:single-keys") === "off" || document.querySelector("[popover]:popover-open")) return;
  const act = KEYS[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  if (!event.repeat || act !== choose) act();
});

function count() {
  const ticked = boxes.filter((box) => box.checked).length;
  const whole = ticked === boxes.length;
  const matching = form.querySelector("[data-all-matching]");
  const every = matching?.querySelector("input");
  if (matching) {
    matching.hidden = !whole;
    if (!whole) every.checked = false;
    form.querySelector("[data-by-job]").hidden = !every.checked;
  }
  const n = every?.checked ? Number(every.dataset.n) : ticked;
  const said = form.querySelector("[data-chosen]");
  const written = n.toLocaleString(document.documentElement.lang || undefined);
  said.textContent = n ? said.dataset.words.replace("%n", written) : "";
  form.querySelector("[data-chosen-n]").textContent = n ? written : "";
  form.querySelector("button[data-decide]").disabled = !n;
  const all = form.querySelector("input[data-all]");
  all.checked = whole;
  all.indeterminate = ticked > 0 && !whole;
}

if (form) {
  form.querySelector("[data-all-box]").hidden = false;
  form.addEventListener("change", (event) => {
    if (event.target.matches("[data-all]")) for (const box of boxes) box.checked = event.target.checked;
    if (event.target.matches("[data-all], [name=item], [name=all]")) count();
  });
  // Back and reload bring the ticks back.
  addEventListener("pageshow", count);
}
