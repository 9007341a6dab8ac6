"""Give an annotator the next assignment: resume what is theirs, else the first free task in order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from annotation import events, overlap, projects, randomness, recording
from annotation import protocol as registry
from annotation.errors import NotEligible
from annotation.membership import has_consented, roles_of
from annotation.models import Annotation, Membership, Project, Role, User
from tasks import filling, leases, moving
from tasks.models import Assignment, Lease, Queue, Task
from tasks.retrying import once_more
from tasks.states import LEAVES_ITEM_FREE, AssignmentState, QueueState, TaskState

ATTEMPTS = 8
"""How often a claim looks again when someone was faster, before it looks under the queue's lock."""
WORKERS = (Role.ANNOTATOR, Role.EXPERT)


@dataclass(frozen=True)
class Nothing:
    """There is no work: why (`all_done`, `done_all_you_may`, `others_hold`, `not_open`) and when to look again."""

    reason: str
    next_at: datetime | None = None


def why_not_claim(user: User, project: Project, *, roles: frozenset[str] | None = None) -> str | None:
    """Why this person may not work in the project at all, or None. A lead can't: they see everybody's answers."""
    roles = roles_of(user, project) if roles is None else roles
    if Role.LEAD in roles:
        return "leads_cannot_claim"
    if not roles & set(WORKERS):
        return "not_a_member"
    if not has_consented(user, project):
        return "consent_missing"
    return None


@once_more
def claim(project: Project, activity: str, *, by: User, now: datetime) -> Assignment | Nothing:
    """The person's own open work, else the next free task of the activity under a new lease.

    One person's claims wait for each other (their membership rows are locked), everybody's claims do not. The first
    look ends its transaction before the second locks the queue: PostgreSQL keeps the lock of a task that someone else
    took while we waited for it, and a claim that holds the queue would wait for us.
    """
    found = _attempt(project, activity, by=by, now=now, last=False)
    return found or _attempt(project, activity, by=by, now=now, last=True)


@transaction.atomic
def _attempt(project: Project, activity: str, *, by: User, now: datetime, last: bool) -> Assignment | Nothing | None:
    """One look for work: in passing (None: look again), or as the last one, under the queue's lock."""
    refused = why_not_claim(by, project, roles=_lock_person(by, project))
    if refused:
        raise NotEligible(reason=refused)
    queues = _open_queues(project, activity, locked=last)
    mine = _resume(project, activity, by=by, now=now)
    if mine is not None:
        return mine
    if not queues:
        return Nothing("not_open")
    start = randomness.number(randomness.handle()) if _is_random(project, activity) else None
    if last:
        _renew_offer(queues, now=now)
    found = _take(_unfinished(queues, by=by)) or (
        _look_waiting(queues, by=by, start=start, now=now) if last else _look_in_passing(queues, by=by, start=start)
    )
    if found is None:
        return _why_nothing(queues, by=by) if last else None
    return _assign(*found, by=by, start=start, now=now)


def free_tasks(queues: list[Queue], *, by: User) -> QuerySet[Task]:
    """The tasks that this person may be given now. The rules, each with its test in tests/tasks/test_claim_rules.py:

    1. the task is open and in one of these queues;
    2. it has a free slot (state `open` says so; overdue leases are expired before anybody is sent away);
    3. its item was not given to them in this activity before, unless that was returned, expired or revoked,
       and they have no completed annotation of it there;
    4. nothing under the same root was done by them in an activity that excludes this one;
    5. by `order`.
    """
    activity = registry.get(queues[0].project.protocol).activity(queues[0].activity)
    given = Assignment.objects.filter(annotator=by, task__item=OuterRef("item"), task__activity=activity.key)
    finished = Annotation.objects.filter(
        author=by, item=OuterRef("item"), activity=activity.key, completed_at__isnull=False
    )
    rows = Task.objects.filter(queue__in=queues, state=TaskState.OPEN).filter(
        ~Exists(given.exclude(state__in=LEAVES_ITEM_FREE)), ~Exists(finished)
    )
    if activity.excludes:
        conflicting = Assignment.objects.filter(annotator=by, task__activity__in=activity.excludes).annotate(
            under=Coalesce("task__item__root", "task__item")
        )
        rows = rows.annotate(root=Coalesce("item__root", "item")).filter(
            ~Exists(conflicting.filter(under=OuterRef("root")))
        )
    return rows.order_by("order")


def _lock_person(by: User, project: Project) -> frozenset[str]:
    """Lock the person's membership rows, so that two claims of one person can't cross, and return the roles."""
    rows = Membership.objects.select_for_update().filter(user=by, project=project, ended_at__isnull=True)
    return frozenset(rows.order_by("pk").values_list("role", flat=True))


def _is_random(project: Project, activity: str) -> bool:
    """Whether claims start at a random point of the order: where several people annotate an item of some split."""
    splits = registry.get(project.protocol).activity(activity).overlap
    return any(overlap.draw_of(project, activity, split=split) == "random" for split in splits)


def _resume(project: Project, activity: str, *, by: User, now: datetime) -> Assignment | None:
    """The person's open lease, overdue or not: its clock starts anew."""
    lease = (
        Lease.objects.filter(annotator=by, project=project, activity=activity, closed_at__isnull=True)
        .select_related("queue")
        .first()
    )
    if lease is None:
        return None
    tasks = moving.lock(list(lease.assignments.filter(state=AssignmentState.LEASED).values_list("task_id", flat=True)))
    if leases.renew(lease, now=now) is None:
        return None
    mine = lease.assignments.filter(state=AssignmentState.LEASED, task__in=tasks).order_by("pk").first()
    if mine is None:
        leases.close_if_done(lease, now=now)
    return mine


