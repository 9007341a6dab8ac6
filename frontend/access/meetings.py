"""The meeting of a judging round: who may be in its room. Before it opens, nobody finds it."""

from __future__ import annotations

import uuid as uuids

from annotation.judging import draw
from annotation.membership import roles_of
from annotation.models import Exhibit, JudgingRound, Rater, Role, RoundState, User
from frontend.access.rows import or_not_found
from tasks.models import MeetingSeat


def met_round(user: User, uuid: uuids.UUID) -> JudgingRound:
    """A round at its meeting, or after it, for its raters who locked, its chair and the leads of its project."""
    row = or_not_found(JudgingRound.objects.select_related("project", "chair").filter(uuid=uuid).first())
    or_not_found(row if has_met(row) and takes_part(user, row) else None)
    return row


def has_met(row: JudgingRound) -> bool:
    """Whether there is a meeting, or has been one."""
    over = row.state in (RoundState.CLOSED, RoundState.STOPPED)
    return row.state == RoundState.MEETING or (over and MeetingSeat.objects.filter(round=row).exists())


def takes_part(user: User, row: JudgingRound) -> bool:
    """Whether the person may be in the room, as long as they have a role in the project."""
    roles = roles_of(user, row.project)
    if Role.LEAD in roles:
        return True
    rated = Rater.objects.filter(round=row, person=user, locked_at__isnull=False)
    return bool(roles) and (row.chair_id == user.pk or rated.exists())


def met_exhibit(user: User, uuid: uuids.UUID, place: int) -> Exhibit:
    """An exhibit of such a round."""
    row = met_round(user, uuid)
    found = or_not_found(draw.to_judge(row).select_related("item__root", "item__project").filter(place=place).first())
    found.round = row
    return found
