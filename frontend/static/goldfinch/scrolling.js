// What of a text is on the screen: its own pane, or, on a short screen, the page that scrolls below the prompt.

const MARGIN = 40;

// { top, bottom } in the window.
/** @param {HTMLElement} material */
export function visibleArea(material) {
  const { top, bottom } = material.getBoundingClientRect();
  const prompt = material.parentElement.querySelector(":scope > .prompt");
  const below = prompt ? prompt.getBoundingClientRect().bottom : 0;
  return { top: Math.max(top, below), bottom: Math.min(bottom, innerHeight) };
}

/** @param {HTMLElement} material @param {DOMRect} place */
export function isVisible(material, place) {
  const view = visibleArea(material);
  return place.top >= view.top + MARGIN && place.bottom <= view.bottom - MARGIN;
}

/** @param {HTMLElement} material */
const pane = (material) => (material.scrollHeight > material.clientHeight ? material : document.scrollingElement);

// Scrolls as little as needed to show the end of a place above what has just covered it.
/** @param {HTMLElement} material @param {Element | Range} place */
export function uncover(material, place) {
  const covered = place.getBoundingClientRect().bottom + MARGIN / 2 - visibleArea(material).bottom;
  if (covered > 0) pane(material).scrollBy({ top: covered });
}

// Scrolls a place (an element or a range) to the middle, unless it can be seen.
/** @param {HTMLElement} material @param {Element | Range} place */
export function reveal(material, place) {
  const rect = place.getBoundingClientRect();
  if (isVisible(material, rect)) return;
  const view = visibleArea(material);
  pane(material).scrollBy({ top: rect.top - (view.top + view.bottom) / 2 });
}
