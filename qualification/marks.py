"""Points of an item and of a block in exact fractions, and whether a block is passed (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from annotation.values.scores import Score

Mark = int | Decimal | Fraction
"""A mark to be reached; never a float, since 0.7 is not 7/10 there."""


def item_points(scores: Iterable[Score], weights: Mapping[str, Mark] | None = None) -> Fraction:
    """The weighted mean of an item's scores, 0 to 1; 0 without scores, or if none of them weighs anything.

    `weights`: by the key of a part, not negative; 1 for a part without one. A part that occurs in every turn weighs
    that in each of them.
    """
    weighed = [(Fraction((weights or {}).get(score.part.key, 1)), score.points) for score in scores]
    total = sum((weight for weight, _points in weighed), Fraction(0))
    if any(weight < 0 for weight, _points in weighed):
        raise ValueError("A weight is negative.")
    return sum((weight * points for weight, points in weighed), Fraction(0)) / total if total else Fraction(0)


@dataclass(frozen=True)
class BlockPoints:
    """The points of a block: the mean of its items times their number `of`; "4.6 of 6"."""

    points: Fraction
    of: int

    @classmethod
    def from_items(cls, points: Iterable[Fraction]) -> BlockPoints:
        """The points of a block with these items, 0 to 1 each; an item without an answer has 0, and counts."""
        found = list(points)
        return cls(sum(found, Fraction(0)), len(found))

    def reach(self, mark: Mark) -> bool:
        """Whether the block is passed: at equal, it is. `mark`: in points, not a share of them."""
        return self.points >= Fraction(mark)

    def rounded_down(self, digits: int = 1) -> Decimal:
        """The points for people, with that many digits: never as much as a mark that they do not reach."""
        whole = self.points * 10**digits // 1
        return Decimal(whole).scaleb(-digits)
