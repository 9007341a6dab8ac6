"""Decide about several items at once: exclude their annotations, include them again, or withdraw the items."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from annotation.engine import exclusion
from annotation.errors import NotFound, WrongMove
from annotation.models import Annotation, Item, Project, User
from frontend.leads.items.listing import PER_PAGE
from tasks.engine import queues
from tasks.items import reports


def chosen(project: Project, keys: Iterable[str]) -> list[Item]:
    """The items of the project with these keys, in the order of their keys; NotFound if there are none."""
    wanted = {int(key) for key in keys if key.isascii() and key.isdigit() and len(key) < 16}
    rows = Item.objects.filter(queues.visible(), project=project, pk__in=wanted).select_related("project")
    found = list(rows.order_by("pk")[:PER_PAGE])
    if not found:
        raise NotFound
    return found


def decide(items: list[Item], action: str, *, person: str, by: User, reason: str, now: datetime) -> int:
    """Do it for each item, in a transaction of its own, and return for how many there was something to do.

    `person`: exclude or include only what somebody with this worker code made. NotFound for another action, and
    ReasonMissing before anything is done.
    """
    if action not in _ACTIONS:
        raise NotFound
    said, done = exclusion.checked_reason(reason), 0
    for item in items:
        # Nothing to exclude, or already withdrawn: then there was nothing to do.
        with suppress(WrongMove):
            _ACTIONS[action](item, person=person, by=by, reason=said, now=now)
            done += 1
    return done


def _exclude(item: Item, *, person: str, by: User, reason: str, now: datetime) -> None:
    if not person:
        exclusion.exclude(item.project, item=item, by=by, reason=reason, now=now)
        return
    theirs = _by(item, person).filter(excluded_at__isnull=True)
    exclusion.exclude(item.project, uuids=_some(theirs), by=by, reason=reason, now=now)


def _restore(item: Item, *, person: str, by: User, reason: str, now: datetime) -> None:
    if not person:
        exclusion.restore(item.project, item=item, by=by, reason=reason, now=now)
        return
    theirs = _by(item, person).filter(excluded_at__isnull=False).exclude(exclusion_reason=exclusion.LATE)
    exclusion.restore(item.project, uuids=_some(theirs), by=by, reason=reason, now=now)


def _by(item: Item, person: str) -> QuerySet[Annotation]:
    return Annotation.objects.filter(item=item, author__worker_code=person, completed_at__isnull=False)


def _some(rows: QuerySet[Annotation]) -> list[UUID]:
    found = [row.uuid for row in rows]
    if not found:
        raise WrongMove
    return found


def _withdraw(item: Item, *, person: str, by: User, reason: str, now: datetime) -> None:
    if reports.withdrawal(item) is not None:
        raise WrongMove
    reports.cancel(item, by=by, reason=reason, now=now)


_ACTIONS: dict[str, Callable[..., None]] = {"exclude": _exclude, "restore": _restore, "withdraw": _withdraw}
