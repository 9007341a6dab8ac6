"""Waiting in a lobby: how many people are there, how long they wait, and going on alone after waiting in vain."""

from __future__ import annotations

from datetime import datetime, timedelta
from statistics import median, quantiles
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q

from annotation import projects
from annotation.models import Annotation, Project, Purpose, User, items_in_work
from annotation.protocol import Activity
from annotation.statistics.intervals import Share, wilson
from tasks.engine import claiming
from tasks.engine.eligibility import refusal_for, why_not_claim
from tasks.engine.no_work import NoWork
from tasks.models import Assignment, Ticket
from tasks.models.states import IN_LOBBY, AssignmentState, TicketState
from tasks.pairs import lobby, matching
from tasks.pairs.lobby import ABSENT

WEEK = timedelta(days=7)
LATEST = 50
"""The typical wait is that of so many people who were seated last."""


def people_here(project: Project, activity: str, *, now: datetime) -> int:
    """How many people are in the lobby now, those in a ready check included."""
    rows = Ticket.objects.filter(project=project, activity=activity, state__in=IN_LOBBY)
    return rows.filter(seen_at__gt=now - ABSENT).count()


def people_before(ticket: Ticket, *, now: datetime) -> int:
    """How many people are before this one in line."""
    rows = Ticket.objects.filter(project=ticket.project_id, activity=ticket.activity, state__in=IN_LOBBY)
    return rows.filter(seen_at__gt=now - ABSENT, in_line_since__lt=ticket.in_line_since).count()


def people_at_work(project: Project, activity: str) -> int:
    """How many people hold work of the activity now, and may come back when it is done."""
    held = Assignment.objects.filter(task__queue__project=project, task__activity=activity)
    return held.filter(state=AssignmentState.LEASED).values("annotator").distinct().count()


class Waits(NamedTuple):
    """Half of the people who were seated waited no longer than `median`, nine in ten no longer than `p90`; seconds."""

    median: float
    p90: float


def waits_of(project: Project, activity: str) -> Waits | None:
    """The waits of everybody who was ever seated from this lobby; None if nobody was."""
    seated = Ticket.objects.filter(project=project, activity=activity, state=TicketState.SEATED)
    rows = seated.values_list("entered_at", "ended_at")
    seconds = [(end - begin).total_seconds() for begin, end in rows if end is not None]
    if not seconds:
        return None
    p90 = quantiles(seconds, n=10, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
    return Waits(median(seconds), p90)


def typical_wait(project: Project, activity: str, *, now: datetime) -> timedelta | None:
    """The median wait of those who were seated last, within a week; None if nobody was."""
    seated = Ticket.objects.filter(project=project, activity=activity, state=TicketState.SEATED)
    lately = seated.filter(ended_at__gt=now - WEEK).order_by("-ended_at")
    waits = [ticket.waited(now).total_seconds() for ticket in lately[:LATEST]]
    return timedelta(seconds=median(waits)) if waits else None


AFTER = timedelta(seconds=60)
"""How long a person waits before that is offered (protocols: 60 s). Whose partner was lost has waited already."""
ENOUGH_TO_COUNT = 20
"""From so many annotations on, the share of those made alone is limited: among fewer it says little."""


class MadeAlone(NamedTuple):
    """How many annotations one person has made or is making alone, of how many."""

    alone: int
    all: int

    @property
    def share(self) -> Share | None:
        """The share of those made alone, with its interval; None if there are none."""
        return wilson(self.alone, self.all) if self.all else None


def made_alone(project: Project, activity: Activity) -> MadeAlone:
    """The finished annotations of an activity and of its variant for one person, and those that are being made alone.

    Imported and excluded ones don't count.
    """
    rows = Annotation.objects.filter(
        items_in_work("item__"),
        item__project=project,
        activity__in=(activity.key, activity.alone),
        purpose=Purpose.WORK,
        excluded_at=None,
    )
    held = Assignment.objects.filter(annotation=OuterRef("pk"), state=AssignmentState.LEASED)
    under_way = Q(Exists(held), activity=activity.alone)
    found = rows.filter(Q(completed_at__isnull=False) | under_way).aggregate(
        alone=Count("pk", filter=Q(activity=activity.alone)), all=Count("pk")
    )
    return MadeAlone(found["alone"], found["all"])


def why_not_alone(ticket: Ticket, *, now: datetime) -> str | None:
    """Why this person may not go on alone now, or None.

    `not_offered`, `not_in_line`, `not_yet`, `enough` (the share made alone is at its limit), or a claim's reason. That
    there is something to do alone is only known from a claim.
    """
    activity = lobby.lobby_activity(ticket.project, ticket.activity)
    if ticket.state != TicketState.WAITING:
        return "not_in_line"
    if activity.alone and now - min(ticket.entered_at, ticket.in_line_since) < AFTER:
        return "not_yet"
    return why_not_offered(ticket.project, activity, ticket.annotator)


def why_not_offered(project: Project, activity: Activity, person: User) -> str | None:
    """Why this person will not be offered to go on alone, however long they wait, or None.

    `not_offered`, `enough`, or a claim's reason, as in `why_not_alone`.
    """
    if not activity.alone or not matching.open_queues(project, activity.alone):
        return "not_offered"
    made, at_most = made_alone(project, activity), projects.activity_config(project, activity.key).alone_at_most
    if made.all >= ENOUGH_TO_COUNT and made.alone >= at_most * made.all:
        return "enough"
    return why_not_claim(person, project, activity.alone)


def go_alone(ticket: Ticket, *, by: User, now: datetime) -> Assignment | NoWork:
    """Leave the line and claim the activity for one person; NotEligible with the reason of `why_not_alone`.

    If there is nothing to claim, the person stays in line. The claim comes first: a partner who was found in the same
    moment is back in line at once.
    """
    refused = why_not_alone(ticket, now=now)
    if refused:
        raise refusal_for(refused)
    activity = lobby.lobby_activity(ticket.project, ticket.activity).alone
    claimed = claiming.claim(ticket.project, activity, by=by, now=now)
    if isinstance(claimed, Assignment):
        lobby.leave(ticket, by=by, now=now, reason="alone")
    return claimed
