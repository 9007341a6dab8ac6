"""An expert's own answer to a disputed item: claimed, leased, drafted and submitted like all work.

Its task is in a queue of its own, from which no claim hands out anything: its activity is ADJUDICATE, its name that of
the activity. The task has no limit of slots, so that a second expert need not wait for the first; it is never open.
"""

from __future__ import annotations

from datetime import datetime

from annotation import membership, projects, registry
from annotation.engine import recording
from annotation.errors import ConsentMissing, WrongMove
from annotation.i18n import _
from annotation.models import Annotation, Purpose, User
from annotation.protocol import Activity
from tasks.disputes import deciding
from tasks.engine import claiming, leases, transitions
from tasks.engine.transactions import service
from tasks.models import ADJUDICATE, Assignment, Lease, Queue, Task
from tasks.models.states import HOLDS_SLOT, AssignmentState, TaskState


def can_be_written(activity: Activity) -> bool:
    """Whether one expert alone can answer in this activity."""
    return len(activity.seats) == 1 and activity.picks == "next"


def own(task: Task, by: User) -> Assignment | None:
    """The person's reference for a disputed task, in work or finished."""
    rows = Assignment.objects.select_related("annotation").filter(annotator=by, task__queue__activity=ADJUDICATE)
    rows = rows.filter(task__item=task.item, task__activity=task.activity, task__round=task.round)
    return rows.filter(state__in=HOLDS_SLOT).first()


@service
def write(task: Task, *, by: User, now: datetime) -> Assignment:
    """Lease the person's reference to them, begun before or not; another one that they hold is put aside, draft kept.

    Raises WrongMove, with the reason, if they can't write one, and ConsentMissing.
    """
    project, activity = task.item.project, registry.get(task.item.project.protocol).activity(task.activity)
    standing = membership.lock_person(by, project)
    refused = deciding.why_not_decide(task, by) or why_not_write(activity)
    if refused:
        raise WrongMove(refused)
    if not standing.consented:
        raise ConsentMissing(reason=project.slug)
    reference = _task(task, activity)
    lease = Lease.objects.filter(annotator=by, project=project, activity=ADJUDICATE, closed_at__isnull=True).first()
    held = list(lease.assignments.values_list("task", flat=True)) if lease else []
    locked = transitions.lock(sorted({task.pk, reference.pk, *held}))
    if locked[task.pk].state != TaskState.DISPUTED:
        raise WrongMove(deciding.why_not_open(locked[task.pk]))
    if lease is not None:
        _put_aside(lease, but=reference, now=now)
    mine = own(task, by)
    if mine is not None and mine.state == AssignmentState.LEASED and leases.renew(mine.lease, now=now):
        return mine
    lease = leases.open_lease(annotator=by, queue=reference.queue, now=now)
    if mine is not None:
        return _again(mine, lease, by=by, now=now)
    slot = transitions.free_slot(reference) or 0
    return claiming.hold_slot(reference, slot, lease=lease, annotation=_annotation(task, by, now=now), now=now)


def why_not_write(activity: Activity) -> str | None:
    """Why nobody can write a reference in this activity, or None."""
    return None if can_be_written(activity) else _("Nobody can do this alone; decide for one of the answers.")


def _task(task: Task, activity: Activity) -> Task:
    """The task of the references for a disputed task. No claim hands it out, so it is done from the start."""
    project = task.item.project
    minutes = projects.activity_config(project, activity.key).lease_minutes or activity.minutes
    queue = Queue.objects.get_or_create(
        project=project, activity=ADJUDICATE, name=activity.key, defaults={"lease_minutes": minutes}
    )[0]
    queue.project = project
    same = {"split": task.split, "activity": task.activity, "train_only": task.train_only, "order": task.order}
    found = Task.objects.get_or_create(
        queue=queue, item=task.item, round=task.round, defaults={**same, "slots": None, "state": TaskState.DONE}
    )[0]
    found.queue, found.item = queue, task.item
    return found


def _annotation(task: Task, by: User, *, now: datetime) -> Annotation:
    begun = Annotation.objects.filter(author=by, item=task.item, activity=task.activity, round=task.round)
    unfinished = begun.filter(purpose=Purpose.REFERENCE).first()
    guidelines = projects.guidelines_of(task.item.project)
    return unfinished or recording.open_annotation(
        item_id=task.item_id,
        author=by,
        activity=task.activity,
        round=task.round,
        guidelines_id=guidelines.pk if guidelines else None,
        now=now,
        purpose=Purpose.REFERENCE,
    )


def _again(mine: Assignment, lease: Lease, *, by: User, now: datetime) -> Assignment:
    """Their finished reference, open again: until it is sent, the first version counts."""
    activity = registry.get(mine.task.item.project.protocol).activity(mine.task.activity)
    if all(stage.sealed for stage in activity.stages):
        raise WrongMove(_("What is sent in this activity can’t be changed."))
    mine.lease = lease
    Assignment.objects.filter(pk=mine.pk).update(lease=lease)
    transitions.assignment(mine, AssignmentState.LEASED, by=by, now=now, reopened=True)
    return mine


def _put_aside(lease: Lease, *, but: Task, now: datetime) -> None:
    others = lease.assignments.filter(state=AssignmentState.LEASED).exclude(task=but)
    for row in others.select_related("task__queue", "annotation"):
        transitions.assignment(row, AssignmentState.RETURNED, by=row.annotator, now=now)
    leases.close_if_done(lease, now=now)
