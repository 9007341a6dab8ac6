"""What a judging round found: shares of the marks with their intervals, by rater, and how far raters agree.

Several marks of one exhibit depend on each other, and so do several exhibits of one item: intervals come from the
bootstrap over whole items, by the rule of all numbers for when there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.judging.rubrics import Rubric
from annotation.statistics import alpha, bootstrap, kappa
from annotation.statistics.estimates import Estimate
from annotation.statistics.ratings import Ratings, Statistic


@dataclass(frozen=True)
class GivenMark:
    """A rater's last mark of an exhibit, which belongs to a question (an item)."""

    question: int
    exhibit: int
    rater: int
    mark: str


@dataclass(frozen=True)
class RoundResults:
    """`shares`: of all marks, by key; `right`: of those that count as right together, None if the rubric names none.

    `by_rater`: how many of each mark every rater gave; `alpha`: Krippendorff's, nominal or ordinal as the rubric is;
    `unanimous`: exhibits with two or more marks that are all the same, and `judged_by_two`: those with two or more.
    """

    shares: Mapping[str, Estimate]
    right: Estimate | None
    by_rater: Mapping[int, Mapping[str, int]]
    alpha: Estimate
    exhibits: int
    unanimous: int
    judged_by_two: int

    @property
    def differing(self) -> int:
        """How many exhibits did not get the same mark from all."""
        return self.judged_by_two - self.unanimous


def results(rubric: Rubric, given: Iterable[GivenMark]) -> RoundResults:
    """The results of these marks."""
    marks = list(given)
    keys = [mark.key for mark in rubric.marks]
    by_rater: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(keys, 0))
    by_exhibit: dict[int, dict[str, str]] = defaultdict(dict)
    for one in marks:
        by_rater[one.rater][one.mark] += 1
        by_exhibit[one.exhibit][str(one.rater)] = one.mark
    by_two = [set(said.values()) for said in by_exhibit.values() if len(said) > 1]
    return RoundResults(
        shares={key: share(marks, {key}) for key in keys},
        right=share(marks, set(rubric.right)) if rubric.right else None,
        by_rater=dict(sorted(by_rater.items())),
        alpha=agreement(list(by_exhibit.values()), keys, ordinal=rubric.ordinal),
        exhibits=len(by_exhibit),
        unanimous=sum(len(said) == 1 for said in by_two),
        judged_by_two=len(by_two),
    )


def share(marks: Sequence[GivenMark], wanted: set[str]) -> Estimate:
    """The share of the marks that are among `wanted`, with its interval over questions."""
    if not marks:
        return Estimate(None, None, None, 0)
    questions, place = np.unique([one.question for one in marks], return_inverse=True)
    is_wanted = np.array([one.mark in wanted for one in marks], dtype=float)
    n = len(questions)
    columns = np.stack([np.bincount(place, weights=is_wanted, minlength=n), np.bincount(place, minlength=n)], axis=1)
    return bootstrap.estimate(Statistic(columns.astype(float), kappa.share, n))


def agreement(units: Sequence[Mapping[str, str]], keys: Sequence[str], *, ordinal: bool) -> Estimate:
    """Krippendorff's alpha of the raters' marks; of an ordinal rubric by the order of its marks."""
    ratings = Ratings.from_units(units, categories=keys)
    return bootstrap.estimate((alpha.ordinal if ordinal else alpha.nominal)(ratings))
