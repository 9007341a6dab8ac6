"""How long pages were visible that belong to no piece of work: the search for work, and courses.

A page gets a signed token and reports with it once a minute and when it is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.core import signing
from django.utils.translation import gettext_lazy as _

from annotation import clock
from annotation.models import Project, User
from annotation.worktime import spans

BESIDE_WORK: dict[str, Any] = {
    spans.SEEKING: _("Choosing what to work on"),
    spans.COURSE: _("A course: its guidelines and tutorial"),
    spans.EXAM: _("An exam"),
}
"""What time is spent on that belongs to no piece of work, by its stage."""
SALT = "goldfinch.page-time"
LONGEST = 24 * 3600
"""Seconds for which a token is valid."""
BY_THE_CLOCK = 10**6
"""Words of a page whose time is limited otherwise: all of it counts."""


def note(user: User, project: Project, *, stage: str, words: int) -> str:
    """The token of a page with so many words to read, valid only for this person and project."""
    return signing.dumps([user.pk, project.pk, stage, int(clock.now().timestamp()), words], salt=SALT)


def keep(user: User, project: Project, sent: Mapping[str, str]) -> None:
    """Store the time that a page reports; ignore a report that is malformed, too old or another person's."""
    try:
        owner, of, stage, shown, words = signing.loads(sent.get("note", ""), salt=SALT, max_age=LONGEST)
        visible, active = (int(sent[name]) / 1000 for name in ("ms", "active"))
    except (signing.BadSignature, KeyError, ValueError, OverflowError):  # a number of thousands of digits, too
        return
    if (owner, of) == (user.pk, project.pk):
        place = spans.BookedWork(project.pk, None, stage, datetime.fromtimestamp(shown, UTC), lambda: words)
        spans.lock_and_write(place, visible, active, by=user, now=clock.now())
