"""What a person in the room of a meeting can do with an exhibit, each by a small form."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Callable, Mapping
from datetime import datetime

from django.http import QueryDict

from annotation.errors import NotFound
from annotation.models import Exhibit, Proposal, User
from tasks.judging.meeting import agenda, agreeing, talking

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
    return talking.argue(exhibit, text=fields.get("text", ""), key=key, by=by, now=now)


def _mark(exhibit: Exhibit, fields: QueryDict, by: User, now: datetime) -> object:
    return talking.mark_anew(exhibit, mark=fields.get("mark", ""), by=by, now=now)


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