def _unfinished(queues: list[Queue], *, by: User) -> Task | None:
    """A free task on which they left an annotation unfinished (returned or expired): it is offered first."""
    begun = Annotation.objects.filter(author=by, completed_at__isnull=True, excluded_at__isnull=True)
    items = list(begun.filter(activity=queues[0].activity).values_list("item_id", flat=True)[:100])
    if not items:
        return None
    return free_tasks(queues, by=by).filter(item__in=items).select_for_update(of=("self",)).first()


def _open_queues(project: Project, activity: str, *, locked: bool) -> list[Queue]:
    """The open queues of the activity, in id order."""
    rows = Queue.objects.select_related("project").filter(project=project, activity=activity, state=QueueState.OPEN)
    if locked:
        # NO KEY: who takes a task in passing writes a lease that refers to the queue, and must not wait for us.
        rows = rows.select_for_update(of=("self",), no_key=True)
    return list(rows.order_by("pk"))


def _renew_offer(queues: list[Queue], *, now: datetime) -> None:
    """Before anybody is sent away: expire what is overdue and make missing tasks; the queues are locked."""
    leases.expire_overdue(now=now, project=queues[0].project, activity=queues[0].activity)
    for queue in queues:
        filling.fill(queue, now=now, at_most=filling.AT_MOST_IN_A_CLAIM)


def _look_in_passing(queues: list[Queue], *, by: User, start: int | None) -> tuple[Task, set[int]] | None:
    """The first free task, passing over those that someone else is taking at this moment.

    On SQLite, where one writer is at work at a time, there is nobody to pass over.
    """
    skip_locked = connection.features.has_select_for_update_skip_locked
    for _ in range(ATTEMPTS):
        task = _first(queues, by=by, start=start, skip_locked=skip_locked)
        if task is None:
            return None
        found = _take(task)
        if found is not None:
            return found
    return None


def _look_waiting(queues: list[Queue], *, by: User, start: int | None, now: datetime) -> tuple[Task, set[int]] | None:
    """The first free task, waiting for who is taking it at this moment; the queues are locked."""
    while free_tasks(queues, by=by).exists():
        # A row that changed while we waited for its lock comes back as no row: look again while any is free.
        task = _first(queues, by=by, start=start)
        found = _take(task)
        if found is not None:
            return found
        if task is not None:  # it says open with all slots held, which no move leaves behind
            moving.follow(task, by=None, now=now)
    return None


def _first(queues: list[Queue], *, by: User, start: int | None, skip_locked: bool = False) -> Task | None:
    """First by order and locked; where the draw is random, first from the start point on, then from the beginning."""
    rows = free_tasks(queues, by=by).select_for_update(of=("self",), skip_locked=skip_locked)
    return (rows.filter(order__gte=start).first() if start is not None else None) or rows.first()


def _take(task: Task | None) -> tuple[Task, set[int]] | None:
    """The locked task with the slots that are held, if one is still free."""
    if task is None:
        return None
    taken = moving.taken(task)
    return (task, taken) if task.slots is None or len(taken) < task.slots else None


def _assign(task: Task, taken: set[int], *, by: User, start: int | None, now: datetime) -> Assignment:
    """Take the first free slot of the locked task: lease, annotation (begun or new), assignment."""
    queue = Queue.objects.select_related("project").get(pk=task.queue_id)
    lease = leases.open_lease(annotator=by, queue=queue, now=now)
    annotation = Annotation.objects.filter(
        author=by, item_id=task.item_id, activity=task.activity, round=task.round
    ).first() or recording.open_annotation(
        item_id=task.item_id,
        author=by,
        activity=task.activity,
        round=task.round,
        guidelines=projects.guidelines_of(queue.project),
        now=now,
    )
    assignment = Assignment.objects.create(
        task=task,
        lease=lease,
        annotator=by,
        slot=next(slot for slot in range(len(taken) + 1) if slot not in taken),
        annotation=annotation,
        claimed_at=now,
    )
    events.record("assignment.claimed", assignment, by=by, now=now, start=start)
    if task.slots is not None and len(taken) + 1 >= task.slots:
        moving.task(task, TaskState.FULL, by=by, now=now)
    return assignment


def _why_nothing(queues: list[Queue], *, by: User) -> Nothing:
    """All done, others hold the rest until the next lease ends, or done all that this person may do."""
    undone = Task.objects.filter(queue__in=queues, state__in=(TaskState.OPEN, TaskState.FULL))
    if not undone.exists():
        return Nothing("all_done")
    mine = Assignment.objects.filter(annotator=by, task=OuterRef("pk")).exclude(state__in=LEAVES_ITEM_FREE)
    leased = Assignment.objects.filter(task=OuterRef("pk"), state=AssignmentState.LEASED)
    if undone.filter(Exists(leased), ~Exists(mine)).exists():
        ends = Lease.objects.filter(queue__in=queues, closed_at__isnull=True).order_by("expires_at")
        return Nothing("others_hold", next_at=ends.values_list("expires_at", flat=True).first())
    return Nothing("done_all_you_may")
