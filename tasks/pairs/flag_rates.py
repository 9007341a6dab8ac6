"""Flags in shared work: raise one, and how often people's turns are flagged with good reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from math import prod
from operator import or_

from django.db.models import Count, Q, QuerySet

from annotation import membership, registry
from annotation.engine import loading, recording
from annotation.engine.work import Work
from annotation.errors import NotFound, PayloadInvalid, Problem
from annotation.i18n import _
from annotation.models import Case, CaseKind, CaseState, Project, Purpose, Response, User
from annotation.statistics import flag_rate
from annotation.statistics.flag_rate import Rate
from annotation.values.records import Step
from tasks.engine import assignments, leases, transitions
from tasks.engine.transactions import service
from tasks.items import reports
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tasks.pairs import presence


@dataclass(frozen=True)
class PersonFlagRate:
    """Of one person in a project: turns that could be flagged, how many were, and the posterior of valid flags."""

    turns: int
    flagged: int
    rate: Rate


def of_people(project: Project, people: Collection[int]) -> dict[int, PersonFlagRate]:
    """The figures of these people (keys) who have turns that could be flagged. A turn is what one of them has said."""
    turns = _turns(project)
    theirs = dict(turns.filter(author__in=people).values_list("author").annotate(n=Count("pk")))
    if not theirs:
        return {}
    chances = _chances(project)
    expected = sum(sum(found.values()) for found in chances.values())
    typical = flag_rate.typical(expected, turns.count())
    return {
        person: PersonFlagRate(n, len(found), flag_rate.rate([*found.values()], turns=n, typical=typical))
        for person, n in theirs.items()
        for found in (chances[person],)
    }


def _turns(project: Project) -> QuerySet[Response]:
    """What people have said at stages where a partner can flag it; what was taken back and said anew counts once."""
    shared = [activity for activity in registry.get(project.protocol).activities if len(activity.seats) > 1]
    flaggable = [
        Q(annotation__activity=activity.key, stage=stage.key)
        for activity in shared
        for stage in activity.stages
        if stage.flags
    ]
    if not flaggable:
        return Response.objects.none()
    rows = Response.objects.filter(annotation__item__project=project, annotation__purpose=Purpose.WORK, revision=1)
    return rows.filter(reduce(or_, flaggable)).order_by()


def _chances(project: Project) -> defaultdict[int, dict[int, float]]:
    """By author and flagged response, the probability that it was flagged with good reason."""
    flags = Case.objects.filter(kind=CaseKind.FLAG, annotation__item__project=project)
    rows = list(flags.values_list("response", "response__author", "author", "state"))
    decided = Counter((by, state) for _response, _author, by, state in rows)
    totals = Counter(state for *_who, state in rows)

    def chance(by: int, state: str) -> float:
        if state != CaseState.OPEN:
            return float(state == CaseState.UPHELD)
        return flag_rate.reliability(
            decided[by, CaseState.UPHELD],
            decided[by, CaseState.DISMISSED],
            all_upheld=totals[CaseState.UPHELD],
            all_dismissed=totals[CaseState.DISMISSED],
        )

    wrong: dict[tuple[int, int], list[float]] = defaultdict(list)
    for response, author, by, state in rows:
        wrong[author, response].append(1 - chance(by, state))
    found: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for (author, response), each in wrong.items():
        found[author][response] = 1 - prod(each)
    return found


@service
def flag(assignment: Assignment, step: str, *, by: User, reason: str, text: str, ends: bool, now: datetime) -> Case:
    """Flag a partner's answer at a step (given by its address); the partner is not told. Idempotent.

    `ends`: all seats are returned, and nobody else gets the item until a lead has decided. Raises AlreadyClosed,
    NotFound if no partner has answered that step, and PayloadInvalid for a reason that its stage does not name.
    """
    item = assignment.task.item
    membership.lock_person(by, item.project)  # the lock order everywhere: people before tasks
    transitions.lock(sorted(item.tasks.values_list("pk", flat=True)))
    assignments.lock(assignment)
    if assignment.state != AssignmentState.LEASED:
        raise assignments.why_closed(assignment)
    response = _said_by_partner(assignments.work_of(assignment), step, by=by)
    if reason not in dict(assignments.activity_of(assignment).stage(response.stage).flags):
        raise PayloadInvalid((Problem("reason", "required", _("Say what is wrong.")),))
    case = recording.flag(response, author=by, reason=reason, text=text, ends=ends, now=now)
    if ends:
        for held in leases.leased_seats(assignment):
            transitions.assignment(held, AssignmentState.RETURNED, by=by, now=now, reason=presence.STOPPED)
            leases.close_and_settle(held.lease, now=now)
        reports.freeze(item, now=now)
    return case


def _said_by_partner(work: Work, step: str, *, by: User) -> Response:
    """The answer that counts at that step, given by somebody else, and shown to everybody since."""
    at = Step.at(step)
    rows = loading.effective_responses(work.activity, work.responses)
    for row in rows:
        if (row.stage, row.turn) == (at.stage, at.turn) and row.author_id != by.pk:
            return row
    raise NotFound


def kept_apart(people: list[int]) -> set[tuple[int, int]]:
    """Pairs of these people (keys, the smaller first) of whom one has ended their work, unless a lead dismissed it."""
    cases = Case.objects.filter(kind=CaseKind.FLAG, ends=True, author__in=people, response__author__in=people).exclude(
        state=CaseState.DISMISSED
    )
    rows = cases.values_list("author", "response__author")
    return {(min(pair), max(pair)) for pair in rows}
