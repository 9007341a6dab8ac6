"""Taking a piece out of the draft of a course, or all of its changes, and bringing back what was taken out.

What was taken out stands in the event, so that it can be brought back however the draft has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import orjson
from django.db import transaction
from pydantic import TypeAdapter

from annotation import events
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.models import Event, User
from qualification.courses import content, editing, pieces
from qualification.courses.content import CourseItem, ExamBlock
from qualification.models import CourseVersion

GONE = _("It can’t be brought back: the block that it was in is gone, too. Bring that back first.")
CHANGED_SINCE = _("The draft has been changed since, so the earlier changes can’t be brought back over it.")
_PIECES: dict[bool, TypeAdapter[Any]] = {True: TypeAdapter(ExamBlock), False: TypeAdapter(CourseItem)}
"""By whether it is a block."""


@transaction.atomic
def remove(draft: CourseVersion, part: str, key: str, *, edits: int, by: User | None, now: datetime) -> Event:
    """Take a piece out of the draft; the event that brings it back. Refused as `editing.save`."""
    course, piece, place = pieces.without(editing.read(draft), part, key)
    taken = {"part": part, "place": place, "piece": piece.model_dump(mode="json")}
    with events.recorded() as made:
        editing.save(draft, course, edits=edits, by=by, now=now, what="removed", title=title_of(piece), removed=taken)
    return made[-1]


@transaction.atomic
def discard(draft: CourseVersion, *, edits: int, by: User | None, now: datetime) -> Event:
    """Make the draft what was published last; the event that brings the changes back."""
    last = draft.qualification.course_versions.filter(published_at__isnull=False).order_by("-version").first()
    course = editing.read(last) if last else content.Course()
    with events.recorded() as made:
        editing.save(draft, course, edits=edits, by=by, now=now, what="discarded", discarded=draft.content)
    return made[-1]


@transaction.atomic
def bring_back(draft: CourseVersion, event: Event, *, by: User | None, now: datetime) -> None:
    """Bring back what the event says was taken out of this draft, or take out a list that was added; what was changed
    since stays as it is.

    NotFound for an event of another kind, WrongMove where it no longer fits.
    """
    about = (event.subject, event.data.get("version")) == (events.name(draft.qualification), draft.version)
    if not about or not event.data.keys() & {"removed", "discarded", "added"}:
        raise NotFound
    if (added := event.data.get("added")) is not None:
        _take_out(draft, added["part"], added["items"], by=by, now=now)
        return
    if (whole := event.data.get("discarded")) is not None:
        later = draft.qualification.course_versions.filter(published_at__isnull=False).order_by("-version").first()
        if editing.read(draft) != (editing.read(later) if later else content.Course()):
            raise WrongMove(CHANGED_SINCE)
        editing.save(draft, content.read(whole), edits=draft.edits, by=by, now=now, what="undiscarded")
        return
    taken, course = event.data["removed"], editing.read(draft)
    piece = _PIECES[taken["part"] == pieces.BLOCKS].validate_json(orjson.dumps(taken["piece"]))
    try:
        restored = pieces.put_back(course, taken["part"], piece, taken["place"])
    except NotFound:
        raise WrongMove(GONE) from None
    if restored != course:
        editing.save(
            draft, restored, edits=draft.edits, by=by, now=now, what="brought_back", title=event.data.get("title", "")
        )


def added_in(part: str, items: Iterable[CourseItem]) -> dict[str, Any]:
    """What the event of a list of items says, by which they can be taken out again."""
    return {"part": part, "items": [item.model_dump(mode="json") for item in items]}


def _take_out(
    draft: CourseVersion, part: str, items: Sequence[dict[str, Any]], *, by: User | None, now: datetime
) -> None:
    """Take out those of the added items that are as they were added; what was changed since stays."""
    course = editing.read(draft)
    try:
        row = pieces.pieces_of(course, part)
    except NotFound:
        raise WrongMove(GONE) from None
    kept = [piece for piece in row if piece.model_dump(mode="json") not in items]
    if n := len(row) - len(kept):
        without = pieces.with_row(course, part, kept)
        editing.save(draft, without, edits=draft.edits, by=by, now=now, what="taken_out", n=n)


def title_of(piece: pieces.Piece) -> str:
    """A few words by which people know it: the title of a block, the first line of an item."""
    return piece.title
