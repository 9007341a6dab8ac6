"""What is kept of somebody's submissions, when they are erased."""

from __future__ import annotations

from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import User
from tasks.models import Bonus, BonusPart
from tasks.models.prolific import UNDER_WAY


def forget(user: User) -> None:
    """Take out by which submission a bonus was paid. WrongMove while it is not certain whether one is paid."""
    parts = BonusPart.objects.filter(person=user)
    if parts.filter(bonus__state__in=[*UNDER_WAY, Bonus.State.UNCLEAR]).exists():
        raise WrongMove(_("A bonus on Prolific is under way for this person. Erase them when it is paid or refused."))
    parts.update(submission_id="")
