"""Pictures of the pages on which a lead sets up a project."""

from __future__ import annotations

from tests.screens.camera import Camera


def lead(camera: Camera) -> None:
    """The queues of a project that is at work."""
    page = camera.page
    page.goto("/projects/lighthouse-keepers/queues/")
    camera.take("queues", whole=True)
    page.get_by_role("button", name="Close…").click()
    camera.take("queues-close")


def maker(camera: Camera) -> None:
    """A new project, step by step: what a protocol is, a refused number, ready to make."""
    page = camera.page
    page.goto("/projects/new/")
    camera.take("new-protocol", whole=True)
    page.goto("/projects/new/protocols/nq/")
    camera.take("protocol", whole=True)
    page.goto("/projects/new/")
    page.get_by_role("radio").nth(1).check()
    _next(camera)
    page.get_by_label("Title").fill("Tide tables")
    camera.take("new-words", whole=True)
    _next(camera)
    camera.take("new-numbers", whole=True)
    page.get_by_label("Expected").first.fill("3000")
    page.locator("[name$=-test-share]").first.fill("30")
    _next(camera)
    page.locator("[aria-invalid]").first.wait_for()
    camera.take("new-numbers-refused", whole=True)
    page.locator("[name$=-test-share]").first.fill("")
    page.get_by_label("Pay").fill("17.50 EUR an hour")
    _next(camera)
    camera.take("new-check", whole=True)


def _next(camera: Camera) -> None:
    camera.page.get_by_role("button", name="Next:").click()
    camera.page.get_by_role("heading", level=1).wait_for()
