"""What home tells of what happened to somebody's work while they were away. It is read from the record each time:
nothing stores that it was told, and after seven days it is told no more."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from annotation import membership, projects
from annotation.errors import MembershipEnded
from annotation.models import User
from frontend.errors import RefusalPage, row_of
from frontend.work import revoked
from frontend.work.finished import decided_since
from tasks.engine import assignments

TOLD = timedelta(days=assignments.DAYS)


@dataclass(frozen=True)
class LostWork:
    """Pieces of work of a project (title) that were revoked for the same reason. `n`: how many."""

    project: str
    row: RefusalPage
    pay: bool
    n: int


@dataclass(frozen=True)
class EndedMembership:
    """A project (title) that somebody was a member of until `at`, and is no more. `pay`: it states a rate."""

    project: str
    at: datetime
    pay: bool


@dataclass(frozen=True)
class DecidedWork:
    """How many finished pieces of work of a project (title) an expert has decided about, the last one `at`."""

    project: str
    n: int
    at: datetime


def lost_work(user: User, *, now: datetime) -> list[LostWork]:
    """Work that was revoked in the last seven days, not because a membership ended: `ended_memberships` tells that."""
    rows = ((row, assignments.why_closed(row)) for row in assignments.recently_revoked(user, now=now))
    found = Counter(
        (row.task.item.project.title, row_of(why), revoked.pays(row))
        for row, why in rows
        if not isinstance(why, MembershipEnded)
    )
    return [LostWork(title, why, pay, n) for (title, why, pay), n in found.items()]


def ended_memberships(user: User, *, now: datetime) -> list[EndedMembership]:
    """The projects that the person has left in the last seven days, or was put out of, the latest first."""
    return [
        EndedMembership(row.project.title, at, bool(projects.project_config(row.project).pay))
        for row in membership.left_since(user, now - TOLD)
        if (at := row.ended_at)
    ]


def decided_work(user: User, *, now: datetime) -> list[DecidedWork]:
    """What experts have decided in the last seven days about the person's work, where a project tells it."""
    found: dict[str, list[datetime]] = {}
    for title, at in decided_since(user, now - TOLD):
        found.setdefault(title, []).append(at)
    return [DecidedWork(title, len(times), times[0]) for title, times in found.items()]
