"""Pictures of a study on Prolific."""

from __future__ import annotations

from tests.screens.camera import Camera

ON = {"GOLDFINCH_PROLIFIC": "https://api.prolific.example"}
"""What a site needs for them in its environment."""


def lead(camera: Camera) -> None:
    """No study yet, a study with submissions and bonuses, and the bonuses before they are paid."""
    page = camera.page
    page.goto("/projects/winter-birds/prolific/")
    camera.take("prolific-none", whole=True)
    page.goto("/projects/tide-tables/prolific/")
    camera.take("prolific", whole=True)
    for button, picture in (("They are not paid…", "prolific-decide"), ("Disconnect…", "prolific-disconnect")):
        page.get_by_role("button", name=button).click()
        camera.take(picture)
        page.locator(":popover-open").get_by_role("button", name="Cancel").click()
    page.get_by_role("link", name="Pay bonuses…").click()
    page.get_by_role("button", name="Pay the bonuses").wait_for()
    camera.take("prolific-bonus", whole=True)
