"""The versions of a course: a draft that leads edit, published for everybody who begins from then on, and closed.

What is taken out of a draft stands in the event, so that it can be brought back however the draft has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Count, QuerySet
from pydantic import TypeAdapter

from annotation import events
from annotation.errors import NotFound, StalePage, WrongMove
from annotation.i18n import _
from annotation.models import Event, Project, User
from qualification import granting
from qualification.courses import content, pictures, pieces, real_items
from qualification.courses.content import Course, CourseItem, ExamBlock
from qualification.models import AttemptPurpose, CourseVersion, Enrolment, Grant, Outcome, Qualification

UNFINISHED = _("The course can’t be published yet: see what is missing.")

TOO_FEW_ITEMS = _("The pool has too few items.")
PICTURE_MISSING = _("A picture of this item is missing here: add it on the page of the item.")
TWICE = _("The course has this item of the work twice. Nobody is asked the same twice: delete one of them.")
MOST_UNPAID_MINUTES = 15
"""Time in a course is working time: longer exams are paid."""


def read(version: CourseVersion) -> Course:
    """The course of a version, with the right options as they were corrected since."""
    course = content.read(version.content)
    return corrected(course, version.corrections) if version.corrections else course


def corrected(course: Course, corrections: dict[str, list[Any]]) -> Course:
    """The course with other right options or references: as `content.right_of` has them, by the key of the item."""
    blocks = [
        block.model_copy(
            update={"pool": tuple(content.with_right(item, corrections.get(item.key)) for item in block.pool)}
        )
        for block in course.blocks
    ]
    return course.model_copy(update={"blocks": tuple(blocks)})


def sha256(version: CourseVersion) -> str:
    """The hash of what the version is now."""
    return version.sha256 or content.sha256(content.read(version.content))


def draft_of(qualification: Qualification) -> CourseVersion | None:
    """The version that leads are editing."""
    return qualification.course_versions.filter(published_at=None).first()


def published(qualification: Qualification) -> CourseVersion | None:
    """The version that people begin now; None before there is one, and where it is closed."""
    rows = qualification.course_versions.filter(published_at__isnull=False)
    latest = rows.order_by("-version").first()
    return latest if latest is not None and latest.closed_at is None else None


@transaction.atomic
def edit(qualification: Qualification, *, by: User | None, now: datetime, start: Course | None = None) -> CourseVersion:
    """The draft; if there is none, a copy of the latest version, or `start`, or an empty course."""
    locked = granting.lock_qualification(qualification)
    if (draft := draft_of(locked)) is not None:
        return draft
    last = locked.course_versions.order_by("-version").first()
    begun = content.stored(start or (read(last) if last else Course()))
    number = last.version + 1 if last else 1
    draft = CourseVersion.objects.create(qualification=locked, version=number, content=begun, made_at=now)
    events.record("course.begun", locked, by=by, now=now, version=number)
    return draft


@transaction.atomic
def save(draft: CourseVersion, course: Course, *, edits: int, by: User | None, now: datetime, **said: Any) -> None:
    """Change the draft, of which the page had seen so many `edits`; `said` goes into the event.

    StalePage if somebody else has changed it since, NotFound if it is no draft any more, WrongMove for keys that two
    items have.
    """
    row = _lock(draft)
    if row.published_at is not None:
        raise NotFound
    if row.edits != edits:
        raise StalePage(_("Somebody has changed the course since you opened this page. Look at it again."))
    if repeated := content.repeated_keys(course):
        raise WrongMove(_("Two items or two blocks have the same key: %s") % ", ".join(repeated))
    draft.content, draft.edits = content.stored(course), edits + 1
    draft.save(update_fields=["content", "edits"])
    events.record("course.changed", row.qualification, by=by, now=now, version=row.version, **said)


def obstacles(course: Course) -> list[tuple[str, Any]]:
    """What stands in the way of publishing it: the key of a block or "", and a sentence."""
    found: list[tuple[str, Any]] = []
    if not course.blocks:
        found.append(("", _("The exam has no block yet.")))
    if course.attempts < 2 and any(block.extra for block in course.blocks):
        found.append(("", _("Extra training leads to another attempt, so at least two attempts are needed.")))
    if not course.paid and (course.minutes is None or course.minutes + course.extension > MOST_UNPAID_MINUTES):
        found.append(("", _("An exam that is not paid lasts at most 15 minutes, with its extension.")))
    for block in course.blocks:
        if block.needed > block.draw:
            found.append((block.key, _("More points are needed than can be reached.")))
        if content.missing_items(course, block):
            found.append((block.key, TOO_FEW_ITEMS))
    return found


def unfit_items(course: Course, project: Project) -> list[tuple[CourseItem, Any]]:
    """The items that can't be asked in the project, each with a sentence on why."""
    found: list[tuple[CourseItem, Any]] = [(item, PICTURE_MISSING) for item in pictures.items_without(course, project)]
    before = set()
    for item in course.real_items():
        asked = (item.item, item.activity)
        found.append((item, TWICE if asked in before else real_items.why_unfit(project, item)))
        before.add(asked)
    return [(item, problem) for item, problem in found if problem]


