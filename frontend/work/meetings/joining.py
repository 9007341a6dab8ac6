"""The meetings that a person can join, for their home page."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import JudgingRound, RoundState, User
from tasks.judging.meeting import agenda, voters


@dataclass(frozen=True)
class MeetingToJoin:
    """A meeting on the home page of somebody who takes part; `left`: how many have no consensus yet."""

    title: str
    project: str
    uuid: str
    left: int


def meetings_of(user: User) -> list[MeetingToJoin]:
    """The meetings in which the person votes or is in the chair, oldest first."""
    rows = JudgingRound.objects.filter(state=RoundState.MEETING, project__archived_at=None)
    here = rows.filter(project__memberships__user=user, project__memberships__ended_at=None).distinct()
    found = [row for row in here.select_related("project").order_by("pk") if _joins(row, user)]
    return [
        MeetingToJoin(row.title, row.project.title, str(row.uuid), len(agenda.open_items(agenda.agenda_of(row))))
        for row in found
    ]


def _joins(row: JudgingRound, user: User) -> bool:
    return row.chair_id == user.pk or voters.voters_of(row).filter(person=user).exists()
