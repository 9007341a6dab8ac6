"""How long finished work takes: percentiles of the time that counts, for each stage and for the whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from typing import Any

from annotation.agreement.shares import Z
from annotation.models import Project
from annotation.protocol import Activity
from annotation.worktime import taken
from tasks.models import Assignment
from tasks.states import AssignmentState

PERCENTILES = {"low": 10, "lower": 25, "median": 50, "upper": 75, "high": 90}


def measure(project: Project, activity: Activity) -> dict[str, Any] | None:
    """The distribution of seconds by stage (`rows`, those with any time) and of the `whole`; None without any."""
    sums = taken.of(_latest(project, activity))
    by_stage: defaultdict[str, list[float]] = defaultdict(list)
    for stage, _annotation, seconds in sums:
        by_stage[stage].append(seconds)
    whole = taken.whole(sums)
    if not whole:
        return None
    answered = [stage.key for stage in activity.stages if by_stage[stage.key]]
    rows = [{"stage": key, **distribution(by_stage[key])} for key in answered]
    return {"rows": rows, "whole": distribution(list(whole.values()))}


def _latest(project: Project, activity: Activity) -> set[int]:
    """By the time at which work was handed in, which has an index. What was excluded doesn't count."""
    queues = list(project.queues.filter(activity=activity.key).values_list("pk", flat=True))
    done = Assignment.objects.filter(
        task__queue__in=queues, state=AssignmentState.SUBMITTED, annotation__excluded_at=None
    )
    return set(done.order_by("-closed_at", "-pk").values_list("annotation", flat=True)[: taken.LATEST])


def distribution(seconds: Sequence[float]) -> dict[str, Any]:
    """Percentiles, and the mean with its interval (by the normal approximation; None for one piece of work)."""
    ordered = sorted(seconds)
    n, mean = len(ordered), sum(ordered) / len(ordered)
    half = Z * sqrt(sum((one - mean) ** 2 for one in ordered) / (n - 1) / n) if n > 1 else None
    interval = (None, None) if half is None else (max(0.0, mean - half), mean + half)
    found = {name: percentile(ordered, share) for name, share in PERCENTILES.items()}
    return {"n": n, "mean": mean, "mean_low": interval[0], "mean_high": interval[1], **found}


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which that percentage lies, between the two nearest ones; `ordered` is sorted and not empty."""
    at = (len(ordered) - 1) * share / 100
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)
