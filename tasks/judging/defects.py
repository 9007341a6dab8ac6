"""A lead flags an exhibit that can't be judged, before anybody has marked it; a spare of the seal takes its place."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from annotation import events, registry
from annotation.documents.words import says_something
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.judging import draw, given_marks, rounds
from annotation.models import Defect, Exhibit, ExhibitUse, JudgingRound, Response, RoundState, User
from tasks.engine import transitions
from tasks.engine.transactions import service
from tasks.judging import ending, raters, working
from tasks.models import Assignment, Lease, Task
from tasks.models.states import AssignmentState

REASON = "defect"
"""Why an assignment is revoked, in its event."""


def why_not_flag(exhibit: Exhibit) -> str:
    """Why it can't be flagged any more, or ""."""
    if exhibit.round.state != RoundState.SEALED:
        return str(_("Nobody judges in this round now."))
    if not draw.judged(exhibit.round).filter(pk=exhibit.pk).exists():
        return str(_("It is not judged."))
    if Response.objects.filter(annotation__exhibit=exhibit.same_as or exhibit).exists():
        return str(_("Somebody has marked it: it stays, and its mark counts."))
    return ""


@service
def flag(exhibit: Exhibit, *, why: str, by: User, now: datetime) -> Defect:
    """Flag it, with what looks the same, and give a spare for each to all who have begun; without any the round has
    fewer exhibits.

    Flagged already is no error. WrongMove without a reason, and once somebody has marked it.
    """
    row = JudgingRound.objects.select_for_update(of=("self",)).select_related("project").get(pk=exhibit.round_id)
    exhibit.round = row
    if known := Defect.objects.filter(exhibit=exhibit).first():
        return known
    if not says_something(why):
        raise WrongMove(_("Say what is wrong with it."))
    shown = exhibit.same_as or exhibit
    held = _held(shown)  # a mark that is being sent is waited for
    if refused := why_not_flag(exhibit):
        raise WrongMove(refused)
    for each in draw.judged(row).filter(Q(pk=shown.pk) | Q(same_as=shown)).order_by("place"):
        _replace(row, each, why.strip()[: Defect.LONGEST], held, by=by, now=now)
    for assignment in held:
        transitions.assignment(assignment, AssignmentState.REVOKED, by=by, now=now, reason=REASON)
    ending.go_on_if_all_locked(row, by=by, now=now)
    return Defect.objects.get(exhibit=exhibit)


def _replace(row: JudgingRound, exhibit: Exhibit, why: str, held: list[Assignment], *, by: User, now: datetime) -> None:
    spare = _next_spare(row, exhibit)
    Defect.objects.create(exhibit=exhibit, replaced_by=spare, by=by, at=now, why=why)
    if spare is not None:
        _hand_out(row, spare, {each.annotator_id for each in held}, now=now)
    replaced_by = spare.place if spare else None
    events.record("judging.defect", row, by=by, now=now, place=exhibit.place, why=why, replaced_by=replaced_by)


def _held(exhibit: Exhibit) -> list[Assignment]:
    """The work on it that has no mark yet, with its task locked."""
    tasks = Task.objects.filter(queue=working.queue_of(exhibit.round), exhibit=exhibit)
    transitions.lock(list(tasks.values_list("pk", flat=True)))
    rows = Assignment.objects.filter(task__in=tasks, state=AssignmentState.LEASED)
    return list(rows.select_related("task", "annotation", "lease"))


def _next_spare(row: JudgingRound, defect: Exhibit) -> Exhibit | None:
    """The first of the sealed order that has replaced nothing and is no defect itself; where so many of each type were
    drawn, of the same type as the defect."""
    spares = Exhibit.objects.filter(round=row, use=ExhibitUse.SPARE, replaces=None, defect=None)
    spares = spares.select_related("item").order_by("place")
    if not rounds.rules_of(row).strata:
        return spares.first()
    type_of = registry.get(row.project.protocol).type_of
    wanted = type_of(defect.item.payload)
    return next((each for each in spares if type_of(each.item.payload) == wanted), None)


def _hand_out(row: JudgingRound, spare: Exhibit, had: set[int], *, now: datetime) -> None:
    """Give it to whoever has begun and not locked: where raters judge a part each, to those who had the defect."""
    every = rounds.rules_of(row).judged_by is None
    for rater in given_marks.remaining_raters(row).filter(locked_at=None).select_related("person"):
        lease: Lease | None = working.lease_of(row, rater.person)
        if lease is None or not (every or rater.person_id in had):
            continue
        if spare.pk not in raters.left_out(row, rater.person):
            working.give(lease, [(spare, 1)], rater=rater, now=now)
