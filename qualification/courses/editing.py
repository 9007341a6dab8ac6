"""The versions of a course: a draft that leads edit, published for everybody who begins from then on, and closed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from annotation import events
from annotation.errors import NotFound, StalePage, WrongMove
from annotation.i18n import _
from annotation.models import Project, User
from qualification import granting
from qualification.courses import content, pictures, real_items
from qualification.courses.content import Course, CourseItem
from qualification.models import CourseVersion, Qualification

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
