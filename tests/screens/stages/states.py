"""A stage in each of its states, for pictures: sent with errors, restored from its draft, read once it is sealed."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.screens.answering import open_sheet
from tests.screens.camera import Camera, arrived, saved, send_unchecked


def go_on(page: Page, step: str) -> None:
    page.locator("a[data-key=c]").click()
    arrived(page, step)


def send(page: Page) -> None:
    """Send the form; on a small screen its button may be in the closed sheet."""
    button = page.locator("form[data-commit] button[type=submit]")
    if not button.is_visible():
        open_sheet(page)
    button.click()


def waiting(page: Page) -> None:
    page.locator("#screen[data-waits][data-started]").wait_for()


def refused(camera: Camera, step: str, name: str) -> None:
    """What is sent without a check by the page; then the step again."""
    send_unchecked(camera.page)
    camera.take(f"{name}-refused")
    camera.page.goto(work(camera.page))
    arrived(camera.page, step)


def restored(camera: Camera, step: str, name: str) -> None:
    """The draft, after it was saved and the page was opened again."""
    saved(camera.page)
    camera.page.goto(work(camera.page))
    arrived(camera.page, step)
    camera.take(f"{name}-restored")


def sealed(camera: Camera, step: str, name: str) -> None:
    """What was sent, read again; ends at the step that is next."""
    page = camera.page
    address = work(page)
    page.goto(f"{address}{step}/")
    page.get_by_text("Sent. It can’t be changed any more.").wait_for(state="attached")
    camera.take(name)
    page.goto(address)


def work(page: Page) -> str:
    return "/".join(page.url.split("/")[:5]) + "/"
