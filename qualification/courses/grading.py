"""Marks of an exam, in exact fractions, and what follows from them. Pure.

An item of multiple choice is worth one point if exactly the right options were chosen; one of the work screen is worth
what its answer is worth against its references. A block's points are the sum of its items', and it is passed if they
are at least its mark.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qualification.courses.content import ChoiceItem, Course, CourseItem
from qualification.courses.real_items import RealItem
from qualification.marks import BlockPoints
from qualification.models import Outcome


@dataclass(frozen=True)
class BlockResult(BlockPoints):
    """The points of the block with the key `block`, and those `needed` to pass it."""

    block: str
    needed: Fraction

    @property
    def passed(self) -> bool:
        """Whether it is passed; at equal, it is."""
        return self.reach(self.needed)

    def stored(self) -> dict[str, Any]:
        """As JSON."""
        return {"block": self.block, "points": str(self.points), "of": self.of, "needed": str(self.needed)}

    @staticmethod
    def read(stored: Mapping[str, Any]) -> BlockResult:
        """Of what was stored."""
        points, needed = Fraction(stored["points"]), Fraction(stored["needed"])
        return BlockResult(points, stored["of"], stored["block"], needed)


def mark(item: CourseItem, answer: Sequence[int] | None) -> Fraction:
    """The points, 0 or 1, for an answer to multiple choice: the places of the chosen options, from 0; None for none."""
    right = isinstance(item, ChoiceItem) and answer is not None and frozenset(answer) == item.right
    return Fraction(int(right))


def marks(
    course: Course,
    form: Sequence[Sequence[str]],
    answers: Mapping[int, Any],
    worth: Mapping[int, Fraction] | None = None,
) -> list[Fraction]:
    """The points of each place of a form, given the answers by place.

    `worth`: what the answers to items of the work screen are worth, by place; without an answer they are worth nothing.
    """
    items, of_work = course.items(), worth or {}
    found = []
    for place, (_block, key) in enumerate(form):
        item = items[key]
        points = of_work.get(place, Fraction(0)) if isinstance(item, RealItem) else mark(item, answers.get(place))
        found.append(points)
    return found


def results(course: Course, form: Sequence[Sequence[str]], points: Sequence[Fraction]) -> list[BlockResult]:
    """The result of each block that the form has, in the course's order."""
    found = []
    for block in course.blocks:
        own = [each for each, (key, _item) in zip(points, form, strict=True) if key == block.key]
        if own:
            reached = BlockPoints.from_items(own)
            found.append(BlockResult(reached.points, reached.of, block.key, block.needed))
    return found


def outcome(course: Course, failed: Collection[str], *, left: int, trained: bool) -> Outcome:
    """What follows, given the blocks that are not passed by now.

    `left`: how many attempts are left. `trained`: whether extra training came before this attempt; it is offered once.
    """
    if not failed:
        return Outcome.ADMITTED
    if left <= 0:
        return Outcome.NOT_ADMITTED
    extra = {block.key for block in course.blocks if block.extra}
    return Outcome.EXTRA_TRAINING if set(failed) <= extra and not trained else Outcome.AGAIN


def failed_concepts(course: Course, form: Sequence[Sequence[str]], points: Sequence[Fraction]) -> list[str]:
    """The concepts of items that did not get their whole point, each once, in the order of the course."""
    items = course.items()
    missed = {items[key].concept for (_block, key), own in zip(form, points, strict=True) if own < 1}
    return [concept for concept in course.concepts() if concept in missed]
