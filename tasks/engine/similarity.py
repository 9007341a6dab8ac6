"""How alike an item's annotations are, kept for the lists of the worst: measured when a task settles, or by a job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from django.core.cache import cache
from django.db.models import Count, Q, QuerySet, Sum

from annotation import registry
from annotation.engine import loading
from annotation.models import Annotation, Event, Item, Project, Purpose
from annotation.releases.selection import visible_items
from annotation.values.records import AnnotationRecord
from tasks.engine.transactions import service
from tasks.models import ItemSimilarity

AT_MOST = 1000
"""Items that one run of the job measures."""
TOGETHER = 100
"""Items that are read and written at a time, so that no page waits long for this process or for the database."""
COMPARED = Q(completed_at__isnull=False, excluded_at__isnull=True, purpose__in=(Purpose.WORK, Purpose.IMPORT))
"""The annotations that are compared: finished, not excluded, no checks, quizzes or references."""
COUNTING = Q(visible_items("item__"), COMPARED)
"""Those of items in the work."""
ORDER = ("position", "completed_at", "pk")


def counting(item: Item, activity: str) -> QuerySet[Annotation]:
    """The annotations of an item that are compared, also of one that is set aside."""
    return Annotation.objects.filter(COMPARED, item=item, activity=activity).order_by(*ORDER)


def due(project: Project) -> list[tuple[int, str]]:
    """The items and activities to be measured (again), since they have other annotations than when they were."""
    rows = Annotation.objects.filter(COUNTING, item__project=project).order_by().values("item", "activity")
    found = rows.annotate(annotations=Count("pk"), marker=Sum("pk")).filter(annotations__gt=1)
    known = ItemSimilarity.objects.filter(item__project=project)
    measured = set(known.values_list("item", "activity", "annotations", "marker"))
    now = set(found.values_list("item", "activity", "annotations", "marker"))
    return sorted({(item, activity) for item, activity, *_counts in now ^ measured})


def measure_due(*, at_most: int = AT_MOST) -> int:
    """Measure what is due in the projects in which something has happened, up to so many items; returns how many."""
    left = at_most
    for project in Project.objects.order_by("pk"):
        last = Event.objects.filter(project_id=project.pk).order_by("-pk").values_list("pk", "subject", "at").first()
        if left <= 0 or last is None or cache.get(_key(project)) == last:
            continue
        rows = due(project)
        for start in range(0, min(len(rows), left), TOGETHER):
            measure(project, rows[start : min(start + TOGETHER, left)])
        if len(rows) <= left:
            cache.set(_key(project), last)
        left -= min(len(rows), left)
    return at_most - left


def _key(project: Project) -> str:
    """Where the cache keeps up to which event nothing is due any more."""
    return f"similarity-{project.pk}"


@service
def measure(project: Project, rows: Sequence[tuple[int, str]]) -> None:
    """Compare the annotations of these items, and keep the results; forget those with fewer than two left."""
    items = Item.with_undone.select_related("root").in_bulk({item for item, _activity in rows})
    found: dict[tuple[int, str], list[Annotation]] = defaultdict(list)
    for row in Annotation.objects.filter(COUNTING, item__in=items).order_by(*ORDER):
        found[row.item_id, row.activity].append(row)
    for key in rows:
        item, annotations = items[key[0]], found[key]
        item.project = project
        if len(annotations) < 2:
            forget(item, key[1])
        else:
            keep(item, annotations, of_records(item, loading.finished_records(annotations, item)))


def of_records(item: Item, records: list[AnnotationRecord]) -> float:
    """The mean similarity (0..1) of two or more annotations of an item: of all pairs, as the protocol compares them."""
    compare = registry.get(item.project.protocol).compare
    values = [compare(first.activity, first, second) for first, second in combinations(records, 2)]
    return sum(values) / len(values)


def keep(item: Item, annotations: list[Annotation], value: float) -> None:
    """Keep what was measured."""
    row = ItemSimilarity(
        item=item,
        activity=annotations[0].activity,
        annotations=len(annotations),
        marker=sum(each.pk for each in annotations),
        value=value,
    )
    ItemSimilarity.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["item", "activity"],
        update_fields=["annotations", "marker", "value"],
    )


def forget(item: Item, activity: str) -> None:
    """Have it measured again, since an answer was revised."""
    ItemSimilarity.objects.filter(item=item, activity=activity).delete()
