"""How long pages were visible that belong to no piece of work: the search for work, courses, and meetings.

A page gets a signed token and reports with it once a minute and when it is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core import signing
from django.utils.translation import gettext_lazy as _

from annotation import clock
from annotation.models import JudgingRound, Project, User
from annotation.worktime import spans

BESIDE_WORK: dict[str, Any] = {
    spans.SEEKING: _("Choosing what to work on"),
    spans.COURSE: _("A course: its guidelines and tutorial"),
    spans.EXAM: _("An exam"),
    spans.MEETING: _("A meeting about judged answers"),
}
"""What time is spent on that belongs to no piece of work, by its stage."""
SALT = "goldfinch.page-time"
LONGEST = 24 * 3600
"""Seconds for which a token is valid."""
BY_THE_CLOCK = 10**6
"""Words of a page whose time is limited otherwise: all of it counts."""
LISTENS = timedelta(minutes=5)
"""In a meeting an input counts for so long: people listen, and talk beside the page."""


def note(user: User, project: Project, *, stage: str, words: int) -> str:
    """The token of a page with so many words to read, valid only for this person and project."""
    return signing.dumps([user.pk, project.pk, stage, int(clock.now().timestamp()), words], salt=SALT)


def of_meeting(user: User, row: JudgingRound) -> dict[str, Any]:
    """What the page of a meeting needs to report its time."""
    token = note(user, row.project, stage=spans.MEETING, words=0)
    return {"time_note": token, "time_lasts": int(LISTENS.total_seconds())}


def keep(user: User, project: Project, sent: Mapping[str, str], *, meeting: JudgingRound | None = None) -> None:
    """Store the time that a page reports; ignore a report that is malformed, too old or another person's.

    In a `meeting` nothing counts after its end, and `active` is the time within `LISTENS` of an input.
    """
    try:
        owner, of, stage, shown, words = signing.loads(sent.get("note", ""), salt=SALT, max_age=LONGEST)
        visible, active = (int(sent[name]) / 1000 for name in ("ms", "active"))
    except (signing.BadSignature, KeyError, ValueError, OverflowError):  # a number of thousands of digits, too
        return
    if (owner, of) != (user.pk, project.pk) or (stage == spans.MEETING) != (meeting is not None):
        return
    began, now = datetime.fromtimestamp(shown, UTC), clock.now()
    place = spans.BookedWork(project.pk, None, stage, began, lambda: words, meeting.pk if meeting else None)
    if meeting is not None and meeting.ended_at is not None:
        after = max(0.0, (now - meeting.ended_at).total_seconds())
        visible, active, now = visible - after, max(0.0, active - after), min(now, meeting.ended_at)
    spans.lock_and_write(place, visible, active, by=user, now=now)
