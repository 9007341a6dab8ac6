"""What judging rounds compare marks with (pure): automatic metrics of single answers, and how people do on the official
metric at what was judged, apart for each mark that raters gave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from annotation.judging.results import GivenMark
from annotation.judging.rubrics import Rubric
from annotation.statistics.clustered_means import clustered_mean
from annotation.statistics.estimates import Estimate
from annotation.statistics.marks import DECIMALS
from annotation.values.records import AnnotationRecord, ItemRecord, ReleaseRecord

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


ScoreOfTurn = tuple[str, int, float]
"""`AnnotationRecord.inside`, the turn of its responses, and how far people agree there on the metric, 0 to 1."""


@dataclass(frozen=True)
class MarkScores:
    """The human score of a kind of exhibits, which rounds split by their marks.

    `title`, `procedure`: what it is called, and how it is computed. `scores`: of what has answers of several people in
    a record of a release, the others not. `published`: by mark, as shares of 1; `source`: where.
    """

    title: Any
    procedure: Any
    scores: Callable[[ReleaseRecord], Iterable[ScoreOfTurn]]
    published: Mapping[str, float] = field(default_factory=dict)
    source: str = ""


class MarkScore(NamedTuple):
    """The mean over `n` marks, with its interval over items."""

    estimate: Estimate
    n: int

    def as_json(self) -> dict[str, Any]:
        """For a file or the database."""
        return {"marks": self.n, "mean": self.estimate.kept(DECIMALS)}


def scores_by_mark(
    rubric: Rubric, given: Iterable[GivenMark], scores: Mapping[int, float], *, seed: str
) -> dict[str, MarkScore]:
    """By mark of the rubric, and "" for all, the mean score of the exhibits with that mark.

    `scores`: by exhibit; those that have none are left out. With several raters each mark counts once, as in the shares
    of the marks. Exhibits of one item depend on each other: the interval is the bootstrap's over items. A mark that no
    exhibit with a score has is not in it.
    """
    values: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for one in given:
        if one.exhibit in scores:
            for key in (one.mark, ""):
                values[key].append((one.item, scores[one.exhibit]))
    means = {key: clustered_mean(values[key]) for key in (*(mark.key for mark in rubric.marks), "")}
    return {key: MarkScore(mean.figure(seed=seed).estimate, mean.n) for key, mean in means.items() if mean}
