"""Correct finished work: re-open it, void it, replace an answer by a second version, or note a change of mind."""

from __future__ import annotations

import uuid as uuids
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, QuerySet

from annotation import events, exclusion, membership, registry
from annotation.errors import AlreadyClosed, NotFound, ReasonMissing, WrongMove
from annotation.i18n import _
from annotation.membership import lock_person
from annotation.models import Adjudication, Annotation, Event, Item, Project, Purpose, Response, User
from annotation.work import Work
from tasks import assignments, late_work, leases, reports, settling, submitting, transitions
from tasks.eligibility import WORKERS
from tasks.models import Assignment, Lease, Task
from tasks.states import HOLDS_SLOT, AssignmentState, TaskState
from tasks.transactions import service

DAYS = 7
"""How long re-opened work waits for its author; once they have opened it, the ordinary lease time applies."""
REOPENED = "annotation.reopened"
"""The kind of the event that says who re-opened it, and why."""
NOT_REOPENED = "annotation.not_reopened"
"""The kind of the event by which that was taken back."""
CORRECTABLE = (TaskState.OPEN, TaskState.FULL, TaskState.DONE)
"""States of a task whose work can be re-opened or voided."""
REASON = "its author sent a second version"
"""The reason recorded when an author's own second version re-opens the work for one commit."""
DECIDED = _("An expert has decided a dispute about it; that decision has to be taken back first.")
"""Why work can't be re-opened or voided once it was compared and decided about."""
RECONSIDERED = "annotation.reconsidered"
"""The kind of the events; each holds `stage` and `text`."""


@service
def reopen(project: Project, uuid: uuids.UUID, *, by: User | None, reason: str, now: datetime) -> Assignment:
    """Lease finished work to its authors again; under the lease they already hold in that activity, if any.

    A leased assignment with a completed annotation is re-opened work: however its lease ends, it is submitted again.
    Raises NotFound, or WrongMove with a sentence on why it can't be re-opened.
    """
    found = Annotation.objects.select_related("item__project").filter(uuid=uuid, item__project=project)
    annotation = found.first()
    if annotation is None:
        raise NotFound(f"{project.slug} has no annotation {uuid}.")
    handed_in = _handed_in(annotation)
    people = sorted({row.annotator for row in handed_in}, key=lambda person: person.pk)
    roles = {person.pk: lock_person(person, project).roles for person in people}
    task = _locked_task(handed_in)
    refusals = [why_not_reopen(annotation, held, roles=roles[held.annotator_id]) for held in handed_in]
    refused = next(filter(None, refusals or [why_not_reopen(annotation, None, roles=frozenset())]), None)
    if refused or task is None:
        raise WrongMove(refused or "")
    if not reason.strip():
        raise ReasonMissing("Give a reason for reopening it.")
    for held in handed_in:
        held.lease = _lease(held, now=now)
        Assignment.objects.filter(pk=held.pk).update(lease=held.lease)
        transitions.assignment(held, AssignmentState.LEASED, by=by, now=now, reopened=True)
    if task.state == TaskState.DONE:
        transitions.task(task, TaskState.OPEN, by=by, now=now)
        transitions.set_open_or_full(task, by=by, now=now)
        reports.freeze_again(task, now=now)
    events.record(REOPENED, annotation, by=by, now=now, reason=" ".join(reason.split()))
    return handed_in[0]


@service
def take_back_reopening(project: Project, uuid: uuids.UUID, *, by: User, reason: str, now: datetime) -> None:
    """Undo `reopen`: the work is submitted as it was; WrongMove once its author has begun to change it."""
    annotation = Annotation.objects.filter(uuid=uuid, item__project=project).first()
    if annotation is None:
        raise NotFound(f"{project.slug} has no annotation {uuid}.")
    held = _in_state(annotation, AssignmentState.LEASED)
    for row in held:
        assignments.lock(row)
    if annotation.pk not in unchanged_since_reopening(annotation.item):
        raise WrongMove(_("Its author has begun to change it, or doesn’t have it any more."))
    events.record(NOT_REOPENED, annotation, by=by, now=now, reason=exclusion.checked_reason(reason))
    for row in held:
        transitions.assignment(row, AssignmentState.SUBMITTED, by=by, now=now)
        leases.close_and_settle(row.lease, now=now)
        settling.settle(transitions.lock_one(row.task), by=by, now=now)


def unchanged_since_reopening(item: Item) -> set[int]:
    """The keys of the item's annotations that are re-opened, and in which nothing has been saved since."""
    rows = item.annotations.filter(completed_at__isnull=False, assignments__state=AssignmentState.LEASED)
    found = list(rows.annotate(sent=Max("responses__created_at"), saved=Max("drafts__saved_at")))
    names = {events.name(row): row for row in found}
    reopened = {event.subject: event.at for event in _reopenings(names)}
    return {
        row.pk
        for name, row in names.items()
        if name in reopened and all(at is None or at < reopened[name] for at in (row.sent, row.saved))
    }


