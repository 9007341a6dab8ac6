"""Shares of the marks that raters gave in a round, and of what they agreed on (pure).

A mark is of an exhibit; its cluster is the item, which may have several exhibits, and several raters' marks. Shares
and their intervals are those of `clustered_means`: Wilson's where each item has one mark, else the bootstrap of items.

Where raters could not settle an exhibit it stays in the denominator: the share then lies between two bounds, that of
none of these having the mark, and that of all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import NamedTuple

from annotation.statistics.clustered_means import ClusteredMean, clustered_mean


class ConsensusShare(NamedTuple):
    """The share of a mark if no unsettled exhibit has it, and if all have; the same where all are settled."""

    if_none: ClusteredMean
    if_all: ClusteredMean
    unsettled: int


def shares_of_marks(
    marks: Sequence[tuple[Hashable, str]], sets: Mapping[str, Collection[str]]
) -> dict[str, ClusteredMean | None]:
    """By name, how many of the marks, each with its item, are one of a set; None of no marks.

    `sets`: C alone is {"C": ["C"]}; Psi, what counts as right, is {"Psi": ["C", "Cd"]}.
    """
    return {name: clustered_mean((item, mark in of) for item, mark in marks) for name, of in sets.items()}


def consensus_shares(
    settled: Sequence[tuple[Hashable, str | None]], sets: Mapping[str, Collection[str]]
) -> dict[str, ConsensusShare | None]:
    """By name, how many of the exhibits, each with its item, were settled as one of a set; None: not settled."""
    unsettled = sum(mark is None for _item, mark in settled)
    found: dict[str, ConsensusShare | None] = {}
    for name, of in sets.items():
        bounds = (
            clustered_mean((item, if_open if mark is None else mark in of) for item, mark in settled)
            for if_open in (False, True)
        )
        low, high = bounds
        found[name] = ConsensusShare(low, high, unsettled) if low and high else None
    return found
