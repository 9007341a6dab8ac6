"""Means and shares of values that belong to clusters, with 95 % intervals by whole clusters (pure).

A value is of an answer, a pair of answers or a turn; its cluster is the item with all that is under it. Values of one
cluster are not independent, so the bootstrap draws clusters (`intervals`). A share has Wilson's interval instead where
each cluster is one trial: if all have a single value, or if all values are alike, which leaves nothing to draw.

How far apart two systems are whose answers to the same items were judged: the difference is of each item's mean
scores, so that what makes an item hard for both drops out, and items weigh the same. An item that only one of them
answered does not count.

How much a rater says the same of an exhibit that comes again is a share, too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from annotation.statistics.estimates import Estimate
from annotation.statistics.human_bound import Figure
from annotation.statistics.intervals import intervals, ratio_estimate, wilson

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUPED = 500
"""The clusters of more are put together at random into so many (`bootstrap.groups_of`)."""


class ClusteredMean(NamedTuple):
    """The sum and the number of the values of each cluster that has any. `is_share`: they are all true or false."""

    sums: tuple[tuple[float, int], ...]
    is_share: bool

    @property
    def value(self) -> float:
        """The mean of all values."""
        return sum(total for total, _n in self.sums) / self.n

    @property
    def n(self) -> int:
        """How many values."""
        return sum(n for _total, n in self.sums)

    def figure(self, *, seed: str) -> Figure:
        """With its interval, if it has one; counted are the clusters, then the values."""
        return Figure.from_estimate(self._estimate(seed), (len(self.sums), self.n))

    def _estimate(self, seed: str) -> Estimate:
        if self.is_share and (self.value in (0, 1) or self.n == len(self.sums)):
            _value, low, high, n = wilson(sum(total > 0 for total, _n in self.sums), len(self.sums))
            return Estimate(self.value, low, high, n)
        return intervals(self._drawn(), {"mean": ratio_estimate(0, 1)}, seed=seed)["mean"]

    def _drawn(self) -> Sequence[tuple[float, ...]]:
        if len(self.sums) <= GROUPED:
            return self.sums
        import numpy as np

        from annotation.statistics import bootstrap

        groups = bootstrap.groups_of(np.arange(len(self.sums)), groups=GROUPED)
        rows = np.zeros((GROUPED, 2))
        np.add.at(rows, groups, np.array(self.sums, dtype=np.float64))
        return [tuple(row) for row in rows.tolist()]


def clustered_mean(values: Iterable[tuple[Hashable, float]]) -> ClusteredMean | None:
    """The mean of values, each with its cluster; None of none."""
    sums: dict[Hashable, tuple[float, int]] = {}
    is_share = True
    for cluster, value in values:
        total, n = sums.get(cluster, (0.0, 0))
        sums[cluster] = (total + value, n + 1)
        is_share = is_share and isinstance(value, bool)
    return ClusteredMean(tuple(sums.values()), is_share) if sums else None


def clustered_shares(
    values: Sequence[tuple[Hashable, str]], names: Iterable[str]
) -> dict[str, ClusteredMean | None] | None:
    """How many of the values, each with its cluster, are of each name; None of no values."""
    if not values:
        return None
    return {name: clustered_mean((cluster, value == name) for cluster, value in values) for name in names}


def plain_values(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Figures in groups, with numbers for means."""
    return {key: _plain(value) for key, value in figures.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, ClusteredMean):
        return value.value
    return plain_values(value) if isinstance(value, Mapping) else value


def means_with_intervals(figures: Mapping[str, Any], *, seed: str) -> dict[str, Figure]:
    """Every mean among figures in groups, by `group.figure`."""
    return {key: mean.figure(seed=seed) for key, mean in _means(figures)}


def _means(figures: Mapping[str, Any], group: str = "") -> Iterator[tuple[str, ClusteredMean]]:
    for key, value in figures.items():
        if isinstance(value, ClusteredMean):
            yield f"{group}{key}", value
        elif isinstance(value, Mapping):
            yield from _means(value, f"{group}{key}.")


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
    one, other = _item_means(first), _item_means(second)
    apart = {item: one[item] - other[item] for item in one if item in other}
    found = (
        clustered_mean(apart.items()),
        clustered_mean((item, value > EXACTNESS) for item, value in apart.items()),
        clustered_mean((item, value < -EXACTNESS) for item, value in apart.items()),
        clustered_mean((item, abs(value) <= EXACTNESS) for item, value in apart.items()),
    )
    difference, better, worse, equal = found
    return PairedSystems(difference, better, worse, equal) if difference and better and worse and equal else None


def _item_means(scores: Iterable[tuple[Hashable, float]]) -> dict[Hashable, float]:
    kept: dict[Hashable, list[float]] = {}
    for item, score in scores:
        kept.setdefault(item, []).append(float(score))
    return {item: sum(values) / len(values) for item, values in kept.items()}


class SelfConsistency(NamedTuple):
    """The share of repeated exhibits with the same mark, and of scores how far apart they are in the mean."""

    same: ClusteredMean
    apart: ClusteredMean | None


def self_consistency(
    again: Sequence[tuple[Hashable, Hashable, Hashable]], scores: Sequence[Hashable] | None = None
) -> SelfConsistency | None:
    """Compare pairs of marks: (item, mark, mark of the same exhibit later); None of none.

    `scores`: the scale in its order, if it has one: then marks are so many places of it apart.
    """
    same = clustered_mean((item, one == other) for item, one, other in again)
    if same is None:
        return None
    place = {score: float(at) for at, score in enumerate(scores or ())}
    apart = clustered_mean((item, abs(place[one] - place[other])) for item, one, other in again) if place else None
    return SelfConsistency(same, apart)
