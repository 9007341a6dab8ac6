"""How far each person agrees with the others in the same items, and how accurate they are by Dawid-Skene; and whether
somebody agrees with the others clearly less than these agree with each other.

Of each measure, the person who agrees least is looked at: the share of equal values (or the mean similarity) of them
and the others, less that of the others among themselves. They stand out if the interval of this difference is below
-LEAST. It is wider than 95 %, since the one who agrees least of many, by any of several measures, is low by chance
alone: its share outside is that of 95 %, divided by the number of people and measures (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np

from annotation.agreement.rated_units import of_units
from annotation.agreement.table import UNKNOWN, RatingsTable
from annotation.statistics import bootstrap, dawid_skene, intervals, kappa
from annotation.statistics.estimates import Estimate
from annotation.statistics.ratings import Array, Ratings, Statistic
from annotation.values.measures import Comparison, Measure

Numbers = dict[str, dict[str, list[float | int | None]]]
SMOOTHING = 0.5
"""What Dawid-Skene adds to each cell of a person's confusion matrix."""
FEWEST_PEOPLE = 3
"""With two people, nothing tells which of them is right."""
MOST_CLASSES = 20
DECIMALS = 5


def of_people(
    table: RatingsTable, measured: Sequence[Measure | Comparison], people: Sequence[int]
) -> dict[str, Numbers]:
    """How far each of these people agrees with the others in the same items: the share of equal values, or the mean
    similarity."""
    found: dict[str, Numbers] = {str(person): {} for person in people}
    for one in measured:
        agreed = agreed_with_others(table, one)
        for person in people:
            rows = np.flatnonzero(table.person == person)
            estimate = bootstrap.estimate(of_units(table, Statistic(agreed[rows], kappa.share, 0), table.unit[rows]))
            found[str(person)][one.key] = {statistic_of(one): estimate.kept(DECIMALS)}
    return found


def statistic_of(one: Measure | Comparison) -> str:
    """The statistic of one person's agreement with others."""
    return "mean" if isinstance(one, Comparison) else "observed"


def agreed_with_others(table: RatingsTable, one: Measure | Comparison) -> Array:
    """How far each rating agrees with the others of its unit: a sum and its weight; both 0 without others."""
    n = len(table.person)
    columns = np.zeros((n, 2))
    if isinstance(one, Measure):
        said = table.says_something(one.key)
        share = kappa.with_others(table.ratings(one.key, np.arange(len(table.size))))
        columns[said, 0], columns[said, 1] = np.nan_to_num(share), ~np.isnan(share)
        return columns
    weight, similarity = table.pairs_of(f"{one.key}:weight"), table.pairs_of(one.key)
    kept = ~np.isnan(weight)
    ratings = np.concatenate([rows[kept] for rows in table.pairs])
    count = np.maximum(np.bincount(ratings, minlength=n), 1)
    for place, values in enumerate((similarity * weight, weight)):
        columns[:, place] = np.bincount(ratings, weights=np.tile(values[kept], 2), minlength=n) / count
    return columns


def quality(table: RatingsTable, one: Measure) -> dict[str, list[float | int | None]]:
    """The accuracy of each person by Dawid-Skene: [value, low, high, n, differing] by their keys.

    {} with too few people, or with so many classes that nobody meets each of them.

    Classes mean the same in every item. Where a measure has values of their items alone, they are the most frequent
    of these in the item, or another one.
    """
    ratings = table.ratings(one.key, np.arange(len(table.size)))
    rows = ratings.comparable
    classes = _classes(ratings)[rows]
    if len(np.unique(ratings.person[rows])) < FEWEST_PEOPLE or classes.max() >= MOST_CLASSES:
        return {}
    _items, item = np.unique(ratings.item[rows], return_inverse=True)
    people, person = np.unique(ratings.person[rows], return_inverse=True)
    found = dawid_skene.fit(item, person, classes, k=int(classes.max()) + 1, smoothing=SMOOTHING)
    accuracies = dawid_skene.accuracies(found, person, ratings.wholes[ratings.item[rows]])
    return {
        ratings.people[place]: accuracy.kept(DECIMALS)
        for place, accuracy in zip(people, accuracies, strict=True)
        if ratings.people[place] != str(UNKNOWN)
    }


def _classes(ratings: Ratings) -> Array:
    """The class of each rating: its category, or the modal one of its item's own values, or another one."""
    k = len(ratings.categories)
    if not ratings.own.any():
        return ratings.code
    wide = int(ratings.code.max()) + 1
    names, counts = np.unique(ratings.item[ratings.own] * wide + ratings.code[ratings.own], return_counts=True)
    best: dict[int, int] = {}
    for place in np.lexsort((names, -counts)):
        best.setdefault(int(names[place] // wide), int(names[place] % wide))
    modal = np.array([best.get(item, -1) for item in range(ratings.n_items)])
    return np.where(ratings.own, np.where(ratings.code == modal[ratings.item], k, k + 1), ratings.code)


LEAST = 0.05
"""Less than that is nothing to see to, however certain it is."""
IN_TAIL = 5
"""Draws beyond each end of the interval, so that the end is not that of one draw."""


def standing_out(
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
