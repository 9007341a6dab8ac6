// Wrap a table that is wider than the column in a scrollable region, so that the page never scrolls sideways.

/** @param {string} label */
function tameTables(label) {
  const wide = [...material.querySelectorAll("table")].filter((table) => (
    !table.parentElement.closest("table, .sideways") && table.scrollWidth > material.clientWidth + 1
  ));
  for (const table of wide) {
    const region = document.createElement("div");
    region.className = "sideways";
    region.tabIndex = 0;
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", table.caption?.textContent.trim() || label);
    table.replaceWith(region);
    region.append(table);
  }
}
