"""Where systems were judged: what was found of each, and how far any two of them are apart on the same items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from annotation.judging import draw
from annotation.judging.results import GivenMark, type_shares
from annotation.judging.rubrics import Rubric
from annotation.models import JudgingRound
from annotation.statistics.clustered_means import ClusteredMean, clustered_mean, paired_systems
from annotation.statistics.marks import DECIMALS


def systems_of(row: JudgingRound, *, using: str | None = None) -> dict[int, str]:
    """The name of the system of each exhibit that counts, by its key; {} if people's answers are judged."""
    exhibits = draw.judged(row, using=using).filter(prediction__isnull=False)
    return dict(exhibits.values_list("pk", "prediction__set__system"))


def results_by_system(rubric: Rubric, marks: Sequence[GivenMark], systems: Mapping[int, str]) -> dict[str, Any] | None:
    """What was found of each system and pair, as JSON; None if none of the marks is of one.

    `by`: by name, how many exhibits, the shares of the marks, and the mean score with its interval by item (None for a
    rubric without scores). `pairs`: of any two the mean difference of the first and the second, and the shares of items
    on which the first is better, worse and equal, over the `items` that have marks of both; no interval leaves them
    out. A score is the number that a mark is, or whether it counts as right.
    """
    of_system = {
        name: [one for one in marks if systems.get(one.exhibit) == name] for name in sorted({*systems.values()})
    }
    if not any(of_system.values()):
        return None
    score = score_of(rubric)
    scored = {name: [(one.item, score(one)) for one in each] for name, each in of_system.items()} if score else {}
    return {
        "by": {
            name: type_shares(rubric, each).as_json() | {"mean": _kept(clustered_mean(scored.get(name, ())))}
            for name, each in of_system.items()
        },
        "pairs": [found for one, other in combinations(scored, 2) if (found := _pair(scored, one, other))],
    }


def score_of(rubric: Rubric) -> Callable[[GivenMark], float] | None:
    """The score that a mark is; None if marks are neither numbers nor right or wrong."""
    if all(mark.key.isdigit() for mark in rubric.marks):
        return lambda one: float(one.mark)
    return (lambda one: float(one.mark in rubric.right)) if rubric.right else None


def _pair(scored: Mapping[str, Sequence[tuple[int, float]]], one: str, other: str) -> dict[str, Any] | None:
    found = paired_systems(scored[one], scored[other])
    if found is None:
        return None
    figures = {name: _kept(getattr(found, name)) for name in ("difference", "better", "worse", "equal")}
    return {"one": one, "other": other, "items": len(found.difference.sums), **figures}


def _kept(mean: ClusteredMean | None) -> list[Any] | None:
    return None if mean is None else mean.figure(seed="systems").estimate.kept(DECIMALS)
