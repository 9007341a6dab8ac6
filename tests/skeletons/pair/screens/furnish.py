"""The projects for the pictures; runs inside the site."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from annotation.models import User
from annotation.skeletons.pair.protocol import PROTOCOL
from tests.screens.stages.reaching import furnish_for


def furnish(person: Callable[..., User], *, now: datetime) -> None:
    """For each stage people who are at it, and who have answered it."""
    furnish_for(PROTOCOL, person, now=now)