@transaction.atomic
def publish(draft: CourseVersion, *, edits: int, by: User | None, now: datetime) -> None:
    """Freeze the draft; whoever begins from now on gets it, others finish the version that they began.

    WrongMove while something stands in the way, StalePage if it has been changed since the page was shown.
    """
    row = _lock(draft)
    if row.published_at is not None:
        return
    if row.edits != edits:
        raise StalePage(_("Somebody has changed the course since you opened this page. Look at it again."))
    course = read(row)
    if obstacles(course) or unfit_items(course, row.qualification.project):
        raise WrongMove(UNFINISHED)
    draft.published_at, draft.sha256 = now, content.sha256(course)
    draft.save(update_fields=["published_at", "sha256"])
    events.record("course.published", row.qualification, by=by, now=now, version=row.version, sha256=draft.sha256)


@transaction.atomic
def close(version: CourseVersion, *, closed: bool, by: User | None, now: datetime) -> None:
    """Let nobody begin it any more, or (`closed` False) let people begin it again; whoever has begun may finish."""
    row = _lock(version)
    if row.published_at is None:
        raise NotFound
    if (row.closed_at is not None) == closed:
        return
    version.closed_at = now if closed else None
    version.save(update_fields=["closed_at"])
    kind = "course.closed" if closed else "course.reopened"
    events.record(kind, row.qualification, by=by, now=now, version=row.version)


def _lock(version: CourseVersion) -> CourseVersion:
    rows = CourseVersion.objects.select_related("qualification").select_for_update(of=("self",))
    found = rows.filter(pk=version.pk).first()
    if found is None:
        raise NotFound
    return found


FINAL = (Outcome.ADMITTED, Outcome.NOT_ADMITTED)


def with_people(qualification: Qualification) -> QuerySet[CourseVersion]:
    """The versions, the latest first, each with how many people have taken it (`people`)."""
    return qualification.course_versions.annotate(people=Count("enrolments")).order_by("-version")


def unfinished(qualification: Qualification) -> QuerySet[Enrolment]:
    """Those who have begun a version and are neither admitted nor out: they finish it."""
    rows = Enrolment.objects.filter(course__qualification=qualification)
    decided = Grant.objects.filter(qualification=qualification, undone=False)
    ended = qualification.attempts.filter(purpose=AttemptPurpose.EXAM, voided_at=None, outcome__in=FINAL)
    return rows.exclude(user__in=decided.values("user")).exclude(user__in=ended.values("user"))


GONE = _("It can’t be brought back: the block that it was in is gone, too. Bring that back first.")
CHANGED_SINCE = _("The draft has been changed since, so the earlier changes can’t be brought back over it.")
_PIECES: dict[bool, TypeAdapter[Any]] = {True: TypeAdapter(ExamBlock), False: TypeAdapter(CourseItem)}
"""By whether it is a block."""


@transaction.atomic
def remove(draft: CourseVersion, part: str, key: str, *, edits: int, by: User | None, now: datetime) -> Event:
    """Take a piece out of the draft; the event that brings it back. Refused as `editing.save`."""
    course, piece, place = pieces.without(read(draft), part, key)
    taken = {"part": part, "place": place, "piece": piece.model_dump(mode="json")}
    with events.recorded() as made:
        save(draft, course, edits=edits, by=by, now=now, what="removed", title=title_of_piece(piece), removed=taken)
    return made[-1]


@transaction.atomic
def discard(draft: CourseVersion, *, edits: int, by: User | None, now: datetime) -> Event:
    """Make the draft what was published last; the event that brings the changes back."""
    last = draft.qualification.course_versions.filter(published_at__isnull=False).order_by("-version").first()
    course = read(last) if last else content.Course()
    with events.recorded() as made:
        save(draft, course, edits=edits, by=by, now=now, what="discarded", discarded=draft.content)
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
        if read(draft) != (read(later) if later else content.Course()):
            raise WrongMove(CHANGED_SINCE)
        save(draft, content.read(whole), edits=draft.edits, by=by, now=now, what="undiscarded")
        return
    taken, course = event.data["removed"], read(draft)
    piece = _PIECES[taken["part"] == pieces.BLOCKS].validate_json(orjson.dumps(taken["piece"]))
    try:
        restored = pieces.put_back(course, taken["part"], piece, taken["place"])
    except NotFound:
        raise WrongMove(GONE) from None
    if restored != course:
        save(draft, restored, edits=draft.edits, by=by, now=now, what="brought_back", title=event.data.get("title", ""))


def added_in(part: str, items: Iterable[CourseItem]) -> dict[str, Any]:
    """What the event of a list of items says, by which they can be taken out again."""
    return {"part": part, "items": [item.model_dump(mode="json") for item in items]}


def _take_out(
    draft: CourseVersion, part: str, items: Sequence[dict[str, Any]], *, by: User | None, now: datetime
) -> None:
    """Take out those of the added items that are as they were added; what was changed since stays."""
    course = read(draft)
    try:
        row = pieces.pieces_of(course, part)
    except NotFound:
        raise WrongMove(GONE) from None
    kept = [piece for piece in row if piece.model_dump(mode="json") not in items]
    if n := len(row) - len(kept):
        without = pieces.with_row(course, part, kept)
        save(draft, without, edits=draft.edits, by=by, now=now, what="taken_out", n=n)


def title_of_piece(piece: pieces.Piece) -> str:
    """A few words by which people know it: the title of a block, the first line of an item."""
    return piece.title
