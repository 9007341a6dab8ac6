"""Steps between pictures for answering a question about a page: begin, find it good, choose a box."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.screens.camera import arrived, frame, post, press


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