def _reopenings(names: Iterable[str]) -> QuerySet[Event]:
    return Event.objects.filter(subject__in=list(names), kind=REOPENED).order_by("pk")


def _handed_in(annotation: Annotation) -> list[Assignment]:
    """The submitted assignments of finished work, one for each of its authors."""
    return _in_state(annotation, AssignmentState.SUBMITTED)


def _in_state(annotation: Annotation, state: AssignmentState) -> list[Assignment]:
    rows = annotation.assignments.filter(state=state).order_by("slot")
    return list(rows.select_related("task__queue__project", "task__item__project", "lease__queue", "annotator"))


def _locked_task(handed_in: list[Assignment]) -> Task | None:
    """Lock their task and refresh their states; None if there are no assignments."""
    if not handed_in:
        return None
    task = transitions.lock_one(handed_in[0].task)
    for held in handed_in:
        held.refresh_from_db(fields=["state"])
        held.task = task
    return task


def why_not_reopen(
    annotation: Annotation, held: Assignment | None, *, roles: frozenset[str], decided: bool | None = None
) -> str | None:
    """Why this work can't be re-opened, or None; `held` is the assignment by which it was submitted.

    `decided`: whether an expert has decided about it; looked up if None.
    """
    if annotation.excluded_at is not None:
        return _("It is excluded; restore it first.")
    if annotation.purpose == Purpose.REFERENCE:
        return _("An expert has written it to decide a dispute.")
    if _is_decided(annotation) if decided is None else decided:
        return DECIDED
    if annotation.completed_at is None or held is None or held.state != AssignmentState.SUBMITTED:
        return _("Only work that a member of this project has finished can be reopened.")
    activity = registry.get(annotation.item.project.protocol).activity(annotation.activity)
    if all(stage.sealed for stage in activity.stages):
        return _("What is sent in this activity can’t be changed.")
    if annotation.made.exists():
        return _("Items were made from it, and other people may be working on them.")
    if held.task.state not in CORRECTABLE:
        return _("Its task is frozen, disputed or withdrawn.")
    if not roles & set(WORKERS):
        return _("Its author is no longer an annotator in this project.")
    return None


def _is_decided(annotation: Annotation) -> bool:
    return Adjudication.standing(annotation.item, annotation.activity, annotation.round) is not None


def last_reopening(assignment: Assignment) -> Event | None:
    """The latest event by which somebody else re-opened this work (`reason` is in its data), or None."""
    annotation = assignment.annotation
    if annotation.completed_at is None:
        return None
    last = _reopenings([events.name(annotation)]).last()
    return last if last is not None and last.by != assignment.annotator_id else None


def reopening_status(item: Item) -> dict[int, tuple[str | None, datetime | None]]:
    """Annotation key -> (why it can't be re-opened, or None; until when its author has it re-opened, or None).

    The number of queries does not grow with the annotations.
    """
    found = item.annotations.prefetch_related("made")
    decided = set(Adjudication.of_item(item).values_list("activity", "round"))
    rows = Assignment.objects.filter(annotation__item=item, state__in=HOLDS_SLOT).select_related("task", "lease")
    held: dict[int, list[Assignment]] = defaultdict(list)
    for row in rows.order_by("slot"):
        held[row.annotation_id].append(row)
    roles = membership.roles_in(item.project)
    told = {}
    for annotation in found:
        again = None
        settled = (annotation.activity, annotation.round) in decided
        why = None if held[annotation.pk] else why_not_reopen(annotation, None, roles=frozenset(), decided=settled)
        for mine in held[annotation.pk]:
            if annotation.completed_at and mine.state == AssignmentState.LEASED:
                again = mine.lease.expires_at
            of_author = roles.get(mine.annotator_id, frozenset())
            why = why or why_not_reopen(annotation, mine, roles=of_author, decided=settled)
        told[annotation.pk] = why, again
    return told


def _lease(held: Assignment, *, now: datetime) -> Lease:
    """The author's open lease in the activity, else a new one of DAYS."""
    before = held.lease
    mine = Lease.objects.filter(annotator=held.annotator, project=before.project_id, activity=before.activity)
    lease = mine.filter(closed_at__isnull=True).select_for_update().first()
    if lease is None:
        lease = leases.open_lease(annotator=held.annotator, queue=before.queue, now=now)
        lease.expires_at = now + timedelta(days=DAYS)
        lease.save(update_fields=["expires_at"])
    return lease


