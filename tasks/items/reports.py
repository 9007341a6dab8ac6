"""Report an item. Two reports, a page that can't be shown, or a flag that ended work on it freeze it until a lead
unfreezes it, cancels it or decides.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotation import events, membership, registry
from annotation.engine import committing, loading, state_machine
from annotation.engine.exclusion import checked_reason
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import Annotation, Case, CaseKind, CaseState, Event, Flag, Item, Project, User, under_roots
from annotation.models.case import CASE_MOVES, FlagReason
from tasks.engine import assignments, leases, queues, settling, skip_and_return, transitions
from tasks.engine.transactions import service
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState, TaskState

ENOUGH = 2
"""How many people's reports freeze an item."""
WITHDRAWN, BROUGHT_BACK = "item.cancelled", "item.brought_back"
"""The kinds of the events by which a lead withdraws an item, and takes that back; each has its `reason`."""


@service
def report(assignment: Assignment, *, by: User, reason: FlagReason, text: str, now: datetime) -> bool:
    """Report the item as broken or unfit; the person's assignment is returned, and their draft stays. Idempotent.

    Returns whether the item is frozen now: then others who hold it may finish, but nobody else is given it.
    """
    item = assignment.task.item
    if assignment.state not in (AssignmentState.LEASED, AssignmentState.EXPIRED):
        if not item.flags.filter(author=by, settled_at=None).exists():
            raise assignments.why_closed(assignment)
        return freeze(item, now=now)
    membership.lock_person(by, item.project)  # the lock order everywhere: people before tasks
    hold = assignment
    if assignment.state == AssignmentState.EXPIRED:  # they may hold the item again, by a lease that the page is not of
        hold = assignments.current_hold(assignment) or assignment
    held = [*hold.lease.assignments.values_list("task_id", flat=True)]
    transitions.lock(sorted({*held, *item.tasks.values_list("pk", flat=True)}))
    reached = assignments.work_of(assignment).steps
    stage = reached[-1].stage if reached else ""
    _flag(item, by=by, activity=assignment.task.activity, stage=stage, reason=reason, text=text, now=now)
    if hold.state == AssignmentState.LEASED:
        skip_and_return.give_back_one(hold, by=by, now=now, reason="reported")
    return freeze(item, now=now)


@service
def report_item(
    item: Item, *, activity: str, stage: str, by: User, reason: FlagReason, text: str, now: datetime
) -> bool:
    """Report an item that the person sees without an assignment, as in a trial; as `report` otherwise."""
    membership.lock_person(by, item.project)
    transitions.lock(sorted(item.tasks.values_list("pk", flat=True)))
    _flag(item, by=by, activity=activity, stage=stage, reason=reason, text=text, now=now)
    return freeze(item, now=now)


def _flag(item: Item, *, by: User, activity: str, stage: str, reason: FlagReason, text: str, now: datetime) -> None:
    """One open report of a person about an item, with its event."""
    said = {"activity": activity, "stage": stage, "reason": reason, "text": text, "at": now}
    flag, new = Flag.objects.get_or_create(item=item, author=by, settled_at=None, defaults=said)
    if new:
        events.record("item.reported", item, by=by, now=now, reason=flag.reason, stage=flag.stage)


def freeze(item: Item, *, now: datetime) -> bool:
    """Freeze the item's tasks if a lead has to look at it first; returns whether. The caller holds their locks."""
    if not _must_freeze(item):
        return False
    freeze_tasks(item, by=None, now=now)
    return True


def freeze_tasks(item: Item, *, by: User | None, now: datetime) -> None:
    """Freeze the item's tasks; the caller holds their locks. Whoever holds them may finish."""
    for task in item.tasks.filter(state__in=(TaskState.OPEN, TaskState.FULL)).order_by("pk"):
        transitions.task(task, TaskState.FROZEN, by=by, now=now)


def freeze_again(task: Task, *, now: datetime) -> None:
    """Freeze a task that was re-opened if a lead has to look at its item first; the caller holds its lock."""
    if task.state in (TaskState.OPEN, TaskState.FULL) and _must_freeze(task.item):
        transitions.task(task, TaskState.FROZEN, by=None, now=now)


def _must_freeze(item: Item) -> bool:
    """Whether enough people have reported the item, or work on it was ended by a flag that is not decided."""
    ended = Case.objects.filter(annotation__item=item, ends=True, state=CaseState.OPEN)
    return item.flags.filter(settled_at=None).count() >= ENOUGH or ended.exists()


