"""How much annotations of one item agree: the mean of the protocol's `compare` over all pairs (pure)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from annotation.values.records import AnnotationRecord


def mean_likeness(
    records: Sequence[AnnotationRecord], compare: Callable[[str, AnnotationRecord, AnnotationRecord], float]
) -> float:
    """Mean pairwise likeness (0..1) of two or more annotations of one item and activity."""
    values = [compare(first.activity, first, second) for first, second in combinations(records, 2)]
    return sum(values) / len(values)
