"""Pictures of a lobby, in a project of the toy protocol; the ready check is shown by tests/browser/test_lobby.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.screens.camera import SIZES, Camera

if TYPE_CHECKING:  # the pictures are taken outside of Django
    from annotation.models import User

TOY = {"GOLDFINCH_PROTOCOLS": "tests.protocols.toy"}
"""What a site needs for them in its environment."""


def furnish(person: Callable[..., User]) -> None:
    """Somebody of each size who will be alone there."""
    from tests.protocols.toy.building import toy_project

    for size in SIZES:
        person(toy_project(f"talks-{size}"), f"lia-{size}")


def waiting(camera: Camera) -> None:
    """Before entering, and in line."""
    page = camera.page
    page.goto(f"/projects/talks-{camera.size}/talk/lobby/")
    camera.take("lobby")
    page.get_by_role("button", name="Find a partner").click()
    page.get_by_text("Looking for a partner").wait_for()
    camera.take("lobby-waiting")
    page.get_by_role("button", name="Leave").click()
