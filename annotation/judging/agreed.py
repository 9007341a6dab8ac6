"""What a meeting made of the first marks: what is settled, and shares by consensus with bounds for the rest (pure)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from annotation.judging.results import GivenMark
from annotation.judging.rubrics import Rubric
from annotation.statistics.marks import ConsensusShare, consensus_shares

RIGHT = "right"
"""What the marks that count as right are called together; no mark of a preset is."""


@dataclass(frozen=True)
class AgreedResults:
    """`final`: each exhibit with a mark, by its item, and what counts of it, None if it is not settled.

    `exhibits`: all with a mark; `settled`: how many have one that counts, by `consensus` or since all gave it;
    `changed` of `compared`: how many consensus marks are not what most had marked alone, where most had marked one.
    """

    rubric: Rubric
    final: Sequence[tuple[int, str | None]]
    consensus: int
    changed: int
    compared: int

    @property
    def exhibits(self) -> int:
        """How many have a mark."""
        return len(self.final)

    @property
    def settled(self) -> int:
        """How many have one that counts."""
        return sum(mark is not None for _item, mark in self.final)

    @property
    def open(self) -> int:
        """How many were not settled."""
        return self.exhibits - self.settled

    @property
    def sets(self) -> Mapping[str, Sequence[str]]:
        """The marks, and those that count as right together, if the rubric names some, under RIGHT."""
        right = {RIGHT: self.rubric.right} if self.rubric.right else {}
        return {mark.key: [mark.key] for mark in self.rubric.marks} | right

    def counts(self) -> dict[str, int]:
        """How many were settled as each of `sets`."""
        return {name: sum(mark in of for _item, mark in self.final) for name, of in self.sets.items()}

    def shares(self) -> Mapping[str, ConsensusShare]:
        """The share of each of `sets`, with its intervals: takes a moment."""
        return consensus_shares(self.final, self.sets)

    def as_json(self) -> dict[str, Any]:
        """For a file or the database."""
        return {
            "exhibits": self.exhibits,
            "settled": self.settled,
            "consensus": self.consensus,
            "changed": self.changed,
            "compared": self.compared,
            "shares": {name: share.as_json() for name, share in self.shares().items()},
        }


def agreed_results(
    rubric: Rubric, given: Iterable[GivenMark], consensus: Mapping[int, str], doubted: Set[int]
) -> AgreedResults:
    """What counts after the meeting: an exhibit's consensus, or else the only mark that it got, unless it is `doubted`
    (pulled in, though all had marked it alike). Exhibits are given by their keys."""
    first: dict[int, Counter[str]] = defaultdict(Counter)
    items: dict[int, int] = {}
    for one in given:
        first[one.exhibit][one.mark] += 1
        items[one.exhibit] = one.item
    final = dict(consensus)
    for exhibit, counts in first.items():
        if len(counts) == 1 and exhibit not in doubted:
            final.setdefault(exhibit, next(iter(counts)))
    majorities = {exhibit: majority(first[exhibit]) for exhibit in consensus}
    compared = [exhibit for exhibit, mark in majorities.items() if mark is not None]
    return AgreedResults(
        rubric=rubric,
        final=[(items[exhibit], final.get(exhibit)) for exhibit in first],
        consensus=len(consensus),
        changed=sum(majorities[exhibit] != consensus[exhibit] for exhibit in compared),
        compared=len(compared),
    )


def majority(counts: Counter[str]) -> str | None:
    """The mark that more than half of them are, or None."""
    mark, n = counts.most_common(1)[0]
    return mark if 2 * n > counts.total() else None