def thaw(item: Item, *, by: User, now: datetime) -> None:
    """Open the item's frozen tasks again, unless a lead still has to look at it; the caller holds their locks.

    A task whose slots have all been filled meanwhile is settled as if it had never been frozen.
    """
    if _must_freeze(item):
        return
    for task in item.tasks.filter(state=TaskState.FROZEN).select_related("queue").order_by("pk"):
        full = task.slots is not None and len(transitions.held_slots(task)) >= task.slots
        task.item = item
        transitions.task(task, TaskState.FULL if full else TaskState.OPEN, by=by, now=now)
        settling.settle(task, by=by, now=now)


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
    """The tasks that were frozen without reports or cases: their pages can't be shown."""
    reported = Flag.objects.filter(item=OuterRef("item"), settled_at=None)
    ended = Case.objects.filter(annotation__item=OuterRef("item"), ends=True, state=CaseState.OPEN)
    not_accepted = Case.objects.filter(kind=CaseKind.ACCEPTANCE, annotation__made=OuterRef("item"))
    unexplained = ~Exists(reported) & ~Exists(ended) & ~Exists(not_accepted.exclude(state=CaseState.UPHELD))
    return Task.objects.filter(unexplained, queue__project=project, state=TaskState.FROZEN)


def why_held_back(item: Item) -> Event | None:
    """The event by which the item was frozen last, if its page could not be shown: its data has the `reason`."""
    frozen = [events.name(task) for task in item.tasks.filter(state=TaskState.FROZEN)]
    last = Event.objects.filter(subject__in=frozen, kind=f"task.{TaskState.FROZEN}").order_by("-pk").first()
    return last if last is not None and "reason" in last.data else None


@service
def unfreeze(item: Item, *, by: User, now: datetime) -> None:
    """A lead settles the reports, and the item is handed out again, unless a flag ended work on it: that is decided."""
    _settle_flags(item, "unfrozen", by=by, now=now)
    transitions.lock(list(item.tasks.values_list("pk", flat=True)))
    thaw(item, by=by, now=now)


@service
def cancel(item: Item, *, by: User, reason: str, now: datetime) -> None:
    """A lead withdraws the item and those under it: they are no longer handed out, and submitted work stays.

    Assignments in progress are revoked, and their holders notified; not those of judging rounds, which show what was
    sealed. Raises ReasonMissing, and WrongMove if it is set aside.
    """
    said = checked_reason(reason)
    _refuse_if_set_aside(item)
    whole = Task.objects.filter(item__in=under_roots([item.pk]), exhibit=None)
    leased = Assignment.objects.filter(task__in=whole, state=AssignmentState.LEASED)
    tasks = _locked_with_leases(item, whole, leased)
    for each in [item, *item.descendants.filter(flags__settled_at=None, flags__isnull=False).distinct()]:
        _settle_flags(each, "cancelled", by=by, now=now, reason=said)
    for row in leased.select_related("lease__queue__project").order_by("task_id"):
        row.task = tasks[row.task_id]
        transitions.assignment(row, AssignmentState.REVOKED, by=by, now=now, reason="cancelled")
        leases.close_and_settle(row.lease, now=now)
    for task in whole.order_by("pk"):
        if task.state in (TaskState.OPEN, TaskState.FULL, TaskState.FROZEN):
            transitions.task(task, TaskState.CANCELLED, by=by, now=now)


def _locked_with_leases(item: Item, whole: QuerySet[Task], leased: QuerySet[Assignment]) -> dict[int, Task]:
    """Lock every task under the item, also those of items made a moment ago, and what is held with one of them."""

    def wanted() -> set[int]:
        if item.descendants.exists():
            queues.fill_under(item)
        beside = leased.values_list("lease__assignments__task_id", flat=True)
        return {*whole.values_list("pk", flat=True), *beside}

    while True:
        found = wanted()
        with transaction.atomic():
            tasks = transitions.lock(sorted(found))
            if wanted() <= found:
                return tasks
            transaction.set_rollback(True)  # something was added or claimed meanwhile: lock that too, in id order


