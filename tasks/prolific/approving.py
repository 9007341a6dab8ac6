"""Approving submissions: Prolific pays their reward. Asking twice approves once, so it may be asked again."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet

from annotation import events
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import User
from tasks.engine.transactions import service
from tasks.models import Study, Submission
from tasks.prolific import connecting

MOST = 1000
"""Submissions in one request, as Prolific recommends."""


def approvable(study: Study) -> QuerySet[Submission]:
    """Those that wait for a review, as was last read."""
    return Submission.objects.filter(study=study, status=Submission.AWAITING).order_by("pk")


def approve(study: Study, submissions: Collection[int], *, by: User, now: datetime) -> int:
    """Ask Prolific to approve these (by key); returns how many it took. Those that don't wait for it are left out.

    WrongMove if none of them does. It is written down before it is asked: without an answer, the page says since when,
    and the next reading what has become of them.
    """
    rows = _noted(study, submissions, by, now)
    connecting.api_of(study).approve([row.submission_id for row in rows])
    _told(study, rows, by, now)
    return len(rows)


@service
def _noted(study: Study, submissions: Collection[int], by: User, now: datetime) -> list[Submission]:
    rows = list(approvable(study).filter(pk__in=submissions)[:MOST])
    if not rows:
        raise WrongMove(_("None of these waits for approval any more."))
    Submission.objects.filter(pk__in=[row.pk for row in rows]).update(approval_at=now)
    events.record("study.approving", study, by=by, now=now, n=len(rows))
    return rows


@service
def _told(study: Study, rows: list[Submission], by: User, now: datetime) -> None:
    events.record("study.approved", study, by=by, now=now, n=len(rows))
