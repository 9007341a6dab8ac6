"""What people said in one activity, as arrays: units with their ratings and pairs (pure).

A unit is an item, or one turn of an item. A rating is what one annotation says in a unit, by measure, as a code: from 0
on for a value that means the same in every item (its place in the measure's categories), NOTHING for none, and from
NOTHING - 1 on downwards for a value that means something only in its item. A pair is one of two ratings of a unit, in
the order of `ratings.pairs_within`; it has a number for each distance and likeness, NaN if there is nothing to compare.
"""

from __future__ import annotations

import io
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
import orjson

from annotation.agreement.measures import Comparison, Measure
from annotation.agreement.ratings import Array, Ratings, pairs_within

NOTHING = -1
UNKNOWN = 0
"""Stands for the key of a person whom an imported file does not name."""


class Unit(NamedTuple):
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
class Table:
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

    @property
    def unit(self) -> Array:
        """The unit of each rating."""
        return np.repeat(np.arange(len(self.size)), self.size)

    def select(self, units: Array) -> Table:
        """Only the units for which this is true."""
        ratings = np.repeat(units, self.size)
        pairs = np.repeat(units, self.size * (self.size - 1) // 2)
        return Table(
            self.measures, self.comparisons, self.categories, self.splits,
            self.item[units], self.turn[units], self.split[units], self.at[units], self.size[units],
            self.annotation[ratings], self.person[ratings], self.code[ratings], self.pair[pairs],
        )  # fmt: skip

    def replaced(self, items: Iterable[int], units: Sequence[Unit]) -> Table:
        """The same with these units instead of those that these items had."""
        kept = self.select(~np.isin(self.item, np.fromiter(items, np.int64)))
        if not units:
            return kept
        splits = list(dict.fromkeys([*self.splits, *(unit.split for unit in units)]))
        place = {split: number for number, split in enumerate(splits)}
        sizes = np.array([len(unit.people) for unit in units], np.int32)
        pairs = int((sizes * (sizes - 1) // 2).sum())
        new = Table(
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
        parts = {name: np.concatenate([getattr(kept, name), getattr(new, name)]) for name in ARRAYS if len(kept.item)}
        return Table(self.measures, self.comparisons, self.categories, splits, **parts) if parts else new

    def ratings(self, key: str, clusters: Array) -> Ratings:
        """The values of one measure. `clusters`: the cluster of each unit."""
        codes = self.code[:, self.measures.index(key)]
        said = codes != NOTHING
        categories = self.categories[key]
        order = sorted(range(len(categories)), key=lambda place: _sortable(categories[place]))
        rank = np.empty(len(categories) + 1, np.int64)
        rank[order] = np.arange(len(categories))
        codes = codes[said].astype(np.int64)
        codes = np.where(codes >= 0, rank[np.maximum(codes, 0)], len(categories) + NOTHING - 1 - codes)
        names, people = np.unique(self.person[said], return_inverse=True)
        return Ratings(
            item=self.unit[said],
            person=people,
            code=codes,
            categories=[categories[place] for place in order],
            people=[str(name) for name in names],
            clusters=clusters,
        )

    def pairs_of(self, comparison: str, measure: str | None = None) -> Array:
        """A column of the pairs; of a measure, only pairs of ratings that both say something."""
        column = self.pair[:, self.comparisons.index(comparison)].astype(float)
        if measure is None:
            return column
        said = self.code[:, self.measures.index(measure)] != NOTHING
        first, second = pairs_within(self.size)
        return column[said[first] & said[second]]

    def packed(self) -> bytes:
        """All of it as bytes."""
        head = [self.measures, self.comparisons, self.categories, self.splits]
        written = io.BytesIO()
        arrays = {name: getattr(self, name) for name in ARRAYS}
        np.savez(written, head=np.frombuffer(orjson.dumps(head), np.uint8), **arrays)
        return written.getvalue()

    @classmethod
    def unpacked(cls, data: bytes) -> Table:
        """The table in these bytes."""
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            return cls(*orjson.loads(found["head"].tobytes()), **{name: found[name] for name in ARRAYS})


ARRAYS = tuple(
    each.name for each in fields(Table) if each.name not in ("measures", "comparisons", "categories", "splits")
)


def empty(measured: Sequence[Measure | Comparison]) -> Table:
    """A table without units for these measures of one activity."""
    measures = [one for one in measured if isinstance(one, Measure)]
    names = [name for one in measured for name in columns_of(one)]
    table = Table([one.key for one in measures], names)
    table.categories = {one.key: [plain(value) for value in one.everywhere or ()] for one in measures}
    table.code, table.pair = np.empty((0, len(measures)), np.int32), np.empty((0, len(names)), np.float32)
    return table


def columns_of(one: Measure | Comparison) -> tuple[str, ...]:
    """The columns of the pairs that a measure has: distances of sets, or a likeness with its weight."""
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


def _joined(rows: Iterable[Sequence[float]], dtype: Any) -> Array:
    return np.fromiter((value for row in rows for value in row), dtype)


def _columns(units: Sequence[Sequence[Sequence[float]]], shape: tuple[int, int], dtype: Any) -> Array:
    """From rows for each measure, by unit, an array of rows x measures."""
    found = np.empty(shape, dtype)
    for place in range(shape[1]):
        found[:, place] = _joined((unit[place] for unit in units), dtype)
    return found
