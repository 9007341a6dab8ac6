"""Report an item. Two reports, or a page that can't be shown, freeze it until a lead unfreezes or cancels it."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation import events, membership
from annotation.errors import ReasonMissing
from annotation.models import Event, Flag, Item, Project, User
from annotation.models.flag import FlagReason
from tasks import assignments, leases, queues, settling, skip_and_return, transitions
from tasks.models import Assignment, Task
from tasks.states import AssignmentState, TaskState
from tasks.transactions import service

ENOUGH = 2
"""How many people's reports freeze an item."""
REASON_LENGTH = 200


@service
def report(assignment: Assignment, *, by: User, reason: FlagReason, text: str, now: datetime) -> bool:
    """Report the item as broken or unfit; the person's assignment is returned, and their draft stays. Idempotent.

    Returns whether the item is frozen now: then others who hold it may finish, but nobody else is given it.
    """
    item = assignment.task.item
    if assignment.state not in (AssignmentState.LEASED, AssignmentState.EXPIRED):
        if not item.flags.filter(author=by, settled_at=None).exists():
            raise assignments.why_closed(assignment)
        return _freeze(item, now=now)
    membership.lock_person(by, item.project)  # the lock order everywhere: people before tasks
    held = [*assignment.lease.assignments.values_list("task_id", flat=True)]
    transitions.lock(sorted({*held, *item.tasks.values_list("pk", flat=True)}))
    activity = assignment.task.activity
    said = {"activity": activity, "reason": reason, "text": text, "at": now}
    flag, new = Flag.objects.get_or_create(item=item, author=by, settled_at=None, defaults=said)
    if new:
        events.record("item.reported", item, by=by, now=now, reason=flag.reason)
    if assignment.state == AssignmentState.LEASED:
        skip_and_return.give_back_one(assignment, by=by, now=now, reason="reported")
    return _freeze(item, now=now)


def _freeze(item: Item, *, now: datetime) -> bool:
    """Freeze the item's tasks once enough people have reported it; the caller holds their locks."""
    if not _reported_enough(item):
        return False
    for task in item.tasks.filter(state__in=(TaskState.OPEN, TaskState.FULL)).order_by("pk"):
        transitions.task(task, TaskState.FROZEN, by=None, now=now)
    return True


def freeze_again(task: Task, *, now: datetime) -> None:
    """Freeze a task that was re-opened if enough people have reported its item; the caller holds its lock."""
    if task.state in (TaskState.OPEN, TaskState.FULL) and _reported_enough(task.item):
        transitions.task(task, TaskState.FROZEN, by=None, now=now)


def _reported_enough(item: Item) -> bool:
    return item.flags.filter(settled_at=None).count() >= ENOUGH


@service
def hold_back(assignment: Assignment, *, why: str, now: datetime) -> None:
    """Freeze a task whose page can't be shown, with the reason, and return the work: nobody can do it. Idempotent."""
    assignments.lock(assignment)
    if assignment.state not in skip_and_return.IN_WORK:
        return
    if assignment.task.state in (TaskState.OPEN, TaskState.FULL):
        transitions.task(assignment.task, TaskState.FROZEN, by=None, now=now, reason=why)
    if assignment.state == AssignmentState.LEASED:
        skip_and_return.give_back_one(assignment, by=None, now=now, reason="not_shown")


def held_back(project: Project) -> QuerySet[Task]:
    """The tasks that were frozen without reports: their pages can't be shown."""
    reported = Flag.objects.filter(item=OuterRef("item"), settled_at=None)
    return Task.objects.filter(~Exists(reported), queue__project=project, state=TaskState.FROZEN)


def why_held_back(item: Item) -> Event | None:
    """The event by which the item was frozen last, if its page could not be shown: its data has the `reason`."""
    frozen = [events.name(task) for task in item.tasks.filter(state=TaskState.FROZEN)]
    last = Event.objects.filter(subject__in=frozen, kind=f"task.{TaskState.FROZEN}").order_by("-pk").first()
    return last if last is not None and "reason" in last.data else None


@service
def unfreeze(item: Item, *, by: User, now: datetime) -> None:
    """A lead settles the reports, and the item is handed out again.

    A task whose slots have all been filled meanwhile is settled as if it had never been frozen.
    """
    _settle_flags(item, "unfrozen", by=by, now=now)
    for task in transitions.lock(list(item.tasks.values_list("pk", flat=True))).values():
        if task.state == TaskState.FROZEN:
            full = task.slots is not None and len(transitions.held_slots(task)) >= task.slots
            transitions.task(task, TaskState.FULL if full else TaskState.OPEN, by=by, now=now)
            settling.settle(task, by=by, now=now)


@service
def cancel(item: Item, *, by: User, reason: str, now: datetime) -> None:
    """A lead withdraws the item and those under it: they are no longer handed out, and submitted work stays.

    Assignments in progress are revoked, and their holders notified. Raises ReasonMissing.
    """
    if not 0 < len(said := " ".join(reason.split())) <= REASON_LENGTH:
        raise ReasonMissing(f"Give a reason of at most {REASON_LENGTH} characters; nothing was changed.")
    whole = Task.objects.filter(Q(item=item) | Q(item__root=item))
    leased = Assignment.objects.filter(task__in=whole, state=AssignmentState.LEASED)
    beside = leased.values_list("lease__assignments__task_id", flat=True)
    tasks = transitions.lock(sorted({*whole.values_list("pk", flat=True), *beside}))
    queues.fill_under(item)  # so that items made a moment ago are cancelled too
    for each in [item, *item.descendants.filter(flags__settled_at=None, flags__isnull=False).distinct()]:
        _settle_flags(each, "cancelled", by=by, now=now, reason=said)
    for row in leased.select_related("lease__queue__project").order_by("task_id"):
        row.task = tasks[row.task_id]
        transitions.assignment(row, AssignmentState.REVOKED, by=by, now=now, reason="cancelled")
        leases.close_and_settle(row.lease, now=now)
    for task in whole.order_by("pk"):
        if task.state in (TaskState.OPEN, TaskState.FULL, TaskState.FROZEN):
            transitions.task(task, TaskState.CANCELLED, by=by, now=now)


def _settle_flags(item: Item, outcome: str, *, by: User, now: datetime, **said: str) -> None:
    Flag.objects.filter(item=item, settled_at=None).update(settled_at=now)
    events.record(f"item.{outcome}", item, by=by, now=now, **said)
