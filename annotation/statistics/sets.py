"""Distances of two sets: Jaccard's and MASI (pure). Both are 0 for equal sets and 1 for sets that share nothing.

Jaccard: d = 1 - J, J = |A and B| / |A or B|; two empty sets are equal.

MASI: d = 1 - J M, where M is 1 for equal sets, 2/3 if one contains the other, 1/3 if they share something but each has
something of its own, else 0.

P. Jaccard, The distribution of the flora in the alpine zone, New Phytologist 11 (1912), 37-50.
R. Passonneau, Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation, LREC (2006).
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any


def jaccard(one: Set[Any], other: Set[Any]) -> float:
    """Jaccard's distance."""
    return 1 - _overlap(one, other)


def masi(one: Set[Any], other: Set[Any]) -> float:
    """The MASI distance."""
    if one == other:
        monotonic = 1.0
    elif one <= other or other <= one:
        monotonic = 2 / 3
    elif one & other:
        monotonic = 1 / 3
    else:
        monotonic = 0.0
    return 1 - _overlap(one, other) * monotonic


def _overlap(one: Set[Any], other: Set[Any]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 1.0
