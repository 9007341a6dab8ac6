"""What the finished annotations of items say under each measure, read from the rows of the record.

Counted are finished work and imports that are not excluded. Rows are read as tuples, some hundreds of items at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, islice
from math import nan
from typing import Any

import numpy as np
from django.db.models import Count, Q, QuerySet

from annotation import projects, registry
from annotation.agreement.table import NOTHING, UNKNOWN, RatedUnit, RatingsTable, plain
from annotation.engine import loading
from annotation.models import RELEASED, Annotation, Item, Project, Purpose, Response
from annotation.protocol import Activity
from annotation.releases import selection
from annotation.statistics import alpha, bootstrap
from annotation.statistics.ratings import Array, Statistic, clustered
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord

CHUNK = 1000
"""Annotations read at a time."""
RESPONSE = ("annotation_id", "stage", "turn", "revision", "seat", "schema", "payload", "author_id")
VISIBLE = selection.visible_items("item__")
"""Items of an import that is not done are not there yet."""
ANNOTATION = ("pk", "item_id", "item__split", "author_id", "completed_at", "external_id")


def counted(project: Project, activity: str, *, using: str) -> QuerySet[Annotation]:
    """The annotations of an activity that are measured."""
    return Annotation.objects.using(using).filter(
        VISIBLE,
        item__project=project,
        activity=activity,
        purpose__in=RELEASED,
        completed_at__isnull=False,
        excluded_at__isnull=True,
    )


def read(
    project: Project, activity: Activity, table: RatingsTable, *, items: set[int] | None = None, using: str
) -> Iterator[RatedUnit]:
    """The units of these items, or of all, with two or more annotations; new categories are added to the table."""
    found = counted(project, activity.key, using=using)
    if items is not None:
        found = found.filter(item__any_of=items)
    reader = _Reader(project, activity, table, using)
    rows = found.order_by("item_id", "pk").values_list(*ANNOTATION, named=True).iterator(chunk_size=CHUNK)
    waiting: list[Any] = []
    while part := list(islice(rows, CHUNK)):
        waiting += part
        last = waiting[-1].item_id  # its other annotations may be in the next part
        yield from reader.units([row for row in waiting if row.item_id != last])
        waiting = [row for row in waiting if row.item_id == last]
    yield from reader.units(waiting)


class _Reader:
    """Reads annotations of one activity, and what they say under its measures."""

    def __init__(self, project: Project, activity: Activity, table: RatingsTable, using: str) -> None:
        self._protocol = registry.get(project.protocol)
        self._config = projects.project_config(project)
        self._activity, self._using = activity, using
        measured = [one for one in self._protocol.measures if one.activity == activity.key]
        self._measures = [one for one in measured if isinstance(one, Measure)]
        self._measured = measured
        self._categories = [_Categories(one, table.categories[one.key]) for one in self._measures]

    def units(self, rows: list[Any]) -> Iterator[RatedUnit]:
        by_item: dict[int, list[Any]] = defaultdict(list)
        for row in rows:
            by_item[row.item_id].append(row)
        several = {item: found for item, found in by_item.items() if len(found) > 1}
        said = self._answers_by_annotation([row for found in several.values() for row in found])
        for item, found in several.items():
            records = [AnnotationRecord(self._activity.key, said[row.pk], row.external_id) for row in found]
            for turn, measured in self._by_turn(records):
                yield RatedUnit(
                    item=item,
                    turn=turn,
                    split=found[0].item__split,
                    at=max(row.completed_at for row in found).timestamp(),
                    annotations=[row.pk for row in found],
                    people=[row.author_id or UNKNOWN for row in found],
                    codes=[self._codes(place, turn, measured) for place in range(len(self._measures))],
                    pairs=[column for one in self._measured for column in self._pairs(one, turn, measured)],
                )

    def _by_turn(self, records: list[AnnotationRecord]) -> Iterator[tuple[int, list[AnnotationRecord]]]:
        """The whole annotations as turn 0, if something is measured of them, and each turn that is measured."""
        if not all(one.by_turn for one in self._measured):
            yield 0, records
        if any(one.by_turn for one in self._measured):
            for turn in sorted({entry.turn for record in records for entry in record.answers if entry.turn}):
                yield (
                    turn,
                    [
                        record._replace(answers=tuple(entry for entry in record.answers if entry.turn == turn))
                        for record in records
                    ],
                )

    def _codes(self, place: int, turn: int, records: list[AnnotationRecord]) -> list[int]:
        one, categories = self._measures[place], self._categories[place]
        if one.by_turn != bool(turn):
            return [NOTHING] * len(records)
        own: dict[Hashable, int] = {}
        return [categories.code(one.value(record), own) for record in records]

    def _pairs(
        self, one: Measure | Comparison, turn: int, records: list[AnnotationRecord]
    ) -> Iterator[Sequence[float]]:
        if isinstance(one, Measure) and one.scale != "set":
            return
        of = one.value if isinstance(one, Measure) else one.part
        parts = [of(record) if one.by_turn == bool(turn) else None for record in records]
        functions: tuple[Callable[[Any, Any], float], ...] = (alpha.jaccard, alpha.masi)
        if isinstance(one, Comparison):
            functions = (one.compare, one.weight)
        pairs = [(a, b) if a is not None and b is not None else None for a, b in combinations(parts, 2)]
        for function in functions:
            yield [nan if pair is None else function(*pair) for pair in pairs]

    def _answers_by_annotation(self, rows: list[Any]) -> dict[int, Any]:
        """What counts of each annotation: as it was when the work was last complete, if it has been re-opened."""
        kept: dict[int, list[Any]] = defaultdict(list)
        found = Response.objects.using(self._using).filter(annotation__any_of={row.pk for row in rows})
        for response in found.order_by("pk").values_list(*RESPONSE, named=True):
            kept[response.annotation_id].append(response)
        revised = [row for row in rows if any(response.revision > 1 for response in kept[row.pk])]
        items = (
            Item.objects.using(self._using).select_related("root").filter(pk__any_of={row.item_id for row in revised})
        )
        records = {item.pk: loading.item_record(item) for item in items} if revised else {}
        for row in revised:
            record = records[row.item_id]
            kept[row.pk] = loading.whole(self._protocol, self._activity, record, self._config, kept[row.pk])
        return {row.pk: loading.said_of(self._activity, kept[row.pk]) for row in rows}


class _Categories:
    """The codes of one measure's values; a value that means the same everywhere becomes a category when it is met."""

    def __init__(self, measure: Measure, known: list[Any]) -> None:
        self._known, self._fixed = known, measure.everywhere is not None
        self._codes = {_key(value): code for code, value in enumerate(known)}

    def code(self, value: Hashable | None, own: dict[Hashable, int]) -> int:
        """`own`: the codes of the values that this item has alone; they are added as they are met."""
        if value is None:
            return NOTHING
        found = self._codes.get(_key(plain(value)))
        if found is not None:
            return found
        if self._fixed:
            return own.setdefault(value, NOTHING - 1 - len(own))
        self._known.append(plain(value))
        self._codes[_key(plain(value))] = len(self._known) - 1
        return len(self._known) - 1


