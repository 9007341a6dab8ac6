"""What people said in one activity, as arrays: units with their ratings and pairs (pure).

A unit is an item, or one turn of an item. A rating is what one annotation says in a unit, by measure, as a code: from 0
on for a value that means the same in every item (its place in the measure's categories), NOTHING for none, and from
NOTHING - 1 on downwards for a value that means something only in its item. A pair is one of two ratings of a unit, in
the order of `ratings.pairs_within`; it has a number for each distance and similarity, NaN if nothing can be compared.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np
import orjson

from annotation.statistics.ratings import Array, Ratings, pairs_within
from annotation.values.measures import Comparison, Measure

NOTHING = -1
UNKNOWN = 0
"""Stands for the key of a person whom an imported file does not name."""


class RatedUnit(NamedTuple):
    """One item, or a turn of it: who said what. `codes`: by measure, parallel to `people`; `pairs`: by comparison."""

    item: int
    turn: int
    split: str
    at: float
    annotations: Sequence[int]
    people: Sequence[int]
    codes: Sequence[Sequence[int]]
    pairs: Sequence[Sequence[float]]


@dataclass(eq=False)
class RatingsTable:
    """All units of an activity. `measures` and `comparisons` name the columns of `code` and `pair`."""

    measures: list[str]
    comparisons: list[str]
    categories: dict[str, list[Any]] = field(default_factory=dict)
    splits: list[str] = field(default_factory=list)
    item: Array = field(default_factory=lambda: np.empty(0, np.int64))
    turn: Array = field(default_factory=lambda: np.empty(0, np.int32))
    split: Array = field(default_factory=lambda: np.empty(0, np.int32))
    at: Array = field(default_factory=lambda: np.empty(0, np.float64))
    size: Array = field(default_factory=lambda: np.empty(0, np.int32))
    annotation: Array = field(default_factory=lambda: np.empty(0, np.int64))
    person: Array = field(default_factory=lambda: np.empty(0, np.int64))
    code: Array = field(default_factory=lambda: np.empty((0, 0), np.int32))
    pair: Array = field(default_factory=lambda: np.empty((0, 0), np.float32))

    @cached_property
    def unit(self) -> Array:
        """The unit of each rating."""
        return np.repeat(np.arange(len(self.size)), self.size)

    @cached_property
    def pairs(self) -> tuple[Array, Array]:
        """The ratings of each pair."""
        return pairs_within(self.size)

    @cached_property
    def pair_unit(self) -> Array:
        """The unit of each pair."""
        return self.unit[self.pairs[0]]

    @cached_property
    def items(self) -> tuple[Array, Array]:
        """The items in order, and the place of each unit's item among them; units are sorted by item."""
        first = np.ones(len(self.item), bool)
        first[1:] = self.item[1:] != self.item[:-1]
        return self.item[first], np.cumsum(first) - 1

    @cached_property
    def people(self) -> tuple[Array, Array]:
        """The people in order, and the place of each rating's person among them."""
        return np.unique(self.person, return_inverse=True)

    def select(self, units: Array) -> RatingsTable:
        """Only the units for which this is true."""
        pairs = self.size * (self.size - 1) // 2
        return self._taken(units, np.repeat(units, self.size), np.repeat(units, pairs))

    def _taken(self, units: Array, ratings: Array, pairs: Array) -> RatingsTable:
        """The same with these units, ratings and pairs: by their places, or by whether they are wanted."""
        return RatingsTable(
            self.measures, self.comparisons, self.categories, self.splits,
            self.item[units], self.turn[units], self.split[units], self.at[units], self.size[units],
            self.annotation[ratings], self.person[ratings], self.code[ratings], self.pair[pairs],
        )  # fmt: skip

    def replaced(self, items: Iterable[int], units: Sequence[RatedUnit]) -> RatingsTable:
        """The same with these units instead of those that these items had."""
        kept = self.select(~np.isin(self.item, np.fromiter(items, np.int64)))
        if not units:
            return kept
        splits = list(dict.fromkeys([*self.splits, *(unit.split for unit in units)]))
        place = {split: number for number, split in enumerate(splits)}
        sizes = np.array([len(unit.people) for unit in units], np.int32)
        pairs = int((sizes * (sizes - 1) // 2).sum())
        new = RatingsTable(
            self.measures, self.comparisons, self.categories, splits,
            np.array([unit.item for unit in units], np.int64),
            np.array([unit.turn for unit in units], np.int32),
            np.array([place[unit.split] for unit in units], np.int32),
            np.array([unit.at for unit in units], np.float64),
            sizes,
            _joined((unit.annotations for unit in units), np.int64),
            _joined((unit.people for unit in units), np.int64),
            _columns([unit.codes for unit in units], (int(sizes.sum()), len(self.measures)), np.int32),
            _columns([unit.pairs for unit in units], (pairs, len(self.comparisons)), np.float32),
        )  # fmt: skip
        parts = {name: np.concatenate([getattr(kept, name), getattr(new, name)]) for name in ARRAYS}
        return RatingsTable(self.measures, self.comparisons, self.categories, splits, **parts)._in_order()

    def _in_order(self) -> RatingsTable:
        """The same with its units sorted by item and turn."""
        order = np.lexsort((self.turn, self.item))
        if (order[1:] > order[:-1]).all():
            return self
        pairs = self.size * (self.size - 1) // 2
        return self._taken(order, _runs(self.size, order), _runs(pairs, order))

    def ratings(self, key: str, clusters: Array) -> Ratings:
        """The values of one measure. `clusters`: the cluster of each unit."""
        codes = self.code[:, self.measures.index(key)]
        said = codes != NOTHING
        people, person = self.people
        categories = self.categories[key]
        order = sorted(range(len(categories)), key=lambda place: _sortable(categories[place]))
        rank = np.empty(len(categories) + 1, np.int64)
        rank[order] = np.arange(len(categories))
        codes = codes[said].astype(np.int64)
        codes = np.where(codes >= 0, rank[np.maximum(codes, 0)], len(categories) + NOTHING - 1 - codes)
        return Ratings(
            item=self.unit[said],
            person=person[said],
            code=codes,
            categories=[categories[place] for place in order],
            people=[str(name) for name in people],
            clusters=clusters,
            wholes=self.items[1],
        )

    def says_something(self, key: str) -> Array:
        """Whether each rating says something under a measure."""
        said: Array = self.code[:, self.measures.index(key)] != NOTHING
        return said

    def pairs_of(self, comparison: str, measure: str | None = None) -> Array:
        """A column of the pairs; of a measure, only pairs of ratings that both say something."""
        column = self.pair[:, self.comparisons.index(comparison)].astype(float)
        if measure is None:
            return column
        said = self.says_something(measure)
        return column[said[self.pairs[0]] & said[self.pairs[1]]]

    def packed(self) -> bytes:
        """All of it as bytes: the length of a head, the head (JSON), and the bytes of each array."""
        arrays = [getattr(self, name) for name in ARRAYS]
        kinds = [(array.dtype.str, array.shape) for array in arrays]
        head = orjson.dumps([self.measures, self.comparisons, self.categories, self.splits, kinds])
        return b"".join([len(head).to_bytes(8, "little"), head, *(array.tobytes() for array in arrays)])

    @classmethod
    def unpacked(cls, data: bytes) -> RatingsTable:
        """The table in these bytes."""
        at = 8 + int.from_bytes(data[:8], "little")
        measures, comparisons, categories, splits, kinds = orjson.loads(data[8:at])
        arrays = {}
        for name, (kind, shape) in zip(ARRAYS, kinds, strict=True):
            count = prod(shape)
            arrays[name] = np.frombuffer(data, kind, count, at).reshape(shape)
            at += arrays[name].nbytes
        return cls(measures, comparisons, categories, splits, **arrays)


ARRAYS = tuple(
    each.name for each in fields(RatingsTable) if each.name not in ("measures", "comparisons", "categories", "splits")
)


def empty(measured: Sequence[Measure | Comparison]) -> RatingsTable:
    """A table without units for these measures of one activity."""
    measures = [one for one in measured if isinstance(one, Measure)]
    names = [name for one in measured for name in columns_of(one)]
    table = RatingsTable([one.key for one in measures], names)
    table.categories = {one.key: [plain(value) for value in one.everywhere or ()] for one in measures}
    table.code, table.pair = np.empty((0, len(measures)), np.int32), np.empty((0, len(names)), np.float32)
    return table


def columns_of(one: Measure | Comparison) -> tuple[str, ...]:
    """The columns of the pairs that a measure has: distances of sets, or a similarity with its weight."""
    if isinstance(one, Comparison):
        return one.key, f"{one.key}:weight"
    return (f"{one.key}:jaccard", f"{one.key}:masi") if one.scale == "set" else ()


def plain(value: Hashable) -> Any:
    """A value as JSON has it."""
    return sorted(value, key=_sortable) if isinstance(value, frozenset) else value


def _sortable(value: Any) -> tuple[str, Any]:
    """A sort key: numbers in their order, then texts, then lists."""
    if isinstance(value, bool | int | float):
        return "", float(value)
    return (type(value).__name__, str(value))


def _runs(sizes: Array, order: Array) -> Array:
    """The places of runs of these sizes, one run after another in another order."""
    begins = np.cumsum(sizes) - sizes
    moved = sizes[order]
    return np.repeat(begins[order] - (np.cumsum(moved) - moved), moved) + np.arange(int(moved.sum()))


def _joined(rows: Iterable[Sequence[float]], dtype: Any) -> Array:
    return np.fromiter((value for row in rows for value in row), dtype)


def _columns(units: Sequence[Sequence[Sequence[float]]], shape: tuple[int, int], dtype: Any) -> Array:
    """From rows for each measure, by unit, an array of rows x measures."""
    found = np.empty(shape, dtype)
    for place in range(shape[1]):
        found[:, place] = _joined((unit[place] for unit in units), dtype)
    return found
