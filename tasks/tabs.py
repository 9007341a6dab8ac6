"""One piece of work in two tabs or on two devices: the newer one counts, and the older one is told."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation import events
from annotation.errors import TakenOver
from annotation.models import Draft, User
from tasks import moving
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


def hold(assignment: Assignment, tab: Tab) -> None:
    """This page load counts from now on, unless a newer one does; the caller holds the task's lock."""
    check(assignment, tab)
    _now_counts(assignment, tab.client)


@transaction.atomic
def take_over(assignment: Assignment, *, client: uuid.UUID, by: User, now: datetime) -> None:
    """The work was opened (or taken back) in this page load: whatever spoke before is refused from now on."""
    moving.lock_one(assignment.task)
    assignment.refresh_from_db(fields=["client"])
    if assignment.client not in (None, client):
        events.record("assignment.taken_over", assignment, by=by, now=now)
    _now_counts(assignment, client)


def _now_counts(assignment: Assignment, client: uuid.UUID) -> None:
    if assignment.client != client:
        Assignment.objects.filter(pk=assignment.pk).update(client=client)
        assignment.client = client
