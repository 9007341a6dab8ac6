"""Judging rounds: whose rater somebody is, and which rounds they lead."""

from __future__ import annotations

import uuid as uuids

from annotation.membership import roles_of
from annotation.models import JudgingRound, Rater, RoundState, User
from frontend.access.projects import led_project
from frontend.access.rows import or_not_found


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
