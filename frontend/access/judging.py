"""Judging rounds: whose rater somebody is, which rounds they lead, and who may be in the room of a meeting."""

from __future__ import annotations

import uuid as uuids

from annotation.judging import draw
from annotation.membership import roles_of
from annotation.models import Exhibit, JudgingRound, Rater, Role, RoundState, User
from frontend.access.projects import led_project, or_not_found
from tasks.models import MeetingSeat


def own_round(user: User, uuid: uuids.UUID) -> tuple[JudgingRound, Rater]:
    """A sealed round in which the person is a rater, as long as they have a role in its project."""
    rows = Rater.objects.select_related("round__project").filter(person=user, round__uuid=uuid)
    rater = or_not_found(rows.exclude(round__state=RoundState.DRAFT).first())
    or_not_found(roles_of(user, rater.round.project) or None)
    return rater.round, rater


def led_results(user: User, slug: str, uuid: uuids.UUID) -> JudgingRound:
    """A round that the person leads and doesn't judge in any more: before their own marks are locked, the results of
    others stay hidden from them."""
    found = led_round(user, slug, uuid)
    return or_not_found(None if still_judges(user, found) else found)


def still_judges(user: User, row: JudgingRound) -> bool:
    """Whether the person is a rater of the round who hasn't locked yet."""
    return Rater.objects.filter(round=row, person=user, locked_at=None, removal=None).exists()


def led_round(user: User, slug: str, uuid: uuids.UUID) -> JudgingRound:
    """A round of a project that the person leads."""
    project = led_project(user, slug)
    return or_not_found(JudgingRound.objects.select_related("project").filter(project=project, uuid=uuid).first())


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
