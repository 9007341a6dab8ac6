"""How much a rater says the same of an exhibit that comes again (pure)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from annotation.statistics.clustered_means import ClusteredMean, clustered_mean


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