def _key(value: Any) -> Hashable:
    return tuple(value) if isinstance(value, list) else value


def not_counted(project: Project, activity: str, *, using: str) -> dict[str, dict[str, int]]:
    """How many annotations of an activity are left out, by split and reason; how many are counted, and `imported`."""
    late = Q(exclusion_reason="late")
    ours, other = Q(purpose__in=RELEASED), {"checks": (Purpose.CHECK, Purpose.REFERENCE), "exams": (Purpose.QUIZ,)}
    conditions = {
        "counted": ours & Q(completed_at__isnull=False, excluded_at__isnull=True),
        "imported": Q(purpose=Purpose.IMPORT, completed_at__isnull=False, excluded_at__isnull=True),
        "unfinished": ours & Q(completed_at=None, excluded_at=None),
        "excluded": ours & Q(excluded_at__isnull=False) & ~late,
        "late": ours & late,
        "studies": Q(purpose=Purpose.STUDY),
    } | {name: Q(purpose__in=purposes) for name, purposes in other.items()}
    return _counts(project, activity, conditions, using)


def _counts(project: Project, activity: str, conditions: dict[str, Q], using: str) -> dict[str, dict[str, int]]:
    rows = Annotation.objects.using(using).filter(VISIBLE, item__project=project, activity=activity)
    counts = {name: Count("pk", filter=condition) for name, condition in conditions.items()}
    found = rows.order_by().values_list("item__split").annotate(**counts)
    return {split: dict(zip(conditions, numbers, strict=True)) for split, *numbers in found}


def clusters_of(table: RatingsTable) -> Array:
    """The cluster of each unit: those of an item together, and many items in groups."""
    items, place = table.items
    return bootstrap.groups_of(items)[place]


def of_units(table: RatingsTable, statistic: Statistic, units: Array) -> Statistic:
    """A statistic whose columns are those of these units, with the clusters of their items."""
    items, place = np.unique(table.item[units], return_inverse=True)
    clusters = bootstrap.groups_of(items)[place]
    columns = clustered(clusters, int(clusters.max(initial=-1)) + 1, list(statistic.columns.T))
    compared = statistic.columns.any(axis=1)
    return Statistic(columns, statistic.value, len(np.unique(place[compared])))
