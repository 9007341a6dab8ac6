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
