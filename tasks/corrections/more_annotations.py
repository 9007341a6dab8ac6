"""Ask for more annotations of an item, or for another one in place of a bad one; take back what nobody has begun."""

from __future__ import annotations

from datetime import datetime

from annotation import events, registry
from annotation.engine import exclusion
from annotation.errors import PayloadInvalid, Problem, WrongMove
from annotation.i18n import _
from annotation.models import Adjudication, Annotation, Event, Item, User
from tasks import corrections
from tasks.engine import settling, transitions
from tasks.engine.transactions import service
from tasks.items import reports
from tasks.models import NO_DATA, Task
from tasks.models.states import AssignmentState, TaskState

MOST = 25
"""How many annotations can be asked for at once: as many as the largest study of variability had."""
ASKED = "task.more_asked"
"""The kind of the event: `count` more; the `slots` and the `state` of the task before; `base`: its first new slot.

`reason`: why, if whoever asked has said so.
"""
UNASKED = "task.more_unasked"
"""The kind of the event by which that was taken back."""
ENDED = (TaskState.DONE, TaskState.DISPUTED)


@service
def ask_for_more(task: Task, *, count: int, by: User | None, now: datetime, reason: str = "") -> Task:
    """Give the task slots for `count` more annotations; a task that was done or disputed is open again.

    It is settled again once they are all submitted, and then agreement is measured with them. People who have
    annotated the item are not given it again. Raises PayloadInvalid for a count that is not 1 to 25, and WrongMove
    with a sentence on why there can be no more.
    """
    if not 1 <= count <= MOST:
        said = _("Ask for 1 to 25 more annotations at a time.")
        raise PayloadInvalid((Problem("count", "out_of_range", said),))
    transitions.lock_one(task)
    refused = why_not_more(task)
    if refused:
        raise WrongMove(refused)
    # A task that was done from the start, since its item came with enough annotations, has a slot that nobody fills.
    base = len(transitions.held_slots(task)) if task.state == TaskState.DONE else task.slots or 0
    why = {"reason": reason} if reason else {}
    events.record(ASKED, task, by=by, now=now, count=count, base=base, slots=task.slots, state=task.state, **why)
    _set_slots(task, base + count * _seats(task))
    if task.state in ENDED:
        transitions.task(task, TaskState.OPEN, by=by, now=now)
        reports.freeze_again(task, now=now)
    else:
        transitions.set_open_or_full(task, by=by, now=now)
    return task


@service
def replace(annotation: Annotation, *, by: User | None, reason: str, now: datetime) -> None:
    """Exclude the annotation, with the reason, and have somebody else do the item: its slot is freed, or one is added.

    One is added if the slot can't be freed: the annotation was imported, or its task is disputed. Raises ReasonMissing,
    and WrongMove with a sentence on why neither can be done.
    """
    project = annotation.item.project
    held = annotation.assignments.filter(state=AssignmentState.SUBMITTED).select_related("task").first()
    if held is not None and corrections.why_not_void(annotation, held) is None:
        corrections.void(project, annotation.uuid, by=by, reason=exclusion.checked_reason(reason), now=now)
        return
    task = task_of(annotation)
    if task is None:
        raise WrongMove(_("It is in no queue, so nobody can be given its place."))
    ask_for_more(task, count=1, by=by, now=now)
    exclusion.exclude(project, uuids=[annotation.uuid], by=by, reason=reason, now=now)


def task_of(annotation: Annotation) -> Task | None:
    """The task in which others do what this annotation does."""
    rows = Task.objects.select_related("queue__project", "item__project")
    same = rows.filter(item=annotation.item, activity=annotation.activity, round=annotation.round)
    return same.exclude(queue__activity__in=NO_DATA).order_by("-pk").first()


def why_not_more(task: Task, *, decided: bool | None = None) -> str | None:
    """Why no more annotations can be asked for, or None; `decided`: whether an expert has, looked up if None."""
    if task.queue.activity in NO_DATA or task.slots is None:
        return _("Nobody is given this to annotate it independently of others.")
    if task.state == TaskState.CANCELLED:
        return _("It is set aside for an exam.") if task.item.set_aside_at else _("It is withdrawn.")
    if task.state == TaskState.SETTLING:
        return _("Its annotations are being compared just now.")
    if _is_decided(task) if decided is None else decided:
        return corrections.DECIDED
    return None


@service
def take_back(task: Task, *, by: User | None, now: datetime) -> Task:
    """Take back what was asked for last, which leaves the task as it was; WrongMove once somebody has a new slot."""
    transitions.lock_one(task)
    last = last_asked(task)
    if last is None:
        raise WrongMove(_("Nothing was asked for that could be taken back."))
    if not _is_untouched(task, last):
        raise WrongMove(_("Somebody has begun one of these annotations; they can’t be taken back any more."))
    _set_slots(task, last.data["slots"])
    events.record(UNASKED, task, by=by, now=now, count=last.data["count"])
    if task.state == TaskState.OPEN and last.data["state"] == TaskState.DONE and not transitions.held_slots(task):
        transitions.task(task, TaskState.FULL, by=by, now=now)
        transitions.task(task, TaskState.DONE, by=by, now=now)
        return task
    transitions.set_open_or_full(task, by=by, now=now)
    settling.settle(task, by=by, now=now)
    return task


def may_take_back(task: Task) -> bool:
    """Whether what was asked for last can be taken back: nobody has one of the new slots."""
    last = last_asked(task)
    return last is not None and _is_untouched(task, last)


def is_awaiting(task: Task) -> bool:
    """Whether annotations that were asked for are still to come."""
    return task.state not in (*ENDED, TaskState.CANCELLED) and last_asked(task) is not None


def awaiting_of(item: Item, activity: str) -> Task | None:
    """The task of the item for which annotations that were asked for are still to come."""
    rows = Task.objects.select_related("queue__project", "item__project").filter(item=item, activity=activity)
    return next((row for row in rows.exclude(queue__activity__in=NO_DATA).order_by("-pk") if is_awaiting(row)), None)


def submitted(task: Task) -> set[int]:
    """The slots of the task in which work is submitted."""
    return set(task.assignments.filter(state=AssignmentState.SUBMITTED).values_list("slot", flat=True))


def last_asked(task: Task) -> Event | None:
    """The latest request that was not taken back, or None."""
    return next(reversed(all_asked(task)), None)


def all_asked(task: Task) -> list[Event]:
    """The requests that were not taken back, oldest first. Each undoing takes back the last one."""
    open_requests: list[Event] = []
    rows = Event.objects.filter(subject=events.name(task), kind__in=(ASKED, UNASKED))
    for event in rows.order_by("pk"):
        if event.kind == ASKED:
            open_requests.append(event)
        elif open_requests:
            open_requests.pop()
    return open_requests


def _is_untouched(task: Task, last: Event) -> bool:
    """Whether nobody holds one of the slots that were new then, and the task is still being handed out, or frozen."""
    waits = task.state in (TaskState.OPEN, TaskState.FROZEN)
    return waits and all(slot < last.data["base"] for slot in transitions.held_slots(task))


def _is_decided(task: Task) -> bool:
    return Adjudication.standing(task.item, task.activity, task.round) is not None


def _seats(task: Task) -> int:
    return len(registry.get(task.queue.project.protocol).activity(task.activity).seats)


def _set_slots(task: Task, slots: int) -> None:
    Task.objects.filter(pk=task.pk).update(slots=slots)
    task.slots = slots
