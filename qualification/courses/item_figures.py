"""What the answers in exams say of each item: how many get it right, whether those do better, how long it takes.

Of attempts that are over and count; trials never do. A place that was left without an answer says nothing of its item.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import NamedTuple

from django.utils import timezone

from annotation.statistics.intervals import Share, wilson
from qualification.courses import editing
from qualification.courses.content import CourseItem
from qualification.courses.leaks import Jump, jump_of
from qualification.models import Attempt, AttemptPurpose, AttemptState, Qualification

ENOUGH, ENOUGH_FOR_WORDS = 20, 100
"""Answers from which the share right is given, and from which its item is judged in words."""
RIGHT_FROM = Fraction(1, 2)
"""Points from which an answer counts as right: on the work screen it can be right in part."""
TOO_EASY = 0.95
"""From this share right on an item tells hardly anybody apart."""


@dataclass(frozen=True)
class ItemFigures:
    """Of one item: its block's title, how many answered it, how many of them rightly, and the seconds that it took.

    `discrimination`: the point-biserial correlation of being right with the share of points in the rest of the attempt;
    None where either is the same for all. `seconds`: the median from the answer before to this one. `jump`: since when
    more get it right, if there is such a day.
    """

    item: CourseItem
    block: str
    version: int
    n: int
    right: int
    discrimination: float | None
    seconds: float | None
    jump: Jump | None = None

    @property
    def share(self) -> Share | None:
        """What share got it right, with its interval, from 20 answers on."""
        return wilson(self.right, self.n) if self.n >= ENOUGH else None

    @property
    def too_easy(self) -> bool:
        """Whether nearly everybody gets it right, from 100 answers on."""
        return self.n >= ENOUGH_FOR_WORDS and self.right >= TOO_EASY * self.n

    @property
    def misleading(self) -> bool:
        """Whether those who get it right do worse in the rest, from 100 answers on."""
        return self.n >= ENOUGH_FOR_WORDS and self.discrimination is not None and self.discrimination < 0

    @property
    def leaked(self) -> bool:
        """Whether the share right jumped since a day, from 100 answers on: people may know the item beforehand."""
        return self.n >= ENOUGH_FOR_WORDS and self.jump is not None


class _Told(NamedTuple):
    """An answer: whether it is right, the share of points in the rest of the attempt, seconds, and its day."""

    right: bool
    rest: float | None
    seconds: float
    day: date


def item_figures(qualification: Qualification) -> list[ItemFigures]:
    """Each item that a published version has, as its latest version has it, in the order of blocks and pools."""
    told: dict[str, list[_Told]] = {}
    for key, answer in _answers(qualification):
        told.setdefault(key, []).append(answer)
    return [_figures(item, block, version, told.get(item.key, [])) for item, block, version in _items(qualification)]


def _items(qualification: Qualification) -> list[tuple[CourseItem, str, int]]:
    found: dict[str, tuple[CourseItem, str, int]] = {}
    for version in qualification.course_versions.filter(published_at__isnull=False).order_by("-version"):
        for block in editing.read(version).blocks:
            for item in block.pool:
                found.setdefault(item.key, (item, block.title, version.version))
    return list(found.values())


def _answers(qualification: Qualification) -> Iterator[tuple[str, _Told]]:
    """Each answer with the key of its item."""
    rows = qualification.attempts.filter(purpose=AttemptPurpose.EXAM, voided_at=None)
    for row in rows.exclude(state=AttemptState.OPEN).prefetch_related("answers").iterator(chunk_size=500):
        points = [Fraction(each) for each in row.marks]
        for place, seconds, at in _timed(row):
            rest = float((sum(points) - points[place]) / (len(points) - 1)) if len(points) > 1 else None
            yield row.form[place][1], _Told(points[place] >= RIGHT_FROM, rest, seconds, timezone.localdate(at))


def _timed(row: Attempt) -> Iterator[tuple[int, float, datetime]]:
    before: datetime = row.issued_at
    for answer in sorted(row.answers.all(), key=lambda each: each.place):
        yield answer.place, max(0.0, (answer.at - before).total_seconds()), answer.at
        before = answer.at


def _figures(item: CourseItem, block: str, version: int, told: Sequence[_Told]) -> ItemFigures:
    return ItemFigures(
        item=item,
        block=block,
        version=version,
        n=len(told),
        right=sum(each.right for each in told),
        discrimination=point_biserial([(each.right, each.rest) for each in told if each.rest is not None]),
        seconds=statistics.median(each.seconds for each in told) if told else None,
        jump=jump_of((each.day, each.right) for each in told),
    )


def point_biserial(pairs: Sequence[tuple[bool, float]]) -> float | None:
    """The correlation of what is or is not with a number; None if either is the same for all.

    That is Pearson's r with 1 for what is (R. F. Tate, Correlation between a discrete and a continuous variable, 1954).
    """
    try:
        return statistics.correlation([float(yes) for yes, _n in pairs], [number for _yes, number in pairs])
    except statistics.StatisticsError:
        return None
