"""Who judges in a round: named experts and leads, and what each of them is left out of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation import events, membership
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.models import Adjudication, Exhibit, JudgingRound, Project, Rater, Response, Role, RoundState, User

MADE, DECIDED = "made", "decided"
REASONS: Mapping[str, Any] = {MADE: _("made the answer"), DECIDED: _("decided about it")}
"""Why somebody does not judge an exhibit."""


def candidates(project: Project) -> QuerySet[User]:
    """Whom a lead can name: the project's leads and experts."""
    named = {"memberships__role__in": (Role.EXPERT, Role.LEAD), "memberships__ended_at": None}
    rows = User.objects.filter(memberships__project=project, is_active=True, **named)
    return rows.distinct().order_by("username")


@transaction.atomic
def name(row: JudgingRound, person: User, *, by: User, now: datetime) -> Rater:
    """Name a rater; the same one if they are named already.

    WrongMove once somebody has begun: all judge the same. NotFound for somebody who is neither expert nor lead.
    """
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if row.state not in (RoundState.DRAFT, RoundState.SEALED):
        raise WrongMove(_("This round is over."))
    if not membership.roles_of(person, row.project) & {Role.EXPERT, Role.LEAD}:
        raise NotFound
    rater, new = Rater.objects.get_or_create(
        round=row, person=person, defaults={"number": 1 + row.raters.count(), "named_at": now}
    )
    if new:
        events.record("judging.rater_named", row, by=by, now=now, person=person.pk)
    return rater


@transaction.atomic
def name_again(row: JudgingRound, people: Iterable[User], *, by: User, now: datetime) -> None:
    """Make these the raters of a draft, in place of those that were named before; WrongMove for what is sealed."""
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if row.state != RoundState.DRAFT:
        raise WrongMove(_("This round is sealed: nothing of it changes any more."))
    wanted = list(people)
    if {person.pk for person in wanted} != set(row.raters.values_list("person", flat=True)):
        row.raters.all().delete()
        for person in wanted:
            name(row, person, by=by, now=now)


def left_out(row: JudgingRound, person: User) -> dict[int, str]:
    """The exhibits that the person does not judge, by key, with the reason."""
    exhibits = Exhibit.objects.filter(round=row)
    items = exhibits.values("item")
    activities = exhibits.values("annotation__activity")
    decided = Adjudication.objects.filter(by=person, item__in=items, activity__in=activities, taken_back_at=None)
    wrote = Response.objects.filter(author=person, annotation__in=exhibits.values("annotation"))
    found = dict.fromkeys(exhibits.filter(item__in=decided.values("item")).values_list("pk", flat=True), DECIDED)
    found |= dict.fromkeys(
        exhibits.filter(annotation__in=wrote.values("annotation")).values_list("pk", flat=True), MADE
    )
    return found
