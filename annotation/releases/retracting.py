"""Retract a release: it is no longer offered, and everybody can see why."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from annotation.engine import exclusion, state_machine
from annotation.models import Release, User
from annotation.models.release import RELEASE_MOVES


@transaction.atomic
def retract(release: Release, *, by: User, reason: str, now: datetime) -> None:
    """Mark a ready release as retracted. Its files stay in the data folder, and its version is never used again.

    Raises ReasonMissing, and WrongMove unless it is ready.
    """
    said = exclusion.checked_reason(reason)
    state_machine.move(release, Release.State.RETRACTED, moves=RELEASE_MOVES, by=by, now=now, data={"reason": said})
