"""An assignment under its lock: its current state, its Work, and why it is closed; and those lately revoked.

Shared work may end before its people have finished it, but with enough said: then it counts as it is.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from annotation import events, membership, projects, registry
from annotation.db.compiled import Param, Prepared
from annotation.engine import committing, loading
from annotation.engine.work import Hold, Work, work_on
from annotation.errors import AlreadyClosed, MembershipEnded, PlaceTaken, TakenOut
from annotation.judging import draw
from annotation.models import Draft, Event, User
from annotation.protocol import Activity
from tasks.engine import transitions
from tasks.models import Assignment, Lease
from tasks.models.states import HOLDS_SLOT, AssignmentState, TaskState

DAYS = 7
"""How long the home page shows a revoked assignment."""


def recently_revoked(user: User, *, now: datetime) -> list[Assignment]:
    """The person's assignments that were revoked in the last seven days, oldest first."""
    since = now - timedelta(days=DAYS)
    mine = Assignment.objects.filter(annotator=user, state=AssignmentState.REVOKED, closed_at__gt=since)
    return list(mine.select_related("task__item__project", "lease").order_by("pk"))


def work_of(assignment: Assignment, *, untouched: bool = False) -> Work:
    """The Work of an assignment that was loaded with its task, item and project."""
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
    """The assignment as a Hold."""
    lease, lasts = assignment.lease, activity_of(assignment).held_until_locked
    return Hold(
        id=assignment.uuid,
        person=assignment.annotator,
        since=assignment.claimed_at,
        longest=lease.queue.lease_minutes * 60.0,
        deadline=lease.expires_at if assignment.state == AssignmentState.LEASED and not lasts else None,
        client=assignment.client,
        place=assignment.place,
    )


def activity_of(assignment: Assignment) -> Activity:
    """The activity of an assignment that was loaded with its task, item and project."""
    return registry.get(assignment.task.item.project.protocol).activity(assignment.task.activity)


def next_in_block(assignment: Assignment) -> Assignment | None:
    """The next assignment of the person's block that is still to be done; after the last one, the first.

    It is looked up under the lease they have now, so that a page of an earlier lease leads on to it.
    """
    lease = assignment.lease
    rows = Assignment.objects.filter(lease__annotator=lease.annotator_id, lease__project=lease.project_id)
    rows = rows.filter(lease__activity=lease.activity, lease__closed_at__isnull=True)
    rest = rows.filter(state=AssignmentState.LEASED).order_by("pk")
    return rest.filter(pk__gt=assignment.pk).first() or rest.first()


def current_hold(expired: Assignment) -> Assignment | None:
    """The assignment by which the person holds the same task again; requests from the old page are meant for it."""
    rows = Assignment.objects.filter(task=expired.task_id, annotator=expired.annotator_id, state__in=HOLDS_SLOT)
    found = rows.select_related("annotation", "lease__queue__project").first()
    if found is not None:
        found.task = expired.task
    return found


def in_open_block(assignment: Assignment) -> bool:
    """Whether this was submitted in a block that is still open, so that it may be revised; not a judgement of what its
    author has looked at since.
    """
    return (
        assignment.state == AssignmentState.SUBMITTED
        and assignment.lease.closed_at is None
        and activity_of(assignment).block
        and not draw.is_recused(assignment.annotation)
    )


def lock(assignment: Assignment, *, also: Lease | None = None) -> bool:
    """Lock the task (for a block, all tasks that may move with it), refresh the assignment; returns if it has a draft.

    If a claim in another activity could exclude this work, the person is locked too, so that their claims wait; and if
    this could be leased again without a qualification that is just being taken from them.
    """
    activity, project = activity_of(assignment), assignment.task.item.project
    ended = assignment.state in (AssignmentState.EXPIRED, AssignmentState.SKIPPED)
    excluding = activity.excludes and not activity.shows_at_claim
    if excluding or (ended and projects.requirements_of(project, activity.key)):
        membership.lock_person(assignment.annotator, project)
    if (activity.block and not activity.held_until_locked) or also is not None:
        transitions.lock_with_leases(assignment, also=also)
    else:
        transitions.lock_one(assignment.task)
    return _refresh(assignment)


def _refresh(assignment: Assignment) -> bool:
    """Reload what may have changed: state, lease, completion. Returns whether there is a draft."""
    before, found = assignment.lease_id, _standing.first(assignment=assignment.pk)
    assignment.state, assignment.slot, assignment.client, assignment.closed_at = found[:4]
    assignment.annotation.completed_at, closed, expires, lease, drafted = found[4:]
    if lease != before:
        assignment.lease = Lease.objects.select_related("queue__project").get(pk=lease)
    assignment.lease.closed_at, assignment.lease.expires_at = closed, expires
    return bool(drafted)


@Prepared
def _standing() -> QuerySet[Assignment, tuple[object, ...]]:
    drafts = Exists(Draft.objects.filter(annotation=OuterRef("annotation")))
    rows = Assignment.objects.filter(pk=Param("assignment"))
    own, of_lease = ("state", "slot", "client", "closed_at"), ("lease__closed_at", "lease__expires_at", "lease")
    return rows.values_list(*own, "annotation__completed_at", *of_lease, drafts)


def why_closed(assignment: Assignment) -> AlreadyClosed:
    """The refusal with the true reason why this work is closed."""
    if assignment.state == AssignmentState.REVOKED:
        reasons = {"adopted": PlaceTaken, "membership_ended": MembershipEnded}
        return reasons.get(_reason(assignment), TakenOut)()
    if assignment.state == AssignmentState.EXPIRED and assignment.task.state == TaskState.CANCELLED:
        return TakenOut()
    return AlreadyClosed()


def _reason(assignment: Assignment) -> str:
    """The reason recorded with the event that revoked it."""
    rows = Event.objects.filter(subject=events.name(assignment), kind=f"assignment.{AssignmentState.REVOKED}")
    return str(rows.latest("pk").data["reason"])


def finish_if_enough(held: Assignment, *, now: datetime) -> None:
    """Complete the shared work that somebody leaves or has lost, if its protocol says that what was said is enough.

    Every seat that then leaves goes to `submitted` (`transitions.assignment`). Call it under the task's lock, before
    the first seat leaves. Not for work whose item was reported, or that a flag ends: a lead decides about those.
    """
    work = _enough(held)
    if work is not None:
        committing.finish(work, now=now)


def is_enough(held: Assignment) -> bool:
    """Whether this shared work, if somebody left it now, would count as finished."""
    return _enough(held) is not None


def _enough(held: Assignment) -> Work | None:
    activity = activity_of(held)
    if len(activity.seats) == 1 or held.state != AssignmentState.LEASED or held.annotation.completed_at is not None:
        return None
    work = work_of(held)
    record = loading.finished_record(held.annotation, activity, work.responses)
    return work if work.protocol.is_enough(work.record, record, work.config) else None


def ended_early(held: Assignment) -> bool:
    """Whether this was submitted because a partner left or everybody was lost, and enough had been said."""
    rows = Event.objects.filter(subject=events.name(held), kind=f"assignment.{AssignmentState.SUBMITTED}")
    reasons = {event.data.get("reason") for event in rows}
    return held.state == AssignmentState.SUBMITTED and not reasons.isdisjoint({"partner_left", "all_lost"})
