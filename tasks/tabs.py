"""One piece of work in two tabs or on two devices: the newer one counts, and the older one is told."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from annotation import events
from annotation.errors import TakenOver
from annotation.models import Draft, User
from tasks import transitions
from tasks.models import Assignment


@dataclass(frozen=True)
class Tab:
    """A page load that speaks: its id, the one that counted when it was shown (None: no page had spoken) and the number
    (`seq`) of the draft that it showed.
    """

    client: uuid.UUID
    after: uuid.UUID | None = None
    base: int = 0


def check(assignment: Assignment, tab: Tab | None) -> None:
    """Raise TakenOver where another page load counts that is newer than this one; the caller holds the task's lock.

    A tab that was shown after the last one took over counts without having said so. None: no page speaks.
    """
    if tab is not None and assignment.client not in (None, tab.client, tab.after):
        raise TakenOver


def check_draft(draft: Draft | None, tab: Tab | None) -> None:
    """Raise TakenOver where another page load has saved a draft of the stage that this one never showed."""
    if draft is not None and tab is not None and draft.client != tab.client and draft.seq != tab.base:
        raise TakenOver


@dataclass(frozen=True)
class Place:
    """Where a person was on the page of a stage: `view` in the words of its script, and the page load that told it."""

    client: str
    view: dict[str, Any]


def leave(assignment: Assignment, *, client: uuid.UUID, stage: str, view: dict[str, Any], now: datetime) -> None:
    """Keep where the person is on a page that they leave; what a page tells that counts no more changes nothing."""
    place = {"client": str(client), "stage": stage, "view": view, "at": now.isoformat()}
    counts = Q(client=None) | Q(client=client)
    Assignment.objects.filter(counts, pk=assignment.pk, closed_at=None).update(place=place)


def place_of(assignment: Assignment, stage: str, draft: Draft | None) -> Place | None:
    """Where the person was last on the page of a stage, on whichever device: as a draft has it, or as it was left."""
    left = assignment.place if assignment.place and assignment.place["stage"] == stage else None
    if draft is not None and not (left and datetime.fromisoformat(left["at"]) > draft.saved_at):
        return Place(str(draft.client), draft.data.get("_view") or {})
    return Place(left["client"], left["view"]) if left else None


def hold(assignment: Assignment, tab: Tab) -> None:
    """This page load counts from now on, unless a newer one does; the caller holds the task's lock."""
    check(assignment, tab)
    _now_counts(assignment, tab.client)


@transaction.atomic
def take_over(assignment: Assignment, *, client: uuid.UUID, by: User, now: datetime) -> None:
    """The work was opened (or taken back) in this page load: whatever spoke before is refused from now on."""
    transitions.lock_one(assignment.task)
    assignment.refresh_from_db(fields=["client"])
    if assignment.client not in (None, client):
        events.record("assignment.taken_over", assignment, by=by, now=now)
    _now_counts(assignment, client)


def _now_counts(assignment: Assignment, client: uuid.UUID) -> None:
    if assignment.client != client:
        Assignment.objects.filter(pk=assignment.pk).update(client=client)
        assignment.client = client
