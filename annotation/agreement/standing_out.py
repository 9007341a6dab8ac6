"""Whether somebody agrees with the others clearly less than these agree with each other.

Of each measure, the person who agrees least is looked at: the share of equal values (or the mean likeness) of them and
the others, less that of the others among themselves. They stand out if the interval of this difference is below -LEAST.
It is wider than 95 %, since the one who agrees least of many, by any of several measures, is low by chance alone: its
share outside is that of 95 %, divided by the number of people and measures (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np

from annotation.agreement.people import DECIMALS, Numbers, agreed_with_others, statistic_of
from annotation.agreement.reading import of_units
from annotation.agreement.table import RatingsTable
from annotation.statistics import bootstrap, intervals, kappa
from annotation.statistics.estimates import Estimate
from annotation.statistics.ratings import Array, Statistic
from annotation.values.measures import Comparison, Measure

LEAST = 0.05
"""Less than that is nothing to see to, however certain it is."""
IN_TAIL = 5
"""Draws beyond each end of the interval, so that the end is not that of one draw."""


def by_measure(
    table: RatingsTable, measured: Sequence[Measure | Comparison], people: Mapping[str, Numbers]
) -> dict[str, list[Any]]:
    """Who stands out under a measure: [person, their agreement with others, that of the others]; those with nobody are
    left out. `people`: how far each of them agrees with the others (`people.of_people`)."""
    found = {}
    for one in measured:
        theirs = {key: Estimate.from_list(numbers[one.key][statistic_of(one)]) for key, numbers in people.items()}
        known = {key: each for key, each in theirs.items() if each.low is not None}
        lowest = min(known, key=lambda key: (known[key].value or 0.0, key), default=None)
        if lowest is None:
            continue
        columns = _beside_the_others(table, one, int(lowest))
        if _is_below(table, columns, tests=len(known) * len(measured)):
            others = bootstrap.estimate(_of_all_units(table, columns[:, 2:], kappa.share))
            found[one.key] = [int(lowest), known[lowest].kept(DECIMALS), others.kept(DECIMALS)]
    return found


def _beside_the_others(table: RatingsTable, one: Measure | Comparison, person: int) -> Array:
    """For each unit the sum and the weight of the person's agreement with others, and of that of the others."""
    n, rows = len(table.size), table.person == person
    agreed = agreed_with_others(table, one)[rows]
    first, second = table.pairs
    apart = ~(rows[first] | rows[second])
    if isinstance(one, Measure):
        codes, said = table.code[:, table.measures.index(one.key)], table.says_something(one.key)
        alike, weight = (codes[first] == codes[second]).astype(float), np.ones(len(first))
        apart &= said[first] & said[second]
    else:
        alike, weight = table.pairs_of(one.key), table.pairs_of(f"{one.key}:weight")
        apart &= ~np.isnan(weight)
    units = table.pair_unit[apart]
    pairs = np.maximum(np.bincount(units, minlength=n), 1)
    of_person = [np.bincount(table.unit[rows], weights=column, minlength=n) for column in agreed.T]
    of_others = [np.bincount(units, weights=each[apart], minlength=n) / pairs for each in (alike * weight, weight)]
    return np.stack([*of_person, *of_others], axis=1)


def _is_below(table: RatingsTable, columns: Array, *, tests: int) -> bool:
    """Whether the person agrees with the others less than these do by more than LEAST."""
    found = _of_all_units(table, columns, _difference)
    usual = bootstrap.estimate(found)
    if usual.high is None or usual.high >= -LEAST:
        return False
    outside = (1 - intervals.WITHIN) / tests
    times = ceil(2 * IN_TAIL / outside / bootstrap.DRAWS)
    sums = found.columns[found.columns.any(axis=1)]

    def values() -> Array:
        draws = (bootstrap.drawn(sums, seed=bootstrap.SEED + number) for number in range(times))
        return np.concatenate([found.value(each) for each in draws])

    without = found.value(bootstrap.left_out(sums))
    strict = bootstrap.with_interval(found.point, found.n, without, values, within=1 - outside)
    return strict.high is not None and strict.high < -LEAST


def _of_all_units(table: RatingsTable, columns: Array, value: Callable[[Array], Array]) -> Statistic:
    return of_units(table, Statistic(columns, value, 0), np.arange(len(table.size)))


def _difference(sums: Array) -> Array:
    found: Array = kappa.share(sums[..., :2]) - kappa.share(sums[..., 2:])
    return found
