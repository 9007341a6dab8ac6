// A list of links whose arrow keys go from one to the next, as in a table of contents; Home and End go to its ends.

/** @type {Record<string, (at: number, last: number) => number>} */
const STEPS = {
  ArrowDown: (at, last) => Math.min(at + 1, last), ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0, End: (_, last) => last,
};

/** @param {HTMLElement} list @param {{ signal: AbortSignal }} options */
export function stepByArrows(list, { signal }) {
  list.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const links = [...list.querySelectorAll("a[href]")].filter((link) => link.checkVisibility?.() ?? true);
    const at = links.indexOf(event.target.closest("a[href]"));
    if (at < 0) return;
    event.preventDefault();
    links[step(at, links.length - 1)].focus();
  }, { signal });
}
