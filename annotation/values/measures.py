"""What a protocol compares to measure agreement: values on a scale, and similarities of two annotations (pure)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal

from annotation.values.records import AnnotationRecord

Scale = Literal["nominal", "ordinal", "interval", "set"]


@dataclass(frozen=True)
class Measure:
    """Something that each annotation of an activity says, as a value on a scale.

    `value`: what an annotation says; None: it does not say that, and is left out. It is a text or a number, on the
    scale `set` a frozenset of them. On `ordinal` and `interval` scales values are numbers, and their order counts.
    `everywhere`: the values that mean the same in every item; any other is compared only within its item (a part of
    the item's own text). None: all values mean the same everywhere.
    `stage`: the stage that asks for it, "" for several. `by_turn`: the annotation has turns, and each turn is compared
    by itself: `value` gets a record with what was said in that turn only. `not_published`: why published annotations
    have no value, in a sentence; "" if they have one.
    """

    key: str
    title: Any
    activity: str
    scale: Scale
    value: Callable[[AnnotationRecord], Hashable | None]
    stage: str = ""
    everywhere: tuple[Hashable, ...] | None = None
    by_turn: bool = False
    not_published: Any = ""


def _one(one: Any, other: Any) -> float:
    return 1.0


@dataclass(frozen=True)
class Comparison:
    """How alike two annotations are: the mean over an item's pairs, and over items.

    `part`: what is compared of an annotation, computed once for each; None: nothing, and it is left out. `compare`:
    the similarity of two parts, 0..1, symmetric. `weight`: how much a pair counts, 0: not at all; with 2 for two
    answers, 1 for an answer and none, and 0 for two without, the mean is the F1 of one annotator against another.
    `stage` and `by_turn` are those of Measure.
    """

    key: str
    title: Any
    activity: str
    part: Callable[[AnnotationRecord], Any]
    compare: Callable[[Any, Any], float]
    weight: Callable[[Any, Any], float] = _one
    stage: str = ""
    by_turn: bool = False


def headline(one: Measure | Comparison) -> str:
    """The statistic that says most about a measure, and is drawn over time."""
    if isinstance(one, Comparison):
        return "mean"
    return "alpha_jaccard" if one.scale == "set" else "alpha"
