"""What a person does between pictures who answers questions from a page: begins, finds one good, chooses a box."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.screens.camera import arrived, frame, post, press


def begin(page: Page, slug: str) -> None:
    """The next question of a project of NQ."""
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
    """Where the answer is a sheet that is closed, open it."""
    grip = page.locator("button[data-toggles='answer'][aria-expanded='false']")
    if grip.is_visible():
        grip.click()
