"""What a meeting made of the first marks: shares by consensus, with both bounds for what was not settled (pure)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from annotation.judging.results import GivenMark
from annotation.judging.rubrics import Rubric


@dataclass(frozen=True)
class SettledShare:
    """Of all exhibits: the share with a mark, if nothing (`low`), or everything (`high`), that is open were to get it.

    The two are the same where all is settled.
    """

    settled: int
    low: float
    high: float


@dataclass(frozen=True)
class AgreedResults:
    """`shares`: by mark; `right`: of those that count as right together, None if the rubric names none.

    `exhibits`: all with a mark; `settled`: how many have one that counts, by `consensus` or since all gave it;
    `changed` of `compared`: how many consensus marks are not what most had marked alone, where most had marked one.
    """

    shares: Mapping[str, SettledShare]
    right: SettledShare | None
    exhibits: int
    settled: int
    consensus: int
    changed: int
    compared: int

    @property
    def open(self) -> int:
        """How many were not settled."""
        return self.exhibits - self.settled


def agreed_results(
    rubric: Rubric, given: Iterable[GivenMark], consensus: Mapping[int, str], doubted: Set[int]
) -> AgreedResults:
    """What counts after the meeting: an exhibit's consensus, or else the only mark that it got, unless it is `doubted`
    (pulled in, though all had marked it alike). Exhibits are given by their keys."""
    first: dict[int, Counter[str]] = defaultdict(Counter)
    for one in given:
        first[one.exhibit][one.mark] += 1
    final = dict(consensus)
    for exhibit, counts in first.items():
        if len(counts) == 1 and exhibit not in doubted:
            final.setdefault(exhibit, next(iter(counts)))
    majorities = {exhibit: majority(first[exhibit]) for exhibit in consensus}
    compared = [exhibit for exhibit, mark in majorities.items() if mark is not None]
    return AgreedResults(
        shares={mark.key: _share(final, {mark.key}, len(first)) for mark in rubric.marks},
        right=_share(final, set(rubric.right), len(first)) if rubric.right else None,
        exhibits=len(first),
        settled=len(final),
        consensus=len(consensus),
        changed=sum(majorities[exhibit] != consensus[exhibit] for exhibit in compared),
        compared=len(compared),
    )


def majority(counts: Counter[str]) -> str | None:
    """The mark that more than half of them are, or None."""
    mark, n = counts.most_common(1)[0]
    return mark if 2 * n > counts.total() else None


def _share(final: Mapping[int, str], wanted: Set[str], n: int) -> SettledShare:
    settled = sum(mark in wanted for mark in final.values())
    still_open = n - len(final)
    return SettledShare(settled, settled / n if n else 0.0, (settled + still_open) / n if n else 0.0)
