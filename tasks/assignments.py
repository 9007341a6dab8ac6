"""An assignment under its lock: how it stands now, the work behind it, and why it is closed."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from annotation import events, membership
from annotation import protocol as registry
from annotation.db.compiled import Param, Prepared
from annotation.errors import AlreadyClosed, PlaceTaken, TakenOut
from annotation.models import Draft, Event
from annotation.protocol import Activity
from annotation.work import Hold, Work, work_on
from tasks import transitions
from tasks.models import Assignment, Lease
from tasks.states import HOLDS_SLOT, AssignmentState, TaskState


def work_of(assignment: Assignment, *, untouched: bool = False) -> Work:
    """The work behind an assignment that was loaded with its task, item and project."""
    item = assignment.task.item
    return work_on(
        assignment.annotation,
        item=item,
        protocol=item.project.protocol,
        activity=assignment.task.activity,
        person=assignment.annotator_id,
        seat=assignment.seat,
        leased=assignment.state == AssignmentState.LEASED,
        revisable=in_open_block(assignment),
        untouched=untouched,
    )


def hold_of(assignment: Assignment) -> Hold:
    """The assignment as the record and the screen need it."""
    lease = assignment.lease
    return Hold(
        id=assignment.uuid,
        person=assignment.annotator,
        since=assignment.claimed_at,
        longest=lease.queue.lease_minutes * 60.0,
        deadline=lease.expires_at if assignment.state == AssignmentState.LEASED else None,
        client=assignment.client,
        place=assignment.place,
    )


def activity_of(assignment: Assignment) -> Activity:
    """The activity of an assignment that was loaded with its task, item and project."""
    return registry.get(assignment.task.item.project.protocol).activity(assignment.task.activity)


def next_in_block(assignment: Assignment) -> Assignment | None:
    """The first piece of the person's block that is still to be done, after this one if there is one there.

    That is the lease they have now: an answer from the page of an earlier one goes on there too.
    """
    lease = assignment.lease
    rows = Assignment.objects.filter(lease__annotator=lease.annotator_id, lease__project=lease.project_id)
    rows = rows.filter(lease__activity=lease.activity, lease__closed_at__isnull=True)
    rest = rows.filter(state=AssignmentState.LEASED).order_by("pk")
    return rest.filter(pk__gt=assignment.pk).first() or rest.first()


def held_again(expired: Assignment) -> Assignment | None:
    """The hold by which the person has the same task again: what comes from the old page is meant for it."""
    rows = Assignment.objects.filter(task=expired.task_id, annotator=expired.annotator_id, state__in=HOLDS_SLOT)
    found = rows.select_related("annotation", "lease__queue__project").first()
    if found is not None:
        found.task = expired.task
    return found


def in_open_block(assignment: Assignment) -> bool:
    """Whether this was committed in a block that is still open: then it may be revised."""
    return (
        assignment.state == AssignmentState.SUBMITTED
        and assignment.lease.closed_at is None
        and activity_of(assignment).block
    )


def lock(assignment: Assignment, *, also: Lease | None = None) -> bool:
    """Lock the task (with a block, all tasks that may move with it) and see how the assignment and its work stand.

    Where a claim in another activity may have shut out what was left here, the person's claims wait for us.
    Whether there is a draft.
    """
    activity = activity_of(assignment)
    if activity.excludes and not activity.shows_at_claim:
        membership.lock_person(assignment.annotator, assignment.task.item.project)
    if activity.block or also is not None:
        transitions.lock_with_leases(assignment, also=also)
    else:
        transitions.lock_one(assignment.task)
    return _see_again(assignment)


def _see_again(assignment: Assignment) -> bool:
    """What may have changed since the assignment was read: its state, its lease, the completion. Is there a draft?"""
    before, found = assignment.lease_id, _standing.first(assignment=assignment.pk)
    assignment.state, assignment.slot, assignment.client, assignment.closed_at = found[:4]
    assignment.annotation.completed_at, closed, expires, lease, drafted = found[4:]
    if lease != before:
        assignment.lease = Lease.objects.select_related("queue__project").get(pk=lease)
    assignment.lease.closed_at, assignment.lease.expires_at = closed, expires
    return drafted


@Prepared
def _standing() -> QuerySet:
    drafts = Exists(Draft.objects.filter(annotation=OuterRef("annotation")))
    rows = Assignment.objects.filter(pk=Param("assignment"))
    own, of_lease = ("state", "slot", "client", "closed_at"), ("lease__closed_at", "lease__expires_at", "lease")
    return rows.values_list(*own, "annotation__completed_at", *of_lease, drafts)


def why_closed(assignment: Assignment) -> AlreadyClosed:
    """The refusal that says truly why nothing more can be done with this work."""
    if assignment.state == AssignmentState.REVOKED:
        return PlaceTaken() if _reason(assignment) == "adopted" else TakenOut()
    if assignment.state == AssignmentState.EXPIRED and assignment.task.state == TaskState.CANCELLED:
        return TakenOut()
    return AlreadyClosed()


def _reason(assignment: Assignment) -> str:
    """What the history says of the move that took it away."""
    rows = Event.objects.filter(subject=events.name(assignment), kind=f"assignment.{AssignmentState.REVOKED}")
    return rows.latest("pk").data["reason"]
