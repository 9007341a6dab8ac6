"""What is still to be made in a project: in its queues, and before the first of them is open, of its items."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from annotation import projects, registry
from annotation.models import Annotation, Item, Project, Purpose
from annotation.protocol import Activity
from tasks.engine import queues
from tasks.models import Queue
from tasks.setup import estimate, numbers


@dataclass(frozen=True)
class BeforeQueues:
    """A project in which no queue was ever opened: how many items were imported, and what they will take."""

    items: int
    estimate: estimate.WorkEstimate


def before_queues(project: Project) -> BeforeQueues | None:
    """None once a queue was opened."""
    if Queue.objects.filter(project=project).exists():
        return None
    imported = Item.objects.filter(queues.visible(), project=project, root=None, made_from=None)
    return BeforeQueues(imported.count(), estimate.of_project(project, left_with_unopened(project)))


def left_in_queues(project: Project) -> dict[str, float]:
    """Annotations still to be made, by activity, of the queues that were ever opened."""
    return {key: found.free + found.leased for key, found in numbers.of_project(project).items()}


def left_with_unopened(project: Project) -> dict[str, float]:
    """The same, and all of what belongs in the queues that were never opened."""
    left, protocol = left_in_queues(project), registry.get(project.protocol)
    others = [each for each in protocol.activities if each.key not in {*left, *protocol.substitutes}]
    return left | {each.key: _of_items(project, each) for each in others}


def _of_items(project: Project, activity: Activity) -> float:
    """The annotations that the items of an activity would get; imported ones count for those that came with some."""
    items = Item.objects.filter(queues.visible(), project=project, kind=activity.kind)
    if activity.train_only:
        items = items.filter(split="train")
    by_split = dict(items.order_by().values_list("split").annotate(n=Count("pk")))
    imported = Annotation.objects.filter(item__in=items, purpose=Purpose.IMPORT, activity=activity.key).order_by()
    rows = imported.values_list("item__split").annotate(Count("item", distinct=True), Count("pk"))
    config, left = projects.activity_config(project, activity.key), 0.0
    for split, with_some, there in rows:
        by_split[split] -= with_some
        left += max(0.0, estimate.annotations_of(activity, config, {split: with_some}) - there)
    return left + estimate.annotations_of(activity, config, by_split)
