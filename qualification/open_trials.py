"""A lead's trials that are not finished: of tasks and of exams, until the lead goes on with them or puts them away.

A trial of a task that is put away is kept as it is and goes on when the lead tries the item again. One of an exam is
voided, as its form is, and the next one has another.
"""

from __future__ import annotations

import uuid as uuids
from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from annotation.errors import NotFound
from annotation.models import Project, Purpose, User
from qualification.models import Attempt, AttemptPurpose, AttemptState, Try


def open_tries(user: User, projects: Collection[Project]) -> list[Try]:
    """The person's unfinished trials of items of these projects that are not put away, the latest first."""
    rows = Try.objects.select_related("annotation__item__project").filter(
        annotation__author=user,
        annotation__purpose=Purpose.TRIAL,
        annotation__completed_at__isnull=True,
        annotation__item__project__in=projects,
        attempt=None,  # an item of an exam is gone on with there
        put_away_at=None,
    )
    return list(rows.order_by("-annotation__opened_at", "-pk"))


def open_exam_trials(user: User, projects: Collection[Project], *, now: datetime) -> list[Attempt]:
    """The person's open trials of exams of these projects whose time is not over, the latest first."""
    rows = Attempt.objects.select_related("qualification__project", "course").filter(
        user=user,
        purpose=AttemptPurpose.TRIAL,
        state=AttemptState.OPEN,
        voided_at=None,
        qualification__project__in=projects,
    )
    return [row for row in rows.order_by("-issued_at", "-pk") if row.ends_at is None or now <= row.ends_at]


@transaction.atomic
def put_away(user: User, uuid: uuids.UUID, *, now: datetime) -> None:
    """Put away the person's open trial of that uuid; NotFound where they have none."""
    tries = Try.objects.filter(annotation__author=user, annotation__purpose=Purpose.TRIAL, attempt=None, uuid=uuid)
    if tries.filter(annotation__completed_at__isnull=True).update(put_away_at=now):
        return
    sat = Attempt.objects.filter(user=user, purpose=AttemptPurpose.TRIAL, uuid=uuid, state=AttemptState.OPEN)
    if not sat.filter(voided_at=None).update(voided_at=now):
        raise NotFound


def take_up(user: User, uuid: uuids.UUID) -> None:
    """Have a trial of a task that was put away among the open ones again; nothing for one that was not."""
    Try.objects.filter(annotation__author=user, uuid=uuid).exclude(put_away_at=None).update(put_away_at=None)
