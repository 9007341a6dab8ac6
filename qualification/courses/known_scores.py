"""What known people have scored in a block, beside which a lead chooses its mark. Read only."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from annotation.statistics.intervals import Share, wilson
from qualification.courses.content import ExamBlock
from qualification.courses.grading import BlockResult
from qualification.models import Attempt, AttemptPurpose, AttemptState, Qualification

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
