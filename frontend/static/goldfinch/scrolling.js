// What of a text is on the screen: its own pane, or, on a short screen, the page that scrolls below the prompt.

const MARGIN = 40;

// { top, bottom } in the window.
export function visibleArea(material) {
  const { top, bottom } = material.getBoundingClientRect();
  const prompt = material.parentElement.querySelector(":scope > .prompt");
  const below = prompt ? prompt.getBoundingClientRect().bottom : 0;
  return { top: Math.max(top, below), bottom: Math.min(bottom, innerHeight) };
}

export function isVisible(material, place) {
  const view = visibleArea(material);
  return place.top >= view.top + MARGIN && place.bottom <= view.bottom - MARGIN;
}

const pane = (material) => (material.scrollHeight > material.clientHeight ? material : document.scrollingElement);

// Scrolls as little as needed to show the end of a place above what has just covered it.
export function uncover(material, place) {
  const covered = place.getBoundingClientRect().bottom + MARGIN / 2 - visibleArea(material).bottom;
  if (covered > 0) pane(material).scrollBy({ top: covered });
}

// Scrolls a place (an element or a range) to the middle, unless it can be seen.
export function reveal(material, place) {
  const rect = place.getBoundingClientRect();
  if (isVisible(material, rect)) return;
  const view = visibleArea(material);
  pane(material).scrollBy({ top: rect.top - (view.top + view.bottom) / 2 });
}
