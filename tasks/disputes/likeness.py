"""How alike an item's annotations are, kept for the lists of the worst: measured when a task settles, or by a job."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet, Sum

from annotation import loading, registry
from annotation.agreement import likeness
from annotation.models import Annotation, Item, Job, Project, Purpose
from annotation.records import AnnotationRecord
from tasks.models import Likeness
from tasks.transactions import service

AT_MOST = 200
"""Items that one run of the job measures."""
COUNTING = Q(
    Q(item__job__isnull=True) | Q(item__job__state=Job.State.DONE),
    completed_at__isnull=False,
    excluded_at__isnull=True,
    purpose__in=(Purpose.WORK, Purpose.IMPORT),
)
"""The annotations that are compared: finished, not excluded, no checks, quizzes or references."""


def counting(item: Item, activity: str) -> QuerySet[Annotation]:
    """The annotations of an item that are compared."""
    return Annotation.objects.filter(COUNTING, item=item, activity=activity).order_by("position", "completed_at", "pk")


def due(project: Project) -> list[tuple[int, str]]:
    """The items and activities to be measured (again), since they have other annotations than when they were."""
    rows = Annotation.objects.filter(COUNTING, item__project=project).order_by().values("item", "activity")
    found = rows.annotate(annotations=Count("pk"), marker=Sum("pk")).filter(annotations__gt=1)
    known = Likeness.objects.filter(item__project=project)
    measured = set(known.values_list("item", "activity", "annotations", "marker"))
    now = set(found.values_list("item", "activity", "annotations", "marker"))
    return sorted({(item, activity) for item, activity, *_counts in now ^ measured})


def measure_due(*, at_most: int = AT_MOST) -> int:
    """Measure what is due in every project, up to so many items; returns how many were measured."""
    left = at_most
    for project in Project.objects.order_by("pk"):
        for item, activity in due(project)[:left]:
            measure(Item.objects.select_related("project").get(pk=item), activity)
            left -= 1
    return at_most - left


@service
def measure(item: Item, activity: str) -> None:
    """Compare the annotations of an item and keep the result; forget it if fewer than two are left."""
    found = list(counting(item, activity))
    if len(found) < 2:
        Likeness.objects.filter(item=item, activity=activity).delete()
        return
    keep(item, found, of_records(item, loading.finished_records(found, item)))


def of_records(item: Item, records: list[AnnotationRecord]) -> float:
    """The mean likeness of annotations of an item."""
    return likeness.mean_likeness(records, registry.get(item.project.protocol).compare)


def keep(item: Item, found: list[Annotation], value: float) -> None:
    """Keep what was measured."""
    now = {"annotations": len(found), "marker": sum(row.pk for row in found), "value": value}
    Likeness.objects.update_or_create(item=item, activity=found[0].activity, defaults=now)


def forget(item: Item, activity: str) -> None:
    """Have it measured again, since an answer was revised."""
    Likeness.objects.filter(item=item, activity=activity).delete()
