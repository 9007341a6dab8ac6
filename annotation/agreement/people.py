"""How far each person agrees with the others in the same items, and how accurate they are by Dawid-Skene."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotation.agreement.reading import of_units
from annotation.agreement.table import UNKNOWN, RatingsTable
from annotation.statistics import bootstrap, dawid_skene, kappa
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
    likeness."""
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
    weight, likeness = table.pairs_of(f"{one.key}:weight"), table.pairs_of(one.key)
    kept = ~np.isnan(weight)
    ratings = np.concatenate([rows[kept] for rows in table.pairs])
    count = np.maximum(np.bincount(ratings, minlength=n), 1)
    for place, values in enumerate((likeness * weight, weight)):
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
