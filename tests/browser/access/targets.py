"""The sizes of targets (what can be pressed) in CSS pixels, and which are too small (WCAG 2.5.8)."""

from __future__ import annotations

from playwright.sync_api import Page

LEAST = {"wide": 24, "narrow": 44}
"""CSS px, both ways: for a mouse, and for a finger (WCAG 2.5.8 and 2.5.5)."""

SMALL = """(least) => {
  const PRESSED = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link]";
  const clipped = (element) =>
    element && (getComputedStyle(element).clipPath !== "none" || clipped(element.parentElement));
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !clipped(element);
  const inSentence = (element) => {
    if (getComputedStyle(element).display !== "inline") return false;
    let block = element.parentElement;
    while (getComputedStyle(block).display === "inline") block = block.parentElement;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (data.trim() && !parentElement.closest(PRESSED) && parentElement.checkVisibility()) return true;
    }
    return false;
  };
  const found = [];
  for (const element of document.querySelectorAll(PRESSED)) {
    if (!shown(element) || inSentence(element)) continue;
    const boxes = [element, ...(element.labels ?? [])].map((each) => each.getBoundingClientRect());
    if (boxes.some(({ width, height }) => Math.min(width, height) > least - 0.05)) continue;
    const sizes = boxes.map(({ width, height }) => `${Math.round(width * 10) / 10} x ${Math.round(height * 10) / 10}`);
    const words = element.ariaLabel || element.labels?.[0]?.textContent || element.textContent;
    const said = words.trim().replace(/\\s+/g, " ").slice(0, 40);
    found.push(`${element.localName}.${element.id || element.className} “${said}” is ${sizes.join(", ")} px`);
  }
  return [...new Set(found)];
}"""


def too_small(page: Page, least: int) -> list[str]:
    """Each target in the page or its frames that is less than `least` wide or high, with its size.

    A label counts together with its control. Links inside a sentence are exempt, and so is what only screen readers
    get.
    """
    return [found for frame in page.frames for found in frame.evaluate(SMALL, least)]
