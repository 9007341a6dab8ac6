"""Automatic metrics of single answers, which judging rounds compare with what people say of these answers (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from annotation.values.records import AnnotationRecord, ItemRecord

Column = Sequence[float | None]
"""A figure (0..1) for each answer, None where the metric has nothing to compare it with."""


class JudgedCase(NamedTuple):
    """An answer that was judged: `turn` says which of those in `answer`; `others`: the item's other annotations.

    The answer of a system is the only one in its own `answer`.
    """

    item: ItemRecord
    answer: AnnotationRecord
    turn: int
    others: tuple[AnnotationRecord, ...]


@dataclass(frozen=True)
class WeightSweep:
    """A weight of a metric that is varied: `column` gives the metric with the weight at a value."""

    title: Any
    values: tuple[float, ...]
    used: float
    column: Callable[[Sequence[JudgedCase], float], Column]


@dataclass(frozen=True)
class AnswerMetrics:
    """The metrics of a protocol. `titles`: by key; `columns`: by key, the column of these answers.

    `predicted`: a prediction as a record with one answer. `of_sets`: by key, what gives a metric of any set of these
    answers, by their places, where it is no mean of theirs; all of them have references.

    `tests`: pairs of keys, (adapted, plain): whether the first goes with people's scores more than the second.
    `published`: Pearson's correlation per answer, by key and type of item ("all" for all), and `published_sets` per
    set of answers; `source`: where.
    """

    titles: Mapping[str, Any]
    columns: Callable[[Sequence[JudgedCase]], Mapping[str, Column]]
    predicted: Callable[[Mapping[str, Any]], AnnotationRecord]
    of_sets: Callable[[Sequence[JudgedCase]], Mapping[str, Callable[[Iterable[int]], float]]]
    tests: tuple[tuple[str, str], ...]
    sweeps: Mapping[str, WeightSweep]
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    published_sets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    source: str = ""
