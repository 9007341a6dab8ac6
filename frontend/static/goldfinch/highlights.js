// Ranges of the page painted by name (CSS Highlight API), so that no text is changed for it.

/** @param {string} name @param {AbstractRange[]} ranges */
export function paint(name, ranges) {
  if (!globalThis.CSS?.highlights) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}
