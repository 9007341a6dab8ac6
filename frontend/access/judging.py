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


def led_round(user: User, slug: str, uuid: uuids.UUID) -> JudgingRound:
    """A round of a project that the person leads."""
    project = led_project(user, slug)
    return or_not_found(JudgingRound.objects.select_related("project").filter(project=project, uuid=uuid).first())
