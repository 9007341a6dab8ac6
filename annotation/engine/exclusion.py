"""Exclude annotations from agreement and later releases, or restore them: by uuid, by person or by item."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.documents.words import says_something
from annotation.engine import recording
from annotation.errors import NotFound, ReasonMissing, WrongMove
from annotation.i18n import _
from annotation.models import Annotation, Item, Project, Response, User

LATE = "late"
"""The reason of finished work that came too late for a slot; it is only restored one by one, by uuid."""


@transaction.atomic
def exclude(
    project: Project,
    *,
    uuids: Sequence[uuids.UUID] = (),
    worker: str = "",
    item: Item | None = None,
    by: User | None,
    reason: str,
    now: datetime,
) -> list[Annotation]:
    """Exclude these annotations, all of a worker code, or all finished ones of an item; frozen releases don't change.

    All or none: raises NotFound for what the project does not have, ReasonMissing, and WrongMove for annotations that
    are already excluded, or where there is nothing to exclude.
    """
    counts = Q(excluded_at=None)
    found = _chosen(project, uuids, worker, item, counts if item is None else counts & Q(completed_at__isnull=False))
    _refuse("already excluded", [row for row in found if row.excluded_at is not None])
    for row in found:
        recording.exclude(row, by=by, reason=checked_reason(reason), now=now)
    return found


@transaction.atomic
def restore(
    project: Project,
    *,
    uuids: Sequence[uuids.UUID] = (),
    worker: str = "",
    item: Item | None = None,
    by: User | None,
    reason: str,
    now: datetime,
) -> list[Annotation]:
    """Restore excluded annotations; by person or item, those excluded as late stay excluded."""
    found = _chosen(project, uuids, worker, item, Q(excluded_at__isnull=False) & ~Q(exclusion_reason=LATE))
    _refuse("not excluded", [row for row in found if row.excluded_at is None])
    for row in found:
        recording.restore(row, by=by, reason=checked_reason(reason), now=now)
    return found


def _chosen(
    project: Project, uuids: Sequence[uuids.UUID], worker: str, item: Item | None, wanted: Q
) -> list[Annotation]:
    """Those named; or of a person or an item those of which `wanted` holds. WrongMove for an item without any."""
    if uuids:
        return _named(project, uuids)
    rows = _annotations_of(project, worker) if item is None else _all(project).filter(item=item)
    found = list(rows.filter(wanted))
    if item is not None and not found:
        raise WrongMove("No annotation of this item is left to exclude or to include again; nothing was changed.")
    return found


def _all(project: Project) -> QuerySet[Annotation]:
    return (
        Annotation.objects.select_for_update(of=("self",))
        .filter(item__project=project, item__undone_at=None)
        .order_by("pk")
    )


def _annotations_of(project: Project, worker: str) -> QuerySet[Annotation]:
    """Everything by one person, for any purpose, alone or with others."""
    author = User.objects.filter(worker_code=worker).first() if worker else None
    together = Response.objects.filter(author=author, annotation__author=None).values("annotation")
    theirs = Q(author=author) | Q(pk__in=together)
    if author is None or not Annotation.objects.filter(theirs, item__project=project).exists():
        raise NotFound(f"Nobody with the worker code {worker} has annotated in {project.slug}.")
    return _all(project).filter(theirs)


def _named(project: Project, uuids: Sequence[uuids.UUID]) -> list[Annotation]:
    found = list(_all(project).filter(uuid__in=uuids))
    missing = [str(uuid) for uuid in uuids if uuid not in {row.uuid for row in found}]
    if missing:
        raise NotFound(f"{project.slug} has no annotation {', '.join(missing)}.")
    return found


def _refuse(what: str, rows: list[Annotation]) -> None:
    if rows:
        raise WrongMove(f"{', '.join(str(row.uuid) for row in rows)}: {what}; nothing was changed.")


def checked_reason(reason: str) -> str:
    """The reason of a decision with its white space collapsed, or ReasonMissing: no word, or over 200 characters."""
    text = " ".join(reason.split())
    if not says_something(text):
        raise ReasonMissing(_("Give a reason in words. Nothing was changed."))
    if len(text) > 200:
        raise ReasonMissing(_("A reason has at most 200 characters. Nothing was changed."))
    return text
