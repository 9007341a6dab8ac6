"""What a person in the room of a meeting can do with an exhibit, each by a small form; and which they can join."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict

from annotation.errors import NotFound
from annotation.models import Exhibit, JudgingRound, Proposal, RoundState, User
from tasks.judging.meeting import agenda, agreeing, voters


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


Act = Callable[[Exhibit, QueryDict, User, datetime], object]


def act(name: str, exhibit: Exhibit, fields: QueryDict, *, by: User, now: datetime) -> None:
    """Do it; Refused if it can't be done, NotFound for what there is not."""
    if name not in ACTS:
        raise NotFound
    ACTS[name](exhibit, fields, by, now)


def _argue(exhibit: Exhibit, fields: QueryDict, by: User, now: datetime) -> object:
    try:
        key = uuids.UUID(fields.get("key", ""))
    except ValueError as error:
        raise NotFound from error
    return agreeing.argue(exhibit, text=fields.get("text", ""), key=key, by=by, now=now)


def _mark(exhibit: Exhibit, fields: QueryDict, by: User, now: datetime) -> object:
    return agreeing.mark_anew(exhibit, mark=fields.get("mark", ""), by=by, now=now)


def _propose(exhibit: Exhibit, fields: QueryDict, by: User, now: datetime) -> object:
    reason = fields.get("reason", "").strip()[: Proposal.LONGEST]
    return agreeing.propose(exhibit, mark=fields.get("mark", ""), reason=reason, by=by, now=now)


def _number(fields: QueryDict) -> int:
    number = fields.get("number", "")
    if not number.isdecimal() or len(number) > 9:
        raise NotFound
    return int(number)


def _confirm(exhibit: Exhibit, fields: QueryDict, by: User, now: datetime) -> object:
    return agreeing.confirm(exhibit, number=_number(fields), by=by, now=now)


def _withdraw(exhibit: Exhibit, fields: QueryDict, by: User, now: datetime) -> object:
    return agreeing.withdraw(exhibit, number=_number(fields), by=by, now=now)


ACTS: Mapping[str, Act] = {
    "argue": _argue,
    "mark": _mark,
    "propose": _propose,
    "confirm": _confirm,
    "withdraw": _withdraw,
    "take-up": lambda exhibit, _fields, by, now: agenda.take_up(exhibit, by=by, now=now),
    "park": lambda exhibit, _fields, by, now: agenda.park(exhibit, by=by, now=now),
    "pull-in": lambda exhibit, _fields, by, now: agenda.pull_in(exhibit, by=by, now=now),
    "reveal": lambda exhibit, _fields, by, now: agenda.reveal(exhibit, by=by, now=now),
}
ROOM_FOLLOWS = frozenset({"take-up", "park"})
"""After these the page is where the room is."""
