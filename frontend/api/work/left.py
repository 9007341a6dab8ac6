"""Leave work by script: whoever leaves a partner again within a day says why, as on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.utils.translation import gettext as _

from annotation.errors import NotEligible, PayloadInvalid, Problem
from annotation.models import User
from frontend.work.holds.assignment_hold import AssignmentHold
from frontend.work.messages import NOT_NEEDED
from frontend.work.partner import REFUSED
from tasks.pairs import leaving, turn_time


def check_reason(held: AssignmentHold, body: Mapping[str, str], *, now: datetime) -> None:
    """PayloadInvalid if a reason has to be given and none was."""
    if body["reason"] or body["text"].strip() or not leaving.times_left(held.assignment, now=now):
        return
    raise PayloadInvalid((Problem("reason", "required", _("Say why you leave your partner again.")),))


def end(held: AssignmentHold, *, by: User, now: datetime) -> None:
    """End work whose partner is lost or quiet; NotEligible if they are there."""
    try:
        leaving.end(held.assignment, by=by, now=now)
    except NotEligible as why:
        raise NotEligible(str(REFUSED.get(why.reason, "")), reason=why.reason) from None


def ask_for_more_time(held: AssignmentHold, *, by: User, now: datetime) -> None:
    """Tell the partner that one needs more time; NotEligible if that is not needed."""
    try:
        turn_time.ask_for_more(held.assignment, by=by, now=now)
    except NotEligible as why:
        raise NotEligible(str(NOT_NEEDED), reason=why.reason) from None
