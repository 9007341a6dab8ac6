"""What the answers in exams say of each item: how many get it right, whether those do better, how long it takes.

Of attempts that are over and count; trials never do. A place that was left without an answer says nothing of its item.

And whether an item has become known, and what known people have scored in a block. Read only.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.utils import timezone

from annotation.statistics.intervals import Share, wilson
from qualification.courses import editing
from qualification.courses.content import CourseItem, ExamBlock
from qualification.courses.grading import BlockResult
from qualification.models import Attempt, AttemptPurpose, AttemptState, Qualification

ALARM = 0.001
"""The share of items called leaked at most where nothing changed."""
FEWEST = 20
"""Answers that there have to be before a day, and from it on."""
LEAST = Fraction(1, 10)
"""By how much the share right has to grow: with thousands of answers, less than that would be found as well."""


@dataclass(frozen=True)
class Jump:
    """The day since when more answers are right, and the shares right before it and since, from 0 to 1."""

    since: date
    before: float
    after: float


def jump_of(answers: Iterable[tuple[date, bool]]) -> Jump | None:
    """The day that divides (day, right) best, if it is too clear for chance; None if there is no such day.

    Each day on which answers came is tried as the beginning. Of a day's answers against those before it, the exact
    chance of so many right ones or more is taken, had the same answers come in any order (R. A. Fisher, The Design of
    Experiments, 1935). A day is believed only where this is at most ALARM divided by the days tried (Bonferroni): of
    items that nobody passes on, at most ALARM of them are called leaked, however their answers are spread over days.
    """
    tried = list(_splits(answers))
    likely = [(chance_of_jump(*counts), day, counts) for day, counts in tried]
    found = [each for each in likely if each[0] * len(tried) <= ALARM and _grew(*each[2]) >= LEAST]
    if not found:
        return None
    _p, day, (earlier, right_earlier, later, right_later) = min(found)
    return Jump(day, right_earlier / earlier, right_later / later)


def _splits(answers: Iterable[tuple[date, bool]]) -> Iterator[tuple[date, tuple[int, int, int, int]]]:
    """Each day to try, with (answers before, right ones of them, answers since, right ones of them)."""
    rows = sorted(answers, key=itemgetter(0))
    total, right = len(rows), sum(yes for _day, yes in rows)
    earlier = right_earlier = 0
    for day, group in groupby(rows, key=itemgetter(0)):
        if earlier >= FEWEST and total - earlier >= FEWEST:
            yield day, (earlier, right_earlier, total - earlier, right - right_earlier)
        said = [yes for _day, yes in group]
        earlier, right_earlier = earlier + len(said), right_earlier + sum(said)


def _grew(earlier: int, right_earlier: int, later: int, right_later: int) -> Fraction:
    return Fraction(right_later, later) - Fraction(right_earlier, earlier)


def chance_of_jump(earlier: int, right_earlier: int, later: int, right_later: int) -> float:
    """That `right_later` or more of the right answers lie among the later ones, were their order left to chance.

    The upper tail of the hypergeometric distribution, summed from its first term by the ratio of neighbours.
    """
    right = right_earlier + right_later
    term = math.exp(
        _log_comb(later, right_later) + _log_comb(earlier, right_earlier) - _log_comb(earlier + later, right)
    )
    tail = 0.0
    for x in range(right_later, min(later, right) + 1):
        tail += term
        term *= (later - x) * (right - x) / ((x + 1) * (earlier - right + x + 1))
    return tail


def _log_comb(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


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


LEADS, WORKING, CANDIDATES = "leads", "working", "candidates"
"""Those who lead or decide and sat it as a trial; candidates who have worked here before; all other candidates."""


@dataclass(frozen=True)
class KnownScores:
    """The points of each person of a group in one block, lowest first, in exact fractions."""

    group: str
    points: tuple[Fraction, ...]

    def passing(self, mark: Fraction) -> Share | None:
        """What share of them reaches a mark, with its interval; None without anybody. At equal it is reached."""
        n = len(self.points)
        return wilson(sum(each >= mark for each in self.points), n) if n else None


def known_scores(qualification: Qualification, block: ExamBlock, *, working: Collection[int]) -> list[KnownScores]:
    """By group, what people scored in the block, whichever version they sat: of trials the last one of each person, of
    exams the first, before any training. Sittings that drew another number of items are left out.

    `working`: the keys of those who have worked in the project.
    """
    found: dict[str, dict[int, Fraction]] = {LEADS: {}, WORKING: {}, CANDIDATES: {}}
    for row in _sat(qualification):
        points = _points(row, block)
        if points is None:
            continue
        if row.purpose == AttemptPurpose.TRIAL:
            found[LEADS][row.user_id] = points
        else:
            found[WORKING if row.user_id in working else CANDIDATES].setdefault(row.user_id, points)
    return [KnownScores(group, tuple(sorted(points.values()))) for group, points in found.items()]


def _sat(qualification: Qualification) -> Iterator[Attempt]:
    rows = qualification.attempts.filter(voided_at=None).exclude(state=AttemptState.OPEN)
    yield from rows.order_by("issued_at", "pk").only("user", "purpose", "blocks", "issued_at").iterator(chunk_size=500)


def _points(row: Attempt, block: ExamBlock) -> Fraction | None:
    results: Sequence[BlockResult] = [BlockResult.read(each) for each in row.blocks if each["block"] == block.key]
    return next((each.points for each in results if each.of == block.draw), None)
