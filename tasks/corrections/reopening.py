"""Re-open finished work: its authors hold it again, until they submit it or somebody takes that back."""

from __future__ import annotations

import uuid as uuids
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Max, QuerySet

from annotation import events, membership, registry
from annotation.documents.words import says_something
from annotation.engine import exclusion
from annotation.errors import NotFound, ReasonMissing, WrongMove
from annotation.i18n import _
from annotation.membership import lock_person
from annotation.models import Adjudication, Annotation, Event, Item, Project, Purpose, User
from tasks.corrections.voiding import CORRECTABLE, DECIDED, handed_in_of, in_state, is_decided, locked_task
from tasks.engine import assignments, leases, settling, transitions
from tasks.engine.eligibility import WORKERS
from tasks.engine.transactions import service
from tasks.items import reports
from tasks.models import Assignment, Lease
from tasks.models.states import HOLDS_SLOT, AssignmentState, TaskState

DAYS = 7
"""How long re-opened work waits for its author; once they have opened it, the ordinary lease time applies."""
REOPENED = "annotation.reopened"
"""The kind of the event that says who re-opened it, and why."""
NOT_REOPENED = "annotation.not_reopened"
"""The kind of the event by which that was taken back."""


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
    handed_in = handed_in_of(annotation)
    people = sorted({row.annotator for row in handed_in}, key=lambda person: person.pk)
    roles = {person.pk: lock_person(person, project).roles for person in people}
    task = locked_task(handed_in)
    refusals = [why_not_reopen(annotation, held, roles=roles[held.annotator_id]) for held in handed_in]
    refused = next(filter(None, refusals or [why_not_reopen(annotation, None, roles=frozenset())]), None)
    if refused or task is None:
        raise WrongMove(refused or "")
    if not says_something(reason):
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
    held = in_state(annotation, AssignmentState.LEASED)
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
    if is_decided(annotation) if decided is None else decided:
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
