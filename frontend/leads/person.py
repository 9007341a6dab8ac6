"""One person in a project as its leads see them: what they did, their roles, and what was written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import events, randomness
from annotation.models import Annotation, Event, Flag, Membership, Message, Project, Role, User, items_in_work
from annotation.worktime import totals
from frontend.leads.event_lines import EventLine, event_lines
from frontend.leads.items.filters import Filter
from frontend.leads.items.history import REASONS
from frontend.leads.items.overview import prompt_of
from tasks.measuring.agreement import measured_activities
from tasks.models import NO_DATA, Assignment
from tasks.models.states import AssignmentState
from tasks.people import messages

SKIPS = 500
"""How many of the person's latest skips are counted by their reasons."""
STATES = (AssignmentState.SUBMITTED, AssignmentState.LEASED, AssignmentState.SKIPPED)
HISTORY: dict[str, Any] = {
    "member.added": gettext_lazy("Became a member"),
    "member.finishing": gettext_lazy("To finish only what they hold"),
    "member.ended": gettext_lazy("Membership ended"),
    "member.given_back": gettext_lazy("Membership restored"),
    "member.role_changed": gettext_lazy("Role changed"),
    "member.sees_answers": gettext_lazy("Began to see everybody’s answers"),
}


@dataclass(frozen=True)
class PersonRole:
    """A role of the person: it `ends` once they have finished what they hold, or `ended` at some time."""

    role: str
    title: str
    since: datetime
    ends: bool
    ended: datetime | None
    others: list[tuple[str, str]]


def roles(project: Project, person: User) -> list[PersonRole]:
    """Their roles, the live ones first, each with those that they can be given instead; of ended ones the last."""
    rows = Membership.objects.filter(project=project, user=person).order_by("pk")
    latest = {row.role: row for row in rows}
    live = {role for role, row in latest.items() if row.ended_at is None}
    found = [
        PersonRole(
            role=row.role,
            title=row.get_role_display(),
            since=row.since,
            ends=row.no_new_work_since is not None and row.ended_at is None,
            ended=row.ended_at,
            others=_others(row, live),
        )
        for row in latest.values()
    ]
    return sorted(found, key=lambda held: held.ended is not None)


def _others(row: Membership, live: set[str]) -> list[tuple[str, str]]:
    if row.ended_at is not None:
        return []
    barred = {Role.ANNOTATOR} if row.role == Role.LEAD else set()
    return [(role.value, str(role.label)) for role in Role if role not in live and role not in barred]


def figures(project: Project, person: User) -> dict[str, Any]:
    """What they did in the project, in numbers, each with the list of its items."""
    held = _held(project, person).aggregate(
        last=Max("claimed_at"), **{state.value: Count("pk", filter=Q(state=state)) for state in STATES}
    )
    mine = Annotation.objects.filter(items_in_work("item__"), item__project=project).filter(
        Q(author=person) | Q(author=None, assignments__annotator=person)
    )
    address, code = reverse("items", args=[project.slug]), person.worker_code
    found = {
        "finished": held[AssignmentState.SUBMITTED],
        "at_work": held[AssignmentState.LEASED],
        "skipped": held[AssignmentState.SKIPPED],
        "excluded": mine.filter(excluded_at__isnull=False).distinct().count(),
        "reported": Flag.objects.filter(items_in_work("item__"), item__project=project, author=person).count(),
        "seconds": totals.counted(project, person),
        "last": held["last"],
        "skips": _skips(project, person) if held[AssignmentState.SKIPPED] else [],
        "items_url": f"{address}?{Filter(person=code).address()}",
        "agreement_url": _agreement_url(project, code),
    }
    of = Filter(person=code)
    found["skipped_url"] = f"{address}?{replace(of, skipped=True).address()}"
    found["excluded_url"] = f"{address}?{replace(of, excluded=True).address()}"
    found["reported_url"] = f"{address}?{replace(of, reported=True).address()}"
    return found


def _held(project: Project, person: User) -> QuerySet[Assignment]:
    """What they were given here as annotators, without what experts write to decide a dispute and what is set aside."""
    given = Assignment.objects.filter(items_in_work("task__item__"), annotator=person, task__queue__project=project)
    return given.exclude(task__queue__activity__in=NO_DATA)


def _skips(project: Project, person: User) -> list[tuple[str, int]]:
    """The reasons of their latest skips, the most frequent first."""
    skipped = _held(project, person).filter(state=AssignmentState.SKIPPED).order_by("-pk")[:SKIPS]
    subjects = [events.name(row) for row in skipped]
    rows = Event.objects.filter(subject__in=subjects, kind=f"assignment.{AssignmentState.SKIPPED}")
    counted = Counter(row.data.get("reason", "") for row in rows)
    return [(str(REASONS.get(reason, reason) or _("no reason")), n) for reason, n in counted.most_common()]


def _agreement_url(project: Project, code: str) -> str:
    if not measured_activities(project):
        return ""
    return f"{reverse('agreement', args=[project.slug])}?person={code}"


def thread(project: Project, person: User) -> dict[str, Any]:
    """What was written between them and the leads, and the captions of the items that it is about.

    `unread`: the number up to which no lead has read it, or 0.
    """
    rows, kept = messages.messages_with(project, person), messages.thread_of(project, person)
    theirs = [row.number for row in rows if not row.from_lead]
    unread = kept is not None and bool(theirs) and theirs[-1] > kept.seen_by_leads
    return {
        "said": [(row, prompt_of(row.item) if row.item is not None else "") for row in rows],
        "unread": theirs[-1] if unread else 0,
        "read_up_to": kept.seen_by_person if kept is not None else 0,
        "key": randomness.handle(),
        "longest": Message.LONGEST,
    }


def history(project: Project, person: User) -> list[EventLine]:
    """What was decided about their membership, newest first."""
    rows = Membership.objects.filter(project=project, user=person)
    names = [events.name(row) for row in rows]
    return event_lines(
        Event.objects.filter(subject__in=names, kind__in=HISTORY).order_by("-pk"),
        what=lambda row: str(HISTORY[row.kind]),
        role=lambda row: str(dict(Role.choices).get(row.data.get("role", ""), "")),
    )