@service
def void(project: Project, uuid: uuids.UUID, *, by: User | None, reason: str, now: datetime) -> Assignment:
    """Exclude the annotation, with the reason, and free its slot; the work stays in the record.

    Raises NotFound, or WrongMove with a sentence on why the slot can't be freed.
    """
    annotation = Annotation.objects.filter(uuid=uuid, item__project=project).first()
    if annotation is None:
        raise NotFound(f"{project.slug} has no annotation {uuid}.")
    handed_in = _handed_in(annotation)
    task = _locked_task(handed_in)
    if task is None:
        raise WrongMove("Only work that a member of this project has finished can be voided.")
    refused = next(filter(None, (why_not_void(annotation, held) for held in handed_in)), None)
    if refused:
        raise WrongMove(refused)
    exclusion.exclude(project, uuids=[uuid], by=by, reason=reason, now=now)
    for held in handed_in:
        transitions.assignment(held, AssignmentState.REJECTED, by=by, now=now, reason=reason)
    if task.state == TaskState.DONE:
        transitions.task(task, TaskState.OPEN, by=by, now=now)
        reports.freeze_again(task, now=now)
    return handed_in[0]


@service
def reinstate(project: Project, uuid: uuids.UUID, *, by: User | None, reason: str, now: datetime) -> None:
    """Undo `void`: the annotation counts again, in its slot; WrongMove once somebody else has that, or it has none."""
    annotation = Annotation.objects.filter(uuid=uuid, item__project=project).first()
    rejected = [] if annotation is None else _in_state(annotation, AssignmentState.REJECTED)
    task = _locked_task(rejected)
    if annotation is None or task is None:
        raise NotFound(f"{project.slug} has no annotation {uuid} without its slot.")
    if task.state not in CORRECTABLE or not transitions.held_slots(task).isdisjoint(row.slot for row in rejected):
        raise WrongMove(_("Somebody else has its place now. Include it again, and both count."))
    exclusion.restore(project, uuids=[uuid], by=by, reason=reason, now=now)
    for row in rejected:
        transitions.assignment(row, AssignmentState.SUBMITTED, by=by, now=now, reinstated=True)
    settling.settle(task, by=by, now=now)


def why_not_void(annotation: Annotation, held: Assignment) -> str | None:
    """Why the slot of this work can't be freed, or None."""
    if annotation.purpose == Purpose.REFERENCE:
        return "An expert has written it to decide a dispute."
    if held.state != AssignmentState.SUBMITTED:
        return "Its author has it open again; wait until they have submitted it."
    if _is_decided(annotation):
        return str(DECIDED)
    if annotation.made.exists():
        return "Items were made from it, and other people may be working on them."
    if held.task.state not in CORRECTABLE:
        return "Its task is frozen, disputed or withdrawn."
    return None


def may_replace(assignment: Assignment, work: Work, step: str, *, now: datetime) -> bool:
    """Whether a second version of this step may replace the first: the work is submitted and could be re-opened.

    Only for one lease time after it was submitted: an older page is out of date. Not for sealed stages (only a lead
    re-opens those), nor for work that several people made together.
    """
    answered = work.answer_at(step)
    if assignment.state != AssignmentState.SUBMITTED or answered is None or len(work.activity.seats) > 1:
        return False
    if work.activity.stage(answered.stage).sealed:
        return False
    if assignments.in_open_block(assignment):
        return True
    held_for = timedelta(minutes=assignment.lease.queue.lease_minutes)
    roles = membership.roles_of(assignment.annotator, assignment.task.item.project)
    late = assignment.closed_at is None or now - assignment.closed_at > held_for
    return not late and why_not_reopen(work.annotation, assignment, roles=roles) is None


@service
def replace(
    assignment: Assignment, step: str, payload: dict[str, Any], *, by: User, key: uuids.UUID, seen: int, now: datetime
) -> submitting.Outcome:
    """Append the second version as a revision, which counts from now on; idempotent by `key`.

    `seen` is the optimistic lock of its page. If the second version does not complete the work (another box was
    chosen), the work stays open and goes on. Raises what a commit raises, and AlreadyClosed if the first version may
    not be replaced.
    """
    membership.lock_person(by, assignment.task.item.project)
    assignments.lock(assignment, also=late_work.other_open(assignment))
    if not Response.objects.filter(author=by, submission_key=key).exists():
        work = assignments.work_of(assignment)
        if not may_replace(assignment, work, step, now=now):
            raise AlreadyClosed
        if not assignments.in_open_block(assignment):
            reopen(assignment.task.item.project, work.annotation.uuid, by=by, reason=REASON, now=now)
    return submitting.commit(assignment, step, payload, by=by, key=key, seen=seen, now=now)


def reconsider(assignment: Assignment, step: str, *, by: User, text: str, now: datetime) -> None:
    """Record a change of mind in the history; NotFound if the step was not answered, or is not sealed."""
    work = assignments.work_of(assignment)
    answered = work.answer_at(step)
    if answered is None or not work.activity.stage(answered.stage).sealed:
        raise NotFound
    events.record(RECONSIDERED, work.annotation, by=by, now=now, stage=step, text=" ".join(text.split()))
