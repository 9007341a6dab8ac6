"""How long finished work takes: percentiles of the time that counts, for each stage and for the whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NotRequired, TypedDict

from annotation.models import Annotation, Project, items_in_work
from annotation.protocol import Activity
from annotation.statistics.estimates import Estimate
from annotation.statistics.intervals import intervals, ratio_estimate
from annotation.worktime import taken
from tasks.models import Assignment
from tasks.models.states import AssignmentState

DECIMALS = 2
WHOLE = ""
"""Stands for all stages of a piece of work."""


class TimesMeasured(TypedDict):
    """Percentiles and the mean of `n` times, in seconds; `estimate`: the mean with its interval, as `Estimate.kept`."""

    n: int
    mean: float
    low: float
    lower: float
    median: float
    upper: float
    high: float
    estimate: NotRequired[list[float | int | None]]


class StageTimesMeasured(TimesMeasured):
    """Those of a stage, by its key."""

    stage: str


class ActivityTimes(TypedDict):
    """Those of each stage that has any, and of the whole pieces of work. Kept as JSON by the board."""

    rows: list[StageTimesMeasured]
    whole: TimesMeasured


def measure(project: Project, activity: Activity) -> ActivityTimes | None:
    """The times of finished work; None without any."""
    sums = taken.seconds_by_stage(_latest(project, activity))
    by_stage: defaultdict[str, list[float]] = defaultdict(list)
    for stage, _annotation, seconds in sums:
        by_stage[stage].append(seconds)
    whole = taken.whole(sums)
    if not whole:
        return None
    answered = [stage.key for stage in activity.stages if by_stage[stage.key]]
    rows: list[StageTimesMeasured] = [{"stage": key, **distribution(by_stage[key])} for key in answered]
    return {"rows": rows, "whole": distribution(list(whole.values()))}


def with_intervals(project: Project, activity: Activity) -> ActivityTimes | None:
    """What `measure` returns, with the intervals of the means."""
    found = measure(project, activity)
    if found is None:
        return None
    means = _means(taken.seconds_by_stage(_latest(project, activity)))
    for row in found["rows"]:
        row["estimate"] = means[row["stage"]].kept(DECIMALS)
    found["whole"]["estimate"] = means[WHOLE].kept(DECIMALS)
    return found


def _means(sums: list[tuple[str, int, float]]) -> dict[str, Estimate]:
    """The mean seconds of each stage and of the whole. Work on the same item takes about as long: whole items vary."""
    item_of = dict(
        Annotation.objects.filter(pk__any_of={pk for _stage, pk, _seconds in sums}).values_list("pk", "item")
    )
    everything = [*sums, *((WHOLE, annotation, seconds) for annotation, seconds in taken.whole(sums).items())]
    place = {stage: 2 * n for n, stage in enumerate(sorted({stage for stage, _annotation, _seconds in everything}))}
    by_item: defaultdict[int, list[float]] = defaultdict(lambda: [0.0] * (2 * len(place)))
    for stage, annotation, seconds in everything:
        row = by_item[item_of[annotation]]
        row[place[stage]] += seconds
        row[place[stage] + 1] += 1
    rows = [tuple(by_item[item]) for item in sorted(by_item)]
    return intervals(rows, {stage: ratio_estimate(at, at + 1) for stage, at in place.items()}, seed="times")


def _latest(project: Project, activity: Activity) -> set[int]:
    """By the time at which work was handed in, which has an index. What was excluded doesn't count."""
    queues = list(project.queues.filter(activity=activity.key).values_list("pk", flat=True))
    done = Assignment.objects.filter(
        items_in_work("task__item__"),
        task__queue__in=queues,
        state=AssignmentState.SUBMITTED,
        annotation__excluded_at=None,
    )
    return set(done.order_by("-closed_at", "-pk").values_list("annotation", flat=True)[: taken.LATEST])


def distribution(seconds: Sequence[float]) -> TimesMeasured:
    """Of one value or more."""
    ordered = sorted(seconds)
    return {
        "n": len(ordered),
        "mean": sum(ordered) / len(ordered),
        "low": percentile(ordered, 10),
        "lower": percentile(ordered, 25),
        "median": percentile(ordered, 50),
        "upper": percentile(ordered, 75),
        "high": percentile(ordered, 90),
    }


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which that percentage lies, between the two nearest ones; `ordered` is sorted and not empty."""
    at = (len(ordered) - 1) * share / 100
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)