@service
def bring_back(item: Item, *, by: User, reason: str, now: datetime) -> None:
    """A lead takes a withdrawal back: the item and those under it are handed out again.

    People whose work was revoked don't get their places back, but may be given the item anew. Reports stay settled, and
    an item that was withdrawn by itself stays so when its root is brought back. Raises ReasonMissing, and WrongMove if
    it is not withdrawn, or set aside.
    """
    said = checked_reason(reason)
    _refuse_if_set_aside(item)
    if item.root_id is not None and Task.objects.filter(item=item.root_id, state=TaskState.CANCELLED).exists():
        raise WrongMove(_("It was withdrawn with what it belongs to: bring that back."))
    withdrawn = withdrawal(item)
    if withdrawn is None:
        raise WrongMove(_("It is not withdrawn."))
    with_it, by_themselves = _withdrawn_under(item, withdrawn)
    whole = Task.objects.filter(item__in=under_roots([item.pk])).exclude(item__in=by_themselves)
    tasks = transitions.lock(list(whole.values_list("pk", flat=True)))
    for each in [item, *with_it]:
        events.record(BROUGHT_BACK, each, by=by, now=now, reason=said)
    for task in [task for task in tasks.values() if task.state == TaskState.CANCELLED]:
        open_again(task, by=by, now=now)
    queues.look_again(item.project)


def open_again(task: Task, *, by: User, now: datetime) -> None:
    """Open a cancelled task, freeze it if a lead has to look at its item first, and settle it if it is full.

    The caller holds its lock.
    """
    transitions.task(task, TaskState.OPEN, by=by, now=now)
    transitions.set_open_or_full(task, by=by, now=now)
    freeze(task.item, now=now)
    task.refresh_from_db(fields=["state"])
    settling.settle(task, by=by, now=now)


def _refuse_if_set_aside(item: Item) -> None:
    """Once it is back in the work, it can be decided about."""
    if Item.with_set_aside.filter(pk=item.pk, set_aside_at__isnull=False).exists():
        raise WrongMove(_("It is set aside for an exam: return it to the work first."))


def _withdrawn_under(item: Item, withdrawn: Event) -> tuple[list[Item], list[Item]]:
    """The items under it that were withdrawn with it (since they had been reported), and by themselves."""
    under = {events.name(each): each for each in item.descendants.select_related("project")}
    last: dict[str, Event] = {}
    for event in Event.objects.filter(subject__in=under, kind__in=(WITHDRAWN, BROUGHT_BACK)).order_by("pk"):
        last[event.subject] = event
    standing = {name: event for name, event in last.items() if event.kind == WITHDRAWN}
    with_it = [under[name] for name, event in standing.items() if event.at == withdrawn.at]
    return with_it, [under[name] for name, event in standing.items() if event.at != withdrawn.at]


def withdrawal(item: Item) -> Event | None:
    """The event by which this item itself was withdrawn, if it was not brought back since."""
    rows = Event.objects.filter(subject=events.name(item), kind__in=(WITHDRAWN, BROUGHT_BACK))
    last = rows.order_by("pk").last()
    return last if last is not None and last.kind == WITHDRAWN else None


def _settle_flags(item: Item, outcome: str, *, by: User, now: datetime, **said: str) -> None:
    Flag.objects.filter(item=item, settled_at=None).update(settled_at=now)
    events.record(f"item.{outcome}", item, by=by, now=now, **said)


@service
def decide(case: Case, to: CaseState, *, by: User, reason: str, now: datetime) -> None:
    """Uphold or dismiss an open case, or open a decided one again; frozen releases don't change.

    A flag that ended work on an item keeps the item frozen as long as it is open. An accepted annotation leads to the
    items that a whole one leads to; if the acceptance is taken back, nobody else is given them. A decision about a
    person who left partners changes nothing else. Raises ReasonMissing, or WrongMove if another lead was first.
    """
    said = checked_reason(reason)
    annotation = Annotation.objects.select_related("item__project").get(pk=case.annotation_id)
    items = [annotation.item, *annotation.made.all()]
    transitions.lock(sorted(task for item in items for task in item.tasks.values_list("pk", flat=True)))
    state_machine.move(case, to, moves=CASE_MOVES, by=by, now=now, data={"reason": said})
    if case.kind == CaseKind.ACCEPTANCE:
        _follow_up(annotation, accepted=to == CaseState.UPHELD, by=by, now=now)
    elif case.ends and not freeze(annotation.item, now=now):
        thaw(annotation.item, by=by, now=now)


def _follow_up(annotation: Annotation, *, accepted: bool, by: User, now: datetime) -> None:
    made: list[Item] = list(annotation.made.select_related("project"))
    for item in made:
        if accepted:
            thaw(item, by=by, now=now)
        else:
            freeze_tasks(item, by=by, now=now)
    if accepted and not made:
        [record] = loading.finished_records([annotation], annotation.item)
        protocol = registry.get(annotation.item.project.protocol)
        incoming = protocol.follow_ups(loading.item_record(annotation.item), record._replace(accepted=True))
        committing.make_items(annotation, incoming)
        queues.look_again(annotation.item.project)
