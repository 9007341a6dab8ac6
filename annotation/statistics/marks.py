"""Shares of the marks that raters gave in a round, and of what they agreed on (pure).

A mark is of an exhibit; its cluster is the item, which may have several exhibits, and several raters' marks. A share
has two intervals beside each other: the bootstrap of items, and Wilson's, which takes each mark for independent.

Where raters could not settle an exhibit it stays in the denominator: the share then lies between two bounds, that of
none of these having the mark, and that of all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from annotation.statistics.estimates import Estimate
from annotation.statistics.intervals import Share, wilson

DECIMALS = 6


class MarkShare(NamedTuple):
    """How large a part of the marks is of one kind: the bootstrap over items, and Wilson's of single marks."""

    share: Estimate
    wilson: Share

    def as_json(self) -> dict[str, Any]:
        """For a file: count, share, and both intervals."""
        return {
            "marks": self.wilson.part,
            "of": self.wilson.n,
            "share": self.share.kept(DECIMALS),
            "wilson": [round(self.wilson.low, DECIMALS), round(self.wilson.high, DECIMALS)],
        }


class ConsensusShare(NamedTuple):
    """The share of a mark if no unsettled exhibit has it, and if all have; the same where all are settled."""

    if_none: MarkShare
    if_all: MarkShare
    unsettled: int

    def as_json(self) -> dict[str, Any]:
        """For a file: both bounds."""
        return {"if_none": self.if_none.as_json(), "if_all": self.if_all.as_json()}


def share_of(marks: Iterable[tuple[int, bool]]) -> MarkShare:
    """How many of the marks, each with its item, are of the kind that is wanted."""
    every = list(marks)
    if not every:
        return MarkShare(Estimate(None, None, None, 0), wilson(0, 0))
    import numpy as np

    from annotation.statistics import bootstrap, kappa
    from annotation.statistics.ratings import Statistic

    items, place = np.unique([item for item, _wanted in every], return_inverse=True)
    wanted = np.array([is_wanted for _item, is_wanted in every], dtype=float)
    n = len(items)
    columns = np.stack([np.bincount(place, weights=wanted, minlength=n), np.bincount(place, minlength=n)], axis=1)
    found = bootstrap.estimate(Statistic(columns.astype(float), kappa.share, n))
    return MarkShare(found, wilson(float(wanted.sum()), len(every)))


def shares_of_marks(marks: Sequence[tuple[int, str]], sets: Mapping[str, Collection[str]]) -> dict[str, MarkShare]:
    """By name, how many of the marks, each with its item, are one of a set.

    `sets`: C alone is {"C": ["C"]}; Psi, what counts as right, is {"Psi": ["C", "Cd"]}.
    """
    return {name: share_of((item, mark in of) for item, mark in marks) for name, of in sets.items()}


def consensus_shares(
    settled: Sequence[tuple[int, str | None]], sets: Mapping[str, Collection[str]]
) -> dict[str, ConsensusShare]:
    """By name, how many of the exhibits, each with its item, were settled as one of a set; None: not settled."""
    unsettled = sum(mark is None for _item, mark in settled)
    found: dict[str, ConsensusShare] = {}
    for name, of in sets.items():
        low, high = (
            share_of((item, if_open if mark is None else mark in of) for item, mark in settled)
            for if_open in (False, True)
        )
        found[name] = ConsensusShare(low, high, unsettled)
    return found
