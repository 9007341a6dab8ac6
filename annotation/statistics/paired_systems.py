"""Two systems whose answers to the same questions were judged: how far apart they are (pure).

The difference is of each question's mean scores, so that what makes a question hard for both drops out, and questions
weigh the same. A question that only one of them answered does not count.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from annotation.statistics.clustered_means import ClusteredMean, clustered_mean


class PairedSystems(NamedTuple):
    """The mean of the first's score less the second's; the shares of questions on which either is better, or none."""

    difference: ClusteredMean
    better: ClusteredMean
    worse: ClusteredMean
    equal: ClusteredMean


EXACTNESS = 1e-9
"""Means that differ by less are equal but for rounding."""


def paired_systems(
    first: Iterable[tuple[Hashable, float]], second: Iterable[tuple[Hashable, float]]
) -> PairedSystems | None:
    """Compare the scores of two systems, each with its question; None if no question has both."""
    one, other = _means(first), _means(second)
    apart = {question: one[question] - other[question] for question in one if question in other}
    found = (
        clustered_mean(apart.items()),
        clustered_mean((question, value > EXACTNESS) for question, value in apart.items()),
        clustered_mean((question, value < -EXACTNESS) for question, value in apart.items()),
        clustered_mean((question, abs(value) <= EXACTNESS) for question, value in apart.items()),
    )
    difference, better, worse, equal = found
    return PairedSystems(difference, better, worse, equal) if difference and better and worse and equal else None


def _means(scores: Iterable[tuple[Hashable, float]]) -> dict[Hashable, float]:
    kept: dict[Hashable, list[float]] = {}
    for question, score in scores:
        kept.setdefault(question, []).append(float(score))
    return {question: sum(values) / len(values) for question, values in kept.items()}
