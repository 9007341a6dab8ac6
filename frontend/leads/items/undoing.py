"""Undo a lead's last decision, about one item or many: every decision that has an inverse, for one hour."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import events
from annotation.engine import exclusion
from annotation.errors import NotFound, WrongMove
from annotation.models import Annotation, Event, Item, Project, User
from tasks import corrections
from tasks.corrections import more_annotations
from tasks.items import reports, setting_aside
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState

LONGEST = timedelta(hours=1)
"""How long the button works; later a decision is changed on the page of its item."""
MOST = 2000
"""Events of one decision that are undone."""
_OPPOSITES = (
    ("annotation.excluded", "annotation.restored"),
    (corrections.REOPENED, corrections.NOT_REOPENED),
    (reports.WITHDRAWN, reports.BROUGHT_BACK),
    setting_aside.LEFT_OR_CAME_BACK,
)
"""Kinds of events of which each changes what the other one did."""


def tag_of(project: Project, decided: Iterable[Event]) -> str:
    """The tag by which a message gets a button that undoes what these events record; "" if that can't be undone."""
    keys = undoable(decided)
    return f"undo {reverse('undo', args=[project.slug, keys[0], keys[-1]])}" if keys else ""


def undoable(decided: Iterable[Event]) -> list[int]:
    """The keys of those events that can be undone; what was begun again, and never stored, has none."""
    return [row.pk for row in decided if row.kind in _UNDO and row.pk]


def undo(project: Project, first: int, last: int, *, by: User, now: datetime) -> int:
    """Undo the decisions from one event to another, and return about how many; only their own lead's, and once.

    Raises NotFound for what is no decision of theirs here, and WrongMove if it is too old, or has been changed since.
    """
    own = Event.objects.filter(project_id=project.pk, by=by.pk, kind__in=_UNDO)
    rows = list(own.filter(pk__gte=first, pk__lte=last).order_by("pk")[:MOST])
    if not rows:
        raise NotFound
    if now - rows[0].at > LONGEST:
        raise WrongMove(_("This was decided more than an hour ago. Change it on the page of the item."))
    done = undo_each(project, rows[::-1], by=by, now=now)
    if not done:
        raise WrongMove(_("It has been changed since, so there was nothing to undo."))
    return done


def undo_each(project: Project, rows: Iterable[Event], *, by: User, now: datetime) -> int:
    """Undo these events in their order, and return how many; what somebody has changed since stays as it is."""
    done = 0
    for row in rows:
        with suppress(WrongMove, NotFound):
            _refuse_if_changed_since(row)
            _UNDO[row.kind](project, row, by=by, now=now)
            done += 1
    return done


def _refuse_if_changed_since(row: Event) -> None:
    """WrongMove if a later event about the same has changed it again, be it back to what this one had made of it."""
    kinds = next((pair for pair in _OPPOSITES if row.kind in pair), ())
    if Event.objects.filter(subject=row.subject, kind__in=kinds, pk__gt=row.pk).exists():
        raise WrongMove


def _reason(row: Event) -> str:
    said = _("Undone: %(reason)s") % {"reason": row.data.get("reason", "")}
    return said[:200]


def _restore(project: Project, row: Event, *, by: User, now: datetime) -> None:
    """With its place, if that was freed with the exclusion: the event of that comes after this one, never before."""
    uuid = UUID(row.subject.partition(":")[2])
    rejected = Assignment.objects.filter(annotation__uuid=uuid, state=AssignmentState.REJECTED)
    kind, names = f"assignment.{AssignmentState.REJECTED}", [events.name(each) for each in rejected]
    if Event.objects.filter(subject__in=names, kind=kind, pk__gt=row.pk).exists():
        corrections.reinstate(project, uuid, by=by, reason=_reason(row), now=now)
    else:
        exclusion.restore(project, uuids=[uuid], by=by, reason=_reason(row), now=now)


def _exclude_again(project: Project, row: Event, *, by: User, now: datetime) -> None:
    """With the reason for which it was excluded before."""
    earlier = Event.objects.filter(subject=row.subject, kind="annotation.excluded", pk__lt=row.pk)
    before = earlier.order_by("-pk").first()
    annotation = Annotation.objects.filter(uuid=row.subject.partition(":")[2], item__project=project).first()
    if annotation is None or before is None:
        raise NotFound
    exclusion.exclude(project, uuids=[annotation.uuid], by=by, reason=before.data["reason"], now=now)


def _take_back_reopening(project: Project, row: Event, *, by: User, now: datetime) -> None:
    uuid = UUID(row.subject.partition(":")[2])
    corrections.take_back_reopening(project, uuid, by=by, reason=_reason(row), now=now)


def _bring_back(project: Project, row: Event, *, by: User, now: datetime) -> None:
    reports.bring_back(_item_of(project, row), by=by, reason=_reason(row), now=now)


def _return_to_work(project: Project, row: Event, *, by: User, now: datetime) -> None:
    setting_aside.return_to_work([_item_of(project, row)], by=by, reason=_reason(row), now=now)


def _set_aside_again(project: Project, row: Event, *, by: User, now: datetime) -> None:
    setting_aside.set_aside([_item_of(project, row)], by=by, reason=_reason(row), now=now)


def _item_of(project: Project, row: Event) -> Item:
    rows = Item.with_set_aside.select_related("project").filter(project=project)
    return rows.get(pk=row.subject.partition(":")[2])


def _ask_no_more(project: Project, row: Event, *, by: User, now: datetime) -> None:
    tasks = Task.objects.select_related("queue__project", "item__project").filter(queue__project=project)
    task = tasks.get(pk=row.subject.partition(":")[2])
    last = more_annotations.last_asked(task)
    if last is None or last.pk != row.pk:
        raise WrongMove(_("More has been asked for since."))
    more_annotations.take_back(task, by=by, now=now)


_UNDO: dict[str, Callable[..., Any]] = {
    "annotation.excluded": _restore,
    "annotation.restored": _exclude_again,
    corrections.REOPENED: _take_back_reopening,
    "item.cancelled": _bring_back,
    setting_aside.SET_ASIDE: _return_to_work,
    setting_aside.RETURNED: _set_aside_again,
    more_annotations.ASKED: _ask_no_more,
}
"""What undoes the decision that an event of this kind records."""
