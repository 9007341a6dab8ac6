"""How many more annotations of an item can be asked for, and what was asked for and can be taken back."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import registry
from annotation.models import Item
from tasks.corrections import more_annotations
from tasks.engine import settling
from tasks.models import ADJUDICATE, Task
from tasks.models.states import AssignmentState, QueueState, TaskState


@dataclass(frozen=True)
class More:
    """A task: how many annotations it `wants` and `has`, `excluded` of them; `why_not` and `undo` (a URL) may be ""."""

    title: str
    url: str
    wants: int
    has: int
    sent_back: int
    excluded: int
    why_not: str
    ended: bool
    closed: bool
    undo: str
    asked: int


def of(item: Item) -> list[More]:
    """Each task in which people annotate the item, but for those that nobody has to do."""
    protocol = registry.get(item.project.protocol)
    tasks = Task.objects.filter(item=item).exclude(queue__activity=ADJUDICATE)
    tasks = tasks.exclude(activity__in=protocol.substitutes).select_related("queue__project", "item__project")
    return [_more(task) for task in tasks.order_by("pk")]


def _more(task: Task) -> More:
    activity = registry.get(task.queue.project.protocol).activity(task.activity)
    names = [task.queue.project.slug, task.item_id]
    last = more_annotations.last_asked(task)
    # The first answer of who has it again counts until they have finished anew.
    again = task.assignments.filter(state=AssignmentState.LEASED, annotation__completed_at__isnull=False).count()
    may_undo = last is not None and more_annotations.may_take_back(task)
    return More(
        title=_(activity.title),
        url=reverse("more_of_item", args=[*names, task.pk]),
        wants=(task.slots or 0) // len(activity.seats),
        has=(len(more_annotations.submitted(task)) + again) // len(activity.seats),
        sent_back=again // len(activity.seats),
        excluded=sum(row.excluded_at is not None for row in settling.finished(task)),
        why_not=str(more_annotations.why_not_more(task) or ""),
        ended=task.state in (TaskState.DONE, TaskState.DISPUTED),
        closed=task.queue.state != QueueState.OPEN,
        undo=reverse("no_more_of_item", args=[*names, task.pk]) if may_undo else "",
        asked=last.data["count"] if last is not None else 0,
    )
