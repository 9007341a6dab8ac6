"""Decide a dispute for one of the annotations, or for a reference; take the decision back."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from annotation import membership, registry
from annotation.engine import recording
from annotation.engine.exclusion import checked_reason
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.models import Adjudication, Annotation, Item, Project, Purpose, Role, User
from annotation.protocol import Protocol
from tasks.corrections import more_annotations
from tasks.disputes import who
from tasks.engine import settling, similarity, transitions
from tasks.engine.transactions import service
from tasks.models import NO_DATA, Task
from tasks.models.states import TaskState


class AnswerGone(WrongMove):
    """The chosen answer does not count any more."""


def disputes_of(project: Project) -> QuerySet[Task]:
    """The tasks that wait for a decision."""
    return Task.objects.filter(queue__project=project, state=TaskState.DISPUTED)


def count_disputed_items(project: Project, splits: Iterable[str]) -> tuple[int, int]:
    """How many items of these splits are disputed, and how many of them wait for a decision."""
    items = Item.objects.filter(project=project, split__in=list(splits)).order_by()
    waiting = disputes_of(project).values("item")
    decided = Adjudication.objects.filter(item__project=project, taken_back_at=None).values("item")
    undecided = items.filter(pk__in=waiting).count()
    return undecided + items.filter(pk__in=decided).exclude(pk__in=waiting).count(), undecided


def task_of(item: Item, activity: str) -> Task | None:
    """The task of the item that is disputed, or was: the latest one that an expert can decide, or has decided."""
    rows = Task.objects.select_related("queue", "item__project").filter(item=item, activity=activity)
    rows = rows.exclude(queue__activity__in=NO_DATA).order_by("-round", "-pk")
    disputed = rows.filter(state=TaskState.DISPUTED).first()
    return disputed or next((row for row in rows if Adjudication.standing(item, activity, row.round)), None)


def references_of(task: Task) -> QuerySet[Annotation]:
    """The finished references that experts have written for a disputed task, oldest first."""
    rows = Annotation.objects.filter(item=task.item, activity=task.activity, round=task.round)
    return rows.filter(purpose=Purpose.REFERENCE, completed_at__isnull=False).order_by("completed_at", "pk")


def why_not_decide(task: Task, by: User) -> str | None:
    """Why this person may not decide it, or None; they see its answers, perhaps, all the same."""
    if not who.sees_answers(by, task.item.project):
        return _("Only experts and leads decide disputes.")
    if who.worked_on(by, task.item):
        return _("You have worked on this yourself, so somebody else decides.")
    return None


def why_not_open(task: Task) -> str:
    """Why a task that was disputed is no dispute now: more annotations are awaited, or somebody has decided it."""
    if more_annotations.is_awaiting(task):
        if more_annotations.may_take_back(task):
            return _("More annotations were asked for in the meantime. To decide now, undo that first.")
        return _("More annotations were asked for in the meantime. If they disagree, too, the dispute comes back.")
    return _("Somebody else has decided this dispute in the meantime.")


@service
def decide(task: Task, chosen: uuids.UUID, *, by: User, reason: str, now: datetime) -> Adjudication:
    """Decide for an annotation; of two experts who decide at once, one wins, and the other is told (WrongMove).

    Raises AnswerGone for an answer that was excluded, NotFound for what is no answer here, and ReasonMissing.
    """
    _locked(task, by)
    if task.state != TaskState.DISPUTED:
        raise WrongMove(f"{why_not_open(task)} {_('Your choice was not kept.')}")
    disagreeing, written = similarity.counting(task.item, task.activity), references_of(task)
    annotation = disagreeing.filter(uuid=chosen).first() or written.filter(uuid=chosen).first()
    if annotation is None and not task.item.annotations.filter(uuid=chosen, activity=task.activity).exists():
        raise NotFound
    if annotation is None:
        raise AnswerGone(_("The answer that you chose does not count any more: it was excluded. Choose another one."))
    agreed, said = settling.agreement_of(task), checked_reason(reason)
    made = recording.adjudicate(annotation, round=task.round, agreement=agreed, by=by, reason=said, now=now)
    transitions.task(task, TaskState.DONE, by=by, now=now)
    settling.make_items(task)
    return made


@service
def take_back(task: Task, *, by: User, reason: str, now: datetime) -> None:
    """Take the decision back, so that the dispute is open again; frozen releases keep it."""
    _locked(task, by)
    row = Adjudication.standing(task.item, task.activity, task.round)
    refused = _("There is no decision any more.") if row is None else why_not_take_back(task, row, by)
    if refused or row is None:
        raise WrongMove(refused or "")
    recording.take_back_decision(row, by=by, reason=checked_reason(reason), now=now)
    transitions.task(task, TaskState.DISPUTED, by=by, now=now)


def why_not_take_back(task: Task, row: Adjudication, by: User) -> str | None:
    """Why this person can't take the decision back, or None."""
    if row.by_id != by.pk and Role.LEAD not in membership.roles_of(by, task.item.project):
        return _("Only the person who decided, or a lead, can take it back.")
    if task.state != TaskState.DONE:
        return _("Its task has been opened again.")
    protocol = registry.get(task.item.project.protocol)
    makes_items = type(protocol).on_settled is not Protocol.on_settled
    if makes_items and any(annotation.made.exists() for annotation in settling.finished(task)):
        return _("Items were made from it, and other people may be working on them.")
    return None


def _locked(task: Task, by: User) -> None:
    """Lock the person, then the task; WrongMove if they may not decide."""
    membership.lock_person(by, task.item.project)
    transitions.lock_one(task)
    refused = why_not_decide(task, by)
    if refused:
        raise WrongMove(refused)
