"""Flag what a partner has said, for a lead to decide; if it is serious, the work ends at once for everybody."""

from __future__ import annotations

from datetime import datetime

from annotation import membership
from annotation.engine import loading, recording
from annotation.engine.work import Work
from annotation.errors import NotFound, PayloadInvalid, Problem
from annotation.i18n import _
from annotation.models import Case, CaseKind, CaseState, Response, User
from annotation.values.records import Step
from tasks.engine import assignments, leases, transitions
from tasks.engine.transactions import service
from tasks.items import reports
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tasks.pairs import presence


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
