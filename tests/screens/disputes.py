"""Pictures of an expert's pages: what follows from seeing answers, the list of the worst, answers side by side."""

from __future__ import annotations

from tests.screens.camera import Camera
from tests.waiting.settled import keys


def expert(camera: Camera) -> None:
    """From the home page to the answers to one question."""
    page = camera.page
    page.goto("/")
    page.get_by_role("link", name="Compare and decide").click()
    camera.take("disputes-begin")
    page.get_by_role("button", name="See the answers").click()
    camera.take("disputes", whole=True)
    page.goto(page.url.replace("/disputes/", "/references/"))
    camera.take("exam-references", whole=True)
    page.go_back()
    page.locator("th a[href*='/disputes/']").first.click()
    page.locator("#decide").wait_for()
    _show_page(camera)
    camera.take("dispute", whole=True)
    page.go_back()
    page.locator("a[href*='/compared/']").first.click()
    camera.take("compared", whole=True)
    keys(page).press("j")
    page.locator(".letter").first.wait_for()
    _show_page(camera)
    camera.take("compare", whole=True)


def _show_page(camera: Camera) -> None:
    """Bring the frame into view: a browser draws nothing in one that is not, and the camera waits for each frame."""
    camera.page.locator("iframe").scroll_into_view_if_needed()
