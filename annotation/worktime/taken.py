"""How long finished work took: seconds that count, of the latest pieces of an activity.

Answers that took far less time than their author usually takes at that stage are listed for a lead, nothing more. The
floor is a share of the person's own median, and applies to work claimed under guidelines that declare it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from statistics import median
from typing import NamedTuple

from django.db.models import Sum

from annotation.models import Annotation, Item, Project, Purpose, TimeSpan, items_in_work
from annotation.models.time import COUNTED
from annotation.statistics.intervals import Z

LATEST = 2000
"""How many of an activity's latest finished pieces of work go into its statistics."""


AMONG = 3
"""So many times as many of the site's latest annotations are looked at before those of a project are sorted."""


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
    return set(latest_done(project, activity, at_most=LATEST))


def latest_done(project: Project, activity: str, *, at_most: int) -> dict[int, datetime]:
    """By key, when the latest finished annotations were completed, without excluded and imported ones, latest first.

    They are looked for among the latest of the whole site, which an index has in that order. To sort all of a large
    project took a second; only one that others have long overtaken is sorted.
    """
    done = Annotation.objects.filter(activity=activity, completed_at__isnull=False, excluded_at=None)
    done = done.exclude(purpose=Purpose.IMPORT).order_by("-completed_at", "-pk")
    for among in (at_most, AMONG * at_most):
        lately = list(done.values_list("pk", "completed_at", "item")[:among])
        items = Item.objects.filter(items_in_work(), pk__any_of={item for _pk, _done, item in lately}, project=project)
        ours = set(items.values_list("pk", flat=True))
        found = [(pk, at) for pk, at, item in lately if item in ours]
        if len(found) >= at_most or len(lately) < among:
            break
    else:
        of_project = done.filter(items_in_work("item__"), item__project=project)
        found = list(of_project.values_list("pk", "completed_at")[:at_most])
    return {pk: at for pk, at in found[:at_most] if at is not None}


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


USUAL = 20
"""Measured annotations at a stage from which a person's median is meaningful."""
LATEST_EXAMINED = 5000
"""How many finished annotations of an activity are examined, latest first."""


@dataclass(frozen=True)
class FastAnswer:
    """Seconds for which a stage was visible, and the median of its author's `n` annotations at that stage."""

    annotation: int
    done: datetime
    stage: str
    seconds: float
    usual: float
    n: int


def below_floor(project: Project, activity: str) -> list[FastAnswer]:
    """The answers below the floor, latest first. Unmeasured work (bots, imports) is not considered."""
    done_at = latest_done(project, activity, at_most=LATEST_EXAMINED)
    groups = defaultdict(list)
    for author, stage, annotation, share, seconds in _in_sight(list(done_at)):
        groups[author, stage].append((annotation, share, seconds))
    found = []
    for (_author, stage), pieces in groups.items():
        usual = median(seconds for _annotation, _share, seconds in pieces)
        found += [
            FastAnswer(annotation, done_at[annotation], stage, seconds, usual, len(pieces))
            for annotation, share, seconds in pieces
            if len(pieces) >= USUAL and seconds < share * usual
        ]
    return sorted(found, key=lambda one: one.done, reverse=True)


def _in_sight(annotations: list[int]) -> list[tuple[int, str, int, float, float]]:
    """(author, stage, annotation, declared share, seconds visible, idle ones included)."""
    spans = TimeSpan.objects.filter(annotation__in=annotations).exclude(annotation__guidelines=None).order_by()
    rows = spans.values_list("annotator", "stage", "annotation", "annotation__guidelines__fast_share")
    return list(rows.annotate(sum=Sum("seconds")))
