"""Taking a piece out of the draft of a course, or all of its changes, and bringing back what was taken out.

What was taken out stands in the event, so that it can be brought back however the draft has changed since.
"""

from __future__ import annotations

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
    """Bring back what the event says was taken out of this draft; what is there by now stays as it is.

    NotFound for an event of another kind, WrongMove where it no longer fits.
    """
    about = (event.subject, event.data.get("version")) == (events.name(draft.qualification), draft.version)
    if not about or not event.data.keys() & {"removed", "discarded"}:
        raise NotFound
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


def title_of(piece: pieces.Piece) -> str:
    """A few words by which people know it: the title of a block, the first line of an item."""
    return piece.title
