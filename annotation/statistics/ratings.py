"""Values that people gave to items under one measure, as arrays, and the pairs of values of one item (pure).

Statistics of agreement need only items with two or more values. They are functions of sums over items, so that the
bootstrap can draw items again without counting anything anew (`bootstrap`).

A value is a code. Codes below the number of `categories` mean the same in every item ("no answer"); higher ones have a
meaning only within their item (a box of its page), where equal codes are equal values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Units = Sequence[Mapping[str, Any]]
"""What people said of each item: a dict by person; None: nothing that counts."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """One row for each value, sorted by item: its item (0 to n - 1), its person and its code.

    `categories`: the values with codes 0, 1, 2 ... that mean the same in every item. `people`: the names of persons 0,
    1, 2 ... `clusters`: the cluster of each item, which is drawn as a whole by the bootstrap. `wholes`: what each item
    is a part of, such as the conversation of a turn: they are what n counts. By default each item is its own.
    """

    item: Array
    person: Array
    code: Array
    categories: Sequence[Any]
    people: Sequence[str]
    clusters: Array
    wholes: Array

    @classmethod
    def from_units(cls, units: Units, *, categories: Sequence[Hashable] | None = None) -> Ratings:
        """The values of several items. `categories`: those that mean the same everywhere, in order; None: all do."""
        people = {name: place for place, name in enumerate(sorted({name for unit in units for name in unit}))}
        if categories is None:
            categories = in_order(value for unit in units for value in unit.values() if value is not None)
        place = {value: code for code, value in enumerate(categories)}
        rows = []
        for number, unit in enumerate(units):
            known = dict(place)
            for name, value in unit.items():
                if value is not None:
                    rows.append((number, people[name], known.setdefault(value, len(known))))
        item, person, code = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        return cls(item, person, code, tuple(categories), tuple(people), np.arange(len(units)), np.arange(len(units)))

    @property
    def n_items(self) -> int:
        """How many items there are, those without two values included."""
        return len(self.clusters)

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return int(self.clusters.max(initial=-1)) + 1

    @cached_property
    def values_per_item(self) -> Array:
        """How many values each item has."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def comparable(self) -> Array:
        """Whether each row belongs to an item with two or more values."""
        return self.values_per_item[self.item] > 1

    @cached_property
    def n_comparable(self) -> int:
        """How many items have two or more values; of parts, how many wholes."""
        return len(np.unique(self.wholes[self.values_per_item > 1]))

    @cached_property
    def own(self) -> Array:
        """Whether the value of each row means something only within its item."""
        return self.code >= len(self.categories)

    @cached_property
    def pairs(self) -> tuple[Array, Array]:
        """The rows of all pairs of values of one item, each pair once."""
        return pairs_within(self.values_per_item)

    @cached_property
    def pair_item(self) -> Array:
        """The item of each pair."""
        return self.item[self.pairs[0]]

    @cached_property
    def pairs_by_person(self) -> tuple[Array, Array]:
        """The pairs of values in the categories, of two people; the rows of whoever is first among the people first."""
        first, second = self.pairs
        turned = self.person[first] > self.person[second]
        first, second = np.where(turned, second, first), np.where(turned, first, second)
        kept = ~(self.own[first] | self.own[second]) & (self.person[first] != self.person[second])
        return first[kept], second[kept]

    @cached_property
    def people_of_pairs(self) -> Array:
        """A number for each of `pairs_by_person`, which is the same for the same two people."""
        first, second = self.pairs_by_person
        return self.person[first] * len(self.people) + self.person[second]

    @cached_property
    def n_of_pairs(self) -> int:
        """How many wholes `pairs_by_person` are of."""
        return len(np.unique(self.wholes[self.item[self.pairs_by_person[0]]]))

    @cached_property
    def same(self) -> Array:
        """1 for each pair of equal values, else 0."""
        first, second = self.pairs
        same: Array = self.code[first] == self.code[second]
        return same.astype(float)

    @cached_property
    def pairs_per_item(self) -> Array:
        """How many pairs each item has."""
        pairs: Array = self.values_per_item * (self.values_per_item - 1) // 2
        return pairs

    @cached_property
    def same_per_item(self) -> Array:
        """How many pairs of equal values each item has."""
        return self.per_item(self.same)

    def per_item(self, values: Array) -> Array:
        """The sum of the values of each item's pairs."""
        return np.bincount(self.pair_item, weights=values, minlength=self.n_items)

    def by_cluster(self, *columns: Array) -> Array:
        """Columns with a number for each item, summed by cluster: an array of clusters x columns."""
        return clustered(self.clusters, self.n_clusters, columns)

    def rows_by_cluster(self, key: Array, size: int, weights: Array) -> Array:
        """Weights of rows that have comparable values, summed by cluster and by a key from 0 to `size` - 1."""
        rows = self.comparable & (key >= 0) & (key < size)
        at = self.clusters[self.item[rows]] * size + key[rows]
        found = np.bincount(at, weights=weights[rows], minlength=self.n_clusters * size)
        return found.reshape(self.n_clusters, size)


def pairs_within(counts: Array) -> tuple[Array, Array]:
    """The rows of all pairs within runs of so many rows, each pair once: (first rows, second rows)."""
    total = int(counts.sum())
    ends = np.repeat(np.cumsum(counts), counts)
    later = ends - np.arange(total) - 1  # how many rows of the same run come after each row
    first = np.repeat(np.arange(total), later)
    begins = np.cumsum(later) - later
    second = first + 1 + np.arange(len(first)) - np.repeat(begins, later)
    return first, second


def clustered(clusters: Array, n: int, columns: Sequence[Array]) -> Array:
    """Columns with a number for each item, summed by cluster."""
    return np.stack([np.bincount(clusters, weights=column, minlength=n) for column in columns], axis=1)


def in_order(values: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """The different values, sorted if they can be."""
    found: set[Any] = set(values)
    try:
        return tuple(sorted(found))
    except TypeError:
        return tuple(sorted(found, key=repr))


@dataclass(frozen=True, eq=False)
class Statistic:
    """A number that is a function of sums over items: the columns of each cluster, and what their sums give.

    `value` takes sums in the last axis, so that many draws are computed at once; NaN where it is undefined. `n`: the
    items that it is about; of parts of items, such as turns, the whole ones.
    """

    columns: Array
    value: Callable[[Array], Array]
    n: int

    @property
    def point(self) -> float:
        """Its value for all items; NaN if undefined."""
        return float(self.value(self.columns.sum(axis=0)))


def quotient_or_nan(part: Array, whole: Array) -> Array:
    """part / whole, NaN where the whole is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.divide(part, whole)
    return np.where(np.isfinite(found), found, np.nan)


def mean_of_defined(values: Array) -> Array:
    """The mean over the last axis without what is NaN; NaN of nothing."""
    defined = ~np.isnan(values)
    return quotient_or_nan(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1).astype(float))
