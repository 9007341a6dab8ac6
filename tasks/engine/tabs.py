"""Work open in two tabs or on two devices: only the newer page load may write, and the older one is refused."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from annotation import events
from annotation.engine import drafts
from annotation.engine.drafts import PageLoad
from annotation.models import Draft, User
from tasks.engine import transitions
from tasks.engine.transactions import service
from tasks.models import Assignment


@dataclass(frozen=True)
class PagePlace:
    """Where a person was on the page of a stage: `view` as its script describes it, and the page load that sent it."""

    client: str
    view: dict[str, Any]


def save_place(assignment: Assignment, *, client: uuid.UUID, step: str, view: dict[str, Any], now: datetime) -> None:
    """Save where the person is on a page that they leave; ignored from a page load that may no longer write."""
    place = {"client": str(client), "stage": step, "view": view, "at": now.isoformat()}
    counts = Q(client=None) | Q(client=client)
    Assignment.objects.filter(counts, pk=assignment.pk, closed_at=None).update(place=place)


def place_of(last: dict[str, Any] | None, step: str, draft: Draft | None) -> PagePlace | None:
    """Where the person last was on the page of a stage, on any device: as drafted, or as left (`last`) if newer."""
    left = last if last and last["stage"] == step else None
    if draft is not None and not (left and datetime.fromisoformat(left["at"]) > draft.saved_at):
        return PagePlace(str(draft.client), draft.data.get("_view") or {})
    return PagePlace(left["client"], left["view"]) if left else None


def hold(assignment: Assignment, tab: PageLoad) -> None:
    """Let this page load write, or TakenOver if a newer one does; the caller holds the task's lock."""
    drafts.check_tab(assignment.client, tab)
    _now_counts(assignment, tab.client)


@service
def take_over(assignment: Assignment, *, client: uuid.UUID, by: User, now: datetime) -> None:
    """Open (or take back) the work in this page load: all earlier ones are refused from now on."""
    transitions.lock_one(assignment.task)
    assignment.refresh_from_db(fields=["client"])
    if assignment.client not in (None, client):
        events.record("assignment.taken_over", assignment, by=by, now=now)
    _now_counts(assignment, client)


def _now_counts(assignment: Assignment, client: uuid.UUID) -> None:
    if assignment.client != client:
        Assignment.objects.filter(pk=assignment.pk).update(client=client)
        assignment.client = client
