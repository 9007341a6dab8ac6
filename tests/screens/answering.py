"""Steps between pictures: begin a question about a page, find it good, choose a box; drag over words of a text."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.screens.camera import arrived, frame, post, press
from tests.waiting.settled import ready


def begin(page: Page, slug: str) -> None:
    """Open the next question of an NQ project."""
    page.goto("/")
    post(page, f"/projects/{slug}/annotate/next/")
    arrived(page, "question")


def good(page: Page) -> None:
    """Find the question good; ends at its page."""
    press(page, "g", "Control+Enter")
    arrived(page, "long_answer")


def choose(page: Page, text: str) -> None:
    """Choose the innermost box with this text."""
    frame(page).locator("[data-c]", has_text=text).last.click(position={"x": 12, "y": 8})
    page.locator(".marked").wait_for(state="attached")


def open_sheet(page: Page) -> None:
    """Open the answer's bottom sheet if there is one and it is closed."""
    grip = page.locator("button[data-toggles='answer'][aria-expanded='false']")
    if grip.is_visible():
        grip.click()


def drag(page: Page, words: str) -> None:
    """Drag over words of the passage."""
    ready(page)
    places = page.locator("[data-passage]").evaluate(
        """(element, words) => {
          const [text] = element.childNodes;
          const at = text.data.indexOf(words);
          const range = new Range();
          range.setStart(text, at);
          range.setEnd(text, at + words.length);
          element.closest(".material").scrollTop += range.getBoundingClientRect().top - 250;
          const boxes = [...range.getClientRects()];
          const [first, last] = [boxes[0], boxes.at(-1)];
          return [first.left + 3, first.top + first.height / 2, last.right - 3, last.top + last.height / 2];
        }""",
        words,
    )
    left, top, right, bottom = places
    mouse = page.mouse
    mouse.move(left, top)
    mouse.down()
    mouse.move((left + right) / 2, (top + bottom) / 2, steps=3)
    mouse.move(right, bottom, steps=3)
    mouse.up()
