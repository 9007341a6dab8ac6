"""Time on a search page: the page carries a signed note of when it was shown and how much there was to read on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from django.core import signing

from annotation import clock
from annotation.models import Project, User
from annotation.search import Hit
from annotation.worktime import spans

SALT = "goldfinch.search-time"
LONGEST = 24 * 3600
"""Seconds for which a page that is left open still tells of time."""


def note(user: User, project: Project, hits: Iterable[Hit]) -> str:
    """What the page of these results sends along; it is worth nothing in other hands or for another project."""
    words = sum(len(text.split()) for hit in hits for text, _found in (*hit.title, *hit.excerpt))
    return signing.dumps([user.pk, project.pk, int(clock.now().timestamp()), words], salt=SALT)


def keep(user: User, project: Project, sent: Mapping[str, str]) -> None:
    """Write down the time that a search page tells of; what is malformed, old or not this person's is left out."""
    try:
        owner, of, shown, words = signing.loads(sent.get("note", ""), salt=SALT, max_age=LONGEST)
        visible, active = (int(sent[name]) / 1000 for name in ("ms", "active"))
    except (signing.BadSignature, KeyError, ValueError):
        return
    if (owner, of) == (user.pk, project.pk):
        place = spans.Place(project.pk, None, spans.SEEKING, datetime.fromtimestamp(shown, UTC), lambda: words)
        spans.keep(place, visible, active, by=user, now=clock.now())
