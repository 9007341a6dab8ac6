"""How large what can be pressed is, in CSS pixels: everything on a page that is smaller than it should be (WCAG 2.5.8)."""

from __future__ import annotations

from playwright.sync_api import Page

LEAST = {"wide": 24, "narrow": 44}
"""CSS px, both ways: with a mouse, and with a finger (protocols.md, 6.11; WCAG 2.5.8 and 2.5.5)."""

SMALL = """(least) => {
  const PRESSED = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=link]";
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
    && !element.closest("[inert]") && ![...ancestors(element)].some((each) => getComputedStyle(each).clipPath !== "none");
  function* ancestors(element) { for (let each = element; each; each = each.parentElement) yield each; }
  const inSentence = (element) => {
    if (getComputedStyle(element).display !== "inline") return false;
    let block = element.parentElement;
    while (getComputedStyle(block).display === "inline") block = block.parentElement;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const words = walker.currentNode;
      if (words.data.trim() && !words.parentElement.closest(PRESSED) && words.parentElement.checkVisibility()) return true;
    }
    return false;
  };
  const large = (box) => box.width >= least - 0.05 && box.height >= least - 0.05;
  const found = [];
  for (const element of document.querySelectorAll(PRESSED)) {
    if (!seen(element) || inSentence(element)) continue;
    const boxes = [element, ...(element.labels ?? [])].map((each) => each.getBoundingClientRect());
    if (boxes.some(large)) continue;
    const largest = boxes.reduce((one, other) => (one.width * one.height < other.width * other.height ? other : one));
    const size = `${Math.round(largest.width * 10) / 10} x ${Math.round(largest.height * 10) / 10}`;
    const words = (element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent).trim();
    const what = element.id || element.className || element.name || "";
    found.push(`${element.localName} ${what} “${words.replace(/\\s+/g, " ").slice(0, 40)}” is ${size} px`);
  }
  return [...new Set(found)];
}"""


def too_small(page: Page, least: int) -> list[str]:
    """Each target in the page or one of its frames that is less than `least` wide or high, and what it measures.

    A label counts with its control. Left out is what the rule leaves out: a link inside a sentence, and what is shown to
    readers of screens only.
    """
    return [found for frame in page.frames for found in frame.evaluate(SMALL, least)]
