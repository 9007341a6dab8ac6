// Lists of terms without terms or with other parts, as pages indent with, are no lists of terms to screen readers.

const PARTS = "dt, dd, div, script, template";

function nameLists() {
  for (const list of material.querySelectorAll("dl")) {
    const parts = [...list.children];
    const hasBoth = ["DT", "DD"].every((name) => list.querySelector(name));
    if (hasBoth && parts.every((part) => part.matches(PARTS))) continue;
    list.setAttribute("role", "none");
  }
}
