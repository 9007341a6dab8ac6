// The list of items: J and K move through the rows, Enter opens one (its link has the focus), X chooses it.
// "/" goes to the search field.
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
  const n = boxes.filter((box) => box.checked).length;
  const said = form.querySelector("[data-chosen]");
  said.textContent = n ? said.dataset.words.replace("%n", String(n)) : "";
  form.querySelector("[data-chosen-n]").textContent = n ? String(n) : "";
  form.querySelector("button[data-decide]").disabled = !n;
  const all = form.querySelector("input[data-all]");
  all.checked = n === boxes.length;
  all.indeterminate = n > 0 && n < boxes.length;
}

if (form) {
  form.querySelector("[data-all-box]").hidden = false;
  form.addEventListener("change", (event) => {
    if (event.target.matches("[data-all]")) for (const box of boxes) box.checked = event.target.checked;
    if (event.target.matches("[data-all], [name=item]")) count();
  });
  // Back and reload bring the ticks back.
  addEventListener("pageshow", count);
}
