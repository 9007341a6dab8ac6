"""How long finished work took: seconds that count, of the latest pieces of an activity."""

from __future__ import annotations

from collections import defaultdict
from math import sqrt
from statistics import median
from typing import NamedTuple

from django.db.models import Sum

from annotation.models import Annotation, Project, Purpose, TimeSpan, items_in_work
from annotation.models.time import COUNTED
from annotation.statistics.shares import Z

LATEST = 2000
"""How many of an activity's latest finished pieces of work go into its statistics."""


class Median(NamedTuple):
    """The median of `n` durations, and the ends of its 95 % interval by order statistics (None: too few)."""

    n: int
    value: float
    low: float | None
    high: float | None


def by_stage(project: Project, activity: str) -> list[tuple[str, int, float]]:
    """(stage, annotation, seconds) of the latest finished work that was measured."""
    return seconds_by_stage(_latest(project, activity))


def by_person(project: Project, activity: str) -> list[tuple[int, int, float]]:
    """(annotation, annotator, seconds) of the same work: what each of those who did it spent on it."""
    spans = TimeSpan.objects.filter(annotation__any_of=_latest(project, activity), kind__in=COUNTED)
    return list(spans.values_list("annotation", "annotator").annotate(seconds=Sum("seconds")).order_by())


def _latest(project: Project, activity: str) -> set[int]:
    done = Annotation.objects.filter(
        items_in_work("item__"), item__project=project, activity=activity, completed_at__isnull=False
    )
    latest = (
        done.filter(excluded_at=None)
        .exclude(purpose=Purpose.IMPORT)
        .order_by("-completed_at")
        .values_list("pk", flat=True)
    )
    return set(latest[:LATEST])


def seconds_by_stage(annotations: set[int]) -> list[tuple[str, int, float]]:
    """(stage, annotation, seconds) of these."""
    spans = TimeSpan.objects.filter(annotation__any_of=annotations, kind__in=COUNTED)
    return list(spans.values_list("stage", "annotation").annotate(seconds=Sum("seconds")).order_by())


def whole(rows: list[tuple[str, int, float]]) -> dict[int, float]:
    """Seconds by annotation."""
    found: defaultdict[int, float] = defaultdict(float)
    for _stage, annotation, seconds in rows:
        found[annotation] += seconds
    return dict(found)


def median_of(seconds: list[float]) -> Median | None:
    """The median of durations with its interval; None of none."""
    if not seconds:
        return None
    ordered, n = sorted(seconds), len(seconds)
    reach = Z * sqrt(n) / 2
    low, high = int(n / 2 - reach), int(n / 2 + reach + 1)
    inside = low >= 1 and high <= n
    return Median(n, median(ordered), ordered[low - 1] if inside else None, ordered[high - 1] if inside else None)
