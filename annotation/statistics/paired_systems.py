"""Two systems whose answers to the same items were judged: how far apart they are (pure).

The difference is of each item's mean scores, so that what makes an item hard for both drops out, and items
weigh the same. An item that only one of them answered does not count.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from annotation.statistics.clustered_means import ClusteredMean, clustered_mean


class PairedSystems(NamedTuple):
    """The mean of the first's score less the second's; the shares of items on which either is better, or none."""

    difference: ClusteredMean
    better: ClusteredMean
    worse: ClusteredMean
    equal: ClusteredMean


EXACTNESS = 1e-9
"""Means that differ by less are equal but for rounding."""


def paired_systems(
    first: Iterable[tuple[Hashable, float]], second: Iterable[tuple[Hashable, float]]
) -> PairedSystems | None:
    """Compare the scores of two systems, each with its item; None if no item has both."""
    one, other = _means(first), _means(second)
    apart = {item: one[item] - other[item] for item in one if item in other}
    found = (
        clustered_mean(apart.items()),
        clustered_mean((item, value > EXACTNESS) for item, value in apart.items()),
        clustered_mean((item, value < -EXACTNESS) for item, value in apart.items()),
        clustered_mean((item, abs(value) <= EXACTNESS) for item, value in apart.items()),
    )
    difference, better, worse, equal = found
    return PairedSystems(difference, better, worse, equal) if difference and better and worse and equal else None


def _means(scores: Iterable[tuple[Hashable, float]]) -> dict[Hashable, float]:
    kept: dict[Hashable, list[float]] = {}
    for item, score in scores:
        kept.setdefault(item, []).append(float(score))
    return {item: sum(values) / len(values) for item, values in kept.items()}
