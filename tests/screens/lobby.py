"""Pictures of a lobby, in a project of the toy protocol; the ready check is shown by tests/browser/test_lobby.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.screens.camera import SIZES, Camera

if TYPE_CHECKING:  # the pictures are taken outside of Django
    from annotation.models import User

TOY = {"GOLDFINCH_PROTOCOLS": "tests.protocols.toy"}
"""What a site needs for them in its environment."""
LEFT = {size: f"00000000-0000-4000-8000-00000000004{number}" for number, size in enumerate(SIZES)}
"""Work whose partner has left, by size."""


def furnish(person: Callable[..., User]) -> None:
    """Somebody of each size who will be alone there, and whose partner has left an earlier talk."""
    from annotation import clock
    from tasks.engine import skip_and_return
    from tasks.models import Assignment
    from tests.protocols.toy.building import Pair, toy_project

    now = clock.now()
    for size in SIZES:
        talks = toy_project(f"talks-{size}")
        person(talks, f"lia-{size}")
        pair = Pair.seated(talks, f"lia-{size}", f"max-{size}", now=now)
        Assignment.objects.filter(pk=pair.held["asker"].pk).update(uuid=LEFT[size])
        skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=now)


def waiting(camera: Camera) -> None:
    """After a partner has left, before entering, and in line."""
    page = camera.page
    page.goto(f"/work/{LEFT[camera.size]}/")
    page.get_by_role("heading", name="Your partner has left").wait_for()
    camera.take("partner-left")
    page.goto(f"/projects/talks-{camera.size}/talk/lobby/")
    camera.take("lobby")
    page.get_by_role("button", name="Find a partner").click()
    page.get_by_text("Looking for a partner").wait_for()
    camera.take("lobby-waiting")
    page.get_by_role("button", name="Leave").click()
