"""Published worked examples, and made-up values of many people with gaps."""

from __future__ import annotations

import numpy as np

from annotation.statistics.ratings import Ratings

FLEISS = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip
"""10 items, 14 values each, 5 categories: kappa .2099 (the example of Fleiss' kappa on Wikipedia)."""

COHEN = ((88, 14, 18), (10, 40, 10), (2, 6, 12))
"""Two people, 200 items: kappa .492 (Cohen 1960, table 2)."""

KRIPPENDORFF = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
"""Four people, 12 items: alpha .743 nominal, .815 ordinal, .849 interval (Krippendorff 2011, C)."""

DAWID_SKENE = (
    "111.1.1.1.1 333.4.3.3.4 112.2.1.2.2 222.3.1.2.1 222.3.2.2.2 222.3.3.2.2 122.2.1.1.1 333.3.4.3.3 222.2.2.2.3 "
    "232.2.2.2.3 444.4.4.4.4 222.3.3.4.3 111.1.1.1.1 222.3.2.1.2 121.1.1.1.1 111.2.1.1.1 111.1.1.1.1 111.1.1.1.1 "
    "222.2.2.2.1 222.1.3.2.2 222.2.2.2.2 222.2.2.2.1 222.3.2.2.2 221.2.2.2.2 111.1.1.1.1 111.1.1.1.1 232.2.2.2.2 "
    "111.1.1.1.1 111.1.1.1.1 112.1.1.2.1 111.1.1.1.1 333.3.2.3.3 111.1.1.1.1 222.2.2.2.2 222.3.2.3.2 433.4.3.4.3 "
    "221.2.2.3.2 232.3.2.3.3 333.3.4.3.2 111.1.1.1.1 111.1.1.1.1 121.2.1.1.1 232.2.2.2.2 121.1.1.1.1 222.2.2.2.2"
)
"""45 patients, five anaesthetists, the first of whom answered three times (Dawid and Skene 1979, table 1)."""


def of_counts(rows: tuple[tuple[int, ...], ...]) -> Ratings:
    """Items by how often each category was given, by people who are new in every item."""
    units = []
    for row in rows:
        values = [category for category, count in enumerate(row) for _ in range(count)]
        units.append({f"{len(units)}-{place}": value for place, value in enumerate(values)})
    return Ratings.from_units(units)


def of_two(table: tuple[tuple[int, ...], ...]) -> Ratings:
    """Two people by how often one said the row while the other said the column."""
    cells = [(i, j, count) for i, row in enumerate(table) for j, count in enumerate(row)]
    return Ratings.from_units([{"a": i, "b": j} for i, j, count in cells for _ in range(count)])


def of_rows(rows: tuple[str, ...]) -> Ratings:
    """A line for each person, a number for each item, a dot where there is none."""
    said = [[None if one == "." else int(one) for one in row.split()] for row in rows]
    units = [{f"p{place}": value for place, value in enumerate(column)} for column in zip(*said, strict=True)]
    return Ratings.from_units(units)


def made_up(seed: int, *, items: int = 60, people: int = 6, k: int = 5, gaps: float = 0.3) -> list[list[int | None]]:
    """Values of people for items, by person: mostly the item's own, sometimes any, with gaps."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, size=items)
    said = np.where(rng.random((people, items)) < 0.7, truth, rng.integers(0, k, size=(people, items)))
    kept = rng.random((people, items)) >= gaps
    return [[int(x) if keep else None for x, keep in zip(*row, strict=True)] for row in zip(said, kept, strict=True)]


def units_of(said: list[list[int | None]]) -> list[dict[str, int | None]]:
    """The same by item."""
    return [{f"p{place}": value for place, value in enumerate(column)} for column in zip(*said, strict=True)]
