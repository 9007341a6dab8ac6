"""Who takes part in a meeting: voters are the raters who locked and were not removed; one person is in the chair."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from annotation import events, membership
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.models import Exhibit, JudgingRound, Rater, Response, Role, RoundState, User
from tasks.engine import pokes
from tasks.engine.transactions import service

FEWEST = 2
"""Voters of an exhibit; nobody agrees with themselves."""


def voters_of(row: JudgingRound) -> QuerySet[Rater]:
    """The voters of a meeting."""
    rows = Rater.objects.filter(round=row, locked_at__isnull=False, removal=None)
    return rows.select_related("person").order_by("number")


def voters_on(exhibit: Exhibit) -> list[Rater]:
    """The voters who have judged the exhibit: who was left out of it then has no vote on it now."""
    judged = Response.objects.filter(annotation__exhibit=exhibit).values("author")
    return list(voters_of(exhibit.round).filter(person__in=judged))


def leads(row: JudgingRound, person: User) -> bool:
    """Whether the person leads the project of a round."""
    return Role.LEAD in membership.roles_of(person, row.project)


def at_meeting(row: JudgingRound) -> JudgingRound:
    """The round, locked: what happens in its meeting happens one after the other. WrongMove unless it is at it."""
    found = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if found.state != RoundState.MEETING:
        raise WrongMove(_("The meeting is over. Nothing of the round changes any more."))
    return found


def voter(exhibit: Exhibit, person: User) -> Rater:
    """The person as a voter on the exhibit, or NotFound."""
    for rater in voters_on(exhibit):
        if rater.person_id == person.pk:
            return rater
    raise NotFound


def chair_only(row: JudgingRound, person: User) -> None:
    """NotFound for everybody but who is in the chair."""
    if row.chair_id != person.pk:
        raise NotFound


def may_chair(row: JudgingRound) -> list[User]:
    """Whom a lead can ask to lead the meeting: the voters (the raters, before it) and the project's leads."""
    raters = voters_of(row) if row.state == RoundState.MEETING else row.raters.select_related("person")
    found = {rater.person_id: rater.person for rater in raters.order_by("number")}
    led = User.objects.filter(memberships__project=row.project, memberships__role=Role.LEAD, is_active=True)
    for person in led.filter(memberships__ended_at=None).distinct().order_by("username"):
        found.setdefault(person.pk, person)
    return list(found.values())


@service
def choose_chair(row: JudgingRound, person: User, *, by: User, now: datetime) -> None:
    """Have this person lead the meeting; again the same one is no error. NotFound for whom a lead can't ask."""
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if row.state in (RoundState.CLOSED, RoundState.STOPPED):
        raise WrongMove(_("This round is over."))
    if person.pk not in {each.pk for each in may_chair(row)}:
        raise NotFound
    if row.chair_id != person.pk:
        JudgingRound.objects.filter(pk=row.pk).update(chair=person)
        events.record("judging.chair", row, by=by, now=now, person=person.pk)
        pokes.room(row.pk, by=by)
