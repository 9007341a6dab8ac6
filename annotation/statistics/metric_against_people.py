"""How well automatic metrics say what people say of answers: correlations with their scores, and tests (pure).

As in An Yang et al., Adaptations of ROUGE and BLEU to better evaluate machine reading comprehension task (2018): per
answer, per set of items, by a paired bootstrap of single answers, and with the weights of a metric varied. Their
bootstrap takes answers to one item as independent, which they are not; the interval of the difference beside it is
that of `bootstrap`, whose clusters are items.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from annotation.statistics.bootstrap import SEED, estimate
from annotation.statistics.correlation import centred, pearson, pearson_difference
from annotation.statistics.estimates import Estimate
from annotation.statistics.ratings import Array
from annotation.statistics.reliability import OVERALL

SET_SIZE, SETS, RESAMPLES = 30, 100, 100
"""As published: items of a set, sets, and resamples of the test."""
OfSet = Callable[[Array], float]
"""A metric of several answers together, by their rows: BLEU of a set is no mean of answers."""


@dataclass(frozen=True, eq=False)
class ScoredAnswers:
    """Answers of systems, one row each: item, system, type of item, people's score (a mean of raters), and
    metrics by name. All columns have as many rows; each system has one answer to an item."""

    items: Sequence[Hashable]
    systems: Sequence[Hashable]
    types: Sequence[str]
    human: Array
    metrics: Mapping[str, Array]

    def groups(self) -> dict[str, Array]:
        """The rows of all answers ("all"), then of each type of item."""
        types = np.array(self.types, dtype=str)
        of_types = {str(name): np.flatnonzero(types == name) for name in np.unique(types)}
        return {OVERALL: np.arange(len(types))} | of_types


class SetPoints(NamedTuple):
    """A point for each set and system: the means of people's scores and of a metric, and their correlation."""

    human: Array
    metric: Array
    pearson: float


class PairedTest(NamedTuple):
    """Whether one metric correlates more than another: the share of resamples of single answers in which it does, and
    p, that in which it does not; and the difference with its interval by item."""

    wins: float
    p: float
    difference: Estimate


def per_answer(answers: ScoredAnswers) -> dict[str, dict[str, Estimate]]:
    """By metric and group, Pearson's correlation with people's scores, with its interval by item."""
    return {
        name: {group: correlation(answers, column, rows) for group, rows in answers.groups().items()}
        for name, column in answers.metrics.items()
    }


def correlation(answers: ScoredAnswers, column: Array, rows: Array) -> Estimate:
    """Of some of the answers, Pearson's correlation of a column with people's scores."""
    return estimate(pearson(answers.human[rows], np.asarray(column)[rows], _items(answers)[rows]))


def per_set(
    answers: ScoredAnswers,
    *,
    size: int = SET_SIZE,
    sets: int = SETS,
    seed: int = SEED,
    of_set: Mapping[str, OfSet] | None = None,
) -> dict[str, dict[str, SetPoints]]:
    """By metric and group, the points of sets of so many items: 100 draws of five systems give 500.

    A draw is of different items that all systems answered, the same ones for all systems and metrics. A group with
    fewer items than a set has no entry. `of_set`: metrics that are no means of answers, by name; the others are.
    """
    found: dict[str, dict[str, SetPoints]] = {name: {} for name in answers.metrics}
    for group, rows in answers.groups().items():
        table = _rows_by_system(answers, rows)
        if len(table) < size:
            continue
        rng = np.random.default_rng(list(f"{seed} {group}".encode()))
        drawn = np.array([rng.choice(len(table), size=size, replace=False) for _ in range(sets)])
        chosen = table[drawn].transpose(0, 2, 1).reshape(-1, size)  # a row for each set and system
        human = answers.human[chosen].mean(axis=1)
        for name, column in answers.metrics.items():
            whole = (of_set or {}).get(name)
            values = np.asarray(column)[chosen].mean(axis=1) if whole is None else np.array([*map(whole, chosen)])
            found[name][group] = SetPoints(human, values, pearson(human, values, np.arange(len(human))).point)
    return found


def _rows_by_system(answers: ScoredAnswers, rows: Array) -> Array:
    """The row of each item (first axis) and system, of the items that all systems answered."""
    _names, item = np.unique(_items(answers)[rows], return_inverse=True)
    names, system = np.unique(np.array([str(answers.systems[row]) for row in rows], dtype=str), return_inverse=True)
    table = np.full((int(item.max(initial=-1)) + 1, len(names)), -1)
    table[item, system] = rows
    return table[(table >= 0).all(axis=1)]


def paired_test(
    answers: ScoredAnswers, one: str, other: str, *, group: str = OVERALL, resamples: int = RESAMPLES, seed: int = SEED
) -> PairedTest:
    """Whether metric `one` correlates more with people's scores than `other`, on the answers of a group.

    An equal correlation is no win. NaN for both shares if the correlations are undefined.
    """
    rows = answers.groups()[group]
    human, first, second = (
        np.asarray(each)[rows] for each in (answers.human, answers.metrics[one], answers.metrics[other])
    )
    statistic = pearson_difference(human, first, second, _items(answers)[rows])
    single = pearson_difference_by_resampling(human, first, second, resamples=resamples, seed=seed)
    defined = single[~np.isnan(single)]
    if not len(defined):
        return PairedTest(float("nan"), float("nan"), estimate(statistic))
    wins, rest = float((defined > 0).mean()), float((defined <= 0).mean())
    return PairedTest(wins, rest, estimate(statistic))


def pearson_difference_by_resampling(human: Array, one: Array, other: Array, *, resamples: int, seed: int) -> Array:
    """How much more `one` correlates than `other` in each resample of single answers; NaN where it is undefined."""
    rng, n = np.random.default_rng(seed), len(human)
    human, one, other = centred(human), centred(one), centred(other)
    found = []
    for _ in range(resamples):
        rows = rng.integers(0, n, size=n)
        alone = np.zeros(n, dtype=np.int64)
        found.append(pearson_difference(human[rows], one[rows], other[rows], alone).point)
    return np.array(found)


def sweep_weights(answers: ScoredAnswers, columns: Mapping[float, Array]) -> dict[str, list[tuple[float, float]]]:
    """By group, (value, Pearson's correlation per answer) at each value of a weight; NaN where it is undefined.

    `columns`: the metric at each value.
    """
    items = _items(answers)
    return {
        group: [
            (value, pearson(answers.human[rows], np.asarray(column)[rows], items[rows]).point)
            for value, column in columns.items()
        ]
        for group, rows in answers.groups().items()
    }


def _items(answers: ScoredAnswers) -> Array:
    return np.array([str(each) for each in answers.items], dtype=str)
