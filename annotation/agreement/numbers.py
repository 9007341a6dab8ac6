"""The numbers of agreement in a table, with their intervals, of all of it or of a part: by split, week and person.

Numbers are JSON: {measure: {statistic: [value, low, high, n, differing]}}, each of these lists an
`agreement.estimates.Estimate`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np

from annotation.agreement import people
from annotation.agreement.people import DECIMALS, Numbers
from annotation.agreement.rated_units import clusters_of, of_units
from annotation.agreement.table import UNKNOWN, RatingsTable
from annotation.statistics import alpha, bootstrap, kappa
from annotation.statistics.ratings import Array, Ratings, Statistic, clustered
from annotation.values.measures import Comparison, Measure, headline

WORST = 12
COHEN_MOST = 100
"""With more people, Cohen's kappa is not computed: each of them would need enough items to know their shares."""
SLOW = frozenset({"cohen"})


def of_whole(table: RatingsTable, measured: Sequence[Measure | Comparison]) -> dict[str, Any]:
    """All numbers: of all of it, by split, week and person, the accuracy of people, and the worst items."""
    known = [int(person) for person in table.people[0] if person != UNKNOWN]
    of_people, found = people.of_people(table, measured, known), of_all(table, measured)
    return {
        "all": found,
        "sizes": sizes(table),
        "worst": {one.key: worst(table, one) for one in measured},
        "splits": by_split(table, measured, whole=found),
        "split_items": items_by_split(table),
        "weeks": by_week(table, measured),
        "people": of_people,
        "stands_out": people.standing_out(table, measured, of_people),
        "quality": {
            one.key: people.quality(table, one)
            for one in measured
            if isinstance(one, Measure) and one.scale != "interval"
        },
    }


def of_quick_pass(
    table: RatingsTable, measured: Sequence[Measure | Comparison], *, before: Mapping[str, Any]
) -> dict[str, Any]:
    """The numbers of all of it, and of new splits. What takes longest stays as it was before: the other splits, and
    Cohen's kappa, of many people."""
    found = of_all(table, measured, without=SLOW)
    for key, statistics_before in before.get("all", {}).items():
        found.get(key, {}).update({name: each for name, each in statistics_before.items() if name in SLOW})
    of_splits = by_split(table, measured, whole=found, before=before.get("splits", {}))
    return {"all": found, "sizes": sizes(table), "splits": of_splits, "split_items": items_by_split(table)}


def of_all(
    table: RatingsTable,
    measured: Sequence[Measure | Comparison],
    *,
    without: frozenset[str] = frozenset(),
) -> Numbers:
    """Every statistic of every measure, of all people."""
    clusters = clusters_of(table)
    return {
        one.key: {
            name: bootstrap.estimate(found).kept(DECIMALS)
            for name, found in statistics(table, one, clusters, without=without)
        }
        for one in measured
    }


def statistics(
    table: RatingsTable, one: Measure | Comparison, clusters: Array, *, without: frozenset[str] = frozenset()
) -> Iterator[tuple[str, Statistic]]:
    """The statistics of one measure, by name."""
    if isinstance(one, Comparison):
        yield "mean", weighted_mean(table, one, clusters)
        return
    ratings = table.ratings(one.key, clusters)
    yield "observed", kappa.observed(ratings)
    if one.scale == "nominal":
        if "cohen" not in without and UNKNOWN not in table.people[0] and len(ratings.people) <= COHEN_MOST:
            yield "cohen", kappa.cohen(ratings)
        yield "fleiss", kappa.fleiss(ratings)
        yield "alpha", alpha.nominal(ratings)
    elif one.scale == "set":
        for name in ("jaccard", "masi"):
            pairs = table.pairs_of(f"{one.key}:{name}", one.key)
            yield f"alpha_{name}", alpha.by_distance(ratings, _distances(ratings, name), pairs)
    else:
        yield "alpha", alpha.ordinal(ratings) if one.scale == "ordinal" else alpha.interval(ratings)


def weighted_mean(table: RatingsTable, one: Comparison, clusters: Array) -> Statistic:
    """The mean similarity of a unit's pairs, each by its weight."""
    weight, similarity, unit = table.pairs_of(f"{one.key}:weight"), table.pairs_of(one.key), table.pair_unit
    kept, n = ~np.isnan(weight), len(table.size)
    count = np.maximum(np.bincount(unit[kept], minlength=n), 1)
    part = np.bincount(unit[kept], weights=(similarity * weight)[kept], minlength=n) / count
    whole = np.bincount(unit[kept], weights=weight[kept], minlength=n) / count
    columns = clustered(clusters, int(clusters.max(initial=-1)) + 1, [part, whole])
    return Statistic(columns, kappa.share, len(np.unique(table.items[1][whole > 0])))


def by_split(
    table: RatingsTable,
    measured: Sequence[Measure | Comparison],
    *,
    whole: Numbers,
    before: Mapping[str, Numbers] | None = None,
) -> dict[str, Numbers]:
    """The numbers of each split: those of the whole, if that is one split; those of before, where there are any."""
    present = list(items_by_split(table))
    if len(present) == 1:
        return {present[0]: whole}
    kept = before or {}
    return {
        split: kept.get(split) or of_all(table.select(table.split == table.splits.index(split)), measured)
        for split in present
    }


def items_by_split(table: RatingsTable) -> dict[str, int]:
    """How many items the table has of each split that it has any of."""
    _items, first = np.unique(table.items[1], return_index=True)
    places, counts = np.unique(table.split[first], return_counts=True)
    return dict(sorted((table.splits[at], int(n)) for at, n in zip(places, counts, strict=True)))


def by_week(
    table: RatingsTable, measured: Sequence[Measure | Comparison], *, person: int | None = None
) -> dict[str, Numbers]:
    """The headline of each measure by the week (its Monday) in which an item got its last annotation.

    With a person, how far they agree with others.
    """
    weeks, units = week_of(table), np.arange(len(table.size))
    found: dict[str, Numbers] = {}
    for one in measured:
        if person is None:
            wanted = statistics(table, one, units, without=SLOW)
            name, statistic = next((name, value) for name, value in wanted if name == headline(one))
            at = units
        else:
            rows = np.flatnonzero(table.person == person)
            name, statistic = (
                people.statistic_of(one),
                Statistic(people.agreed_with_others(table, one)[rows], kappa.share, 0),
            )
            at = table.unit[rows]
        for week in np.unique(weeks):
            part = weeks[at] == week
            of_week = Statistic(statistic.columns[part], statistic.value, 0)
            monday = (date(1970, 1, 5) + timedelta(weeks=int(week))).isoformat()
            estimate = bootstrap.estimate(of_units(table, of_week, at[part]))
            found.setdefault(monday, {})[one.key] = {name: estimate.kept(DECIMALS)}
    return found


def week_of(table: RatingsTable) -> Array:
    """The week of each unit, as a number since that of Monday 5 January 1970."""
    return ((table.at - datetime(1970, 1, 5, tzinfo=UTC).timestamp()) // (7 * 24 * 3600)).astype(np.int64)


def between(table: RatingsTable, since: date | None, until: date | None) -> Array:
    """Whether each unit got its last annotation in these days, both included."""
    kept = np.ones(len(table.at), bool)
    if since is not None:
        kept &= table.at >= datetime(since.year, since.month, since.day, tzinfo=UTC).timestamp()
    if until is not None:
        kept &= table.at < datetime(until.year, until.month, until.day, tzinfo=UTC).timestamp() + 24 * 3600
    return kept


def of_units_with(table: RatingsTable, person: int) -> RatingsTable:
    """The units in which a person has said something."""
    theirs = np.bincount(table.unit, weights=table.person == person, minlength=len(table.size))
    return table.select(theirs > 0)


def worst(table: RatingsTable, one: Measure | Comparison) -> list[list[float | int]]:
    """The items with the lowest agreement under a measure, [item, agreement, annotations], worst first."""
    if isinstance(one, Comparison):
        weight, similarity = table.pairs_of(f"{one.key}:weight"), table.pairs_of(one.key)
        kept = np.nan_to_num(weight) > 0
        values, weights, units = similarity[kept], weight[kept], table.pair_unit[kept]
    else:
        ratings = table.ratings(one.key, np.arange(len(table.size)))
        values, weights, units = ratings.same, np.ones(len(ratings.same)), ratings.pair_item
        if one.scale == "set":
            values = 1 - table.pairs_of(f"{one.key}:jaccard", one.key)
    items, place = table.items
    whole = np.bincount(place[units], weights=weights, minlength=len(items))
    part = np.bincount(place[units], weights=values * weights, minlength=len(items))
    sizes = np.zeros(len(items), np.int64)
    np.maximum.at(sizes, place, table.size)
    agreed = np.divide(part, whole, out=np.full(len(items), np.nan), where=whole > 0)
    order = [at for at in np.lexsort((-sizes, agreed)) if agreed[at] < 1][:WORST]
    return [[int(items[at]), round(float(agreed[at]), DECIMALS), int(sizes[at])] for at in order]


def sizes(table: RatingsTable) -> dict[str, int]:
    """How many items, annotations and people the table has."""
    return {
        "items": len(table.items[0]),
        "annotations": len(np.unique(table.annotation)) if table.turn.any() else len(table.annotation),
        "people": int((table.people[0] != UNKNOWN).sum()),
    }


def _distances(ratings: Ratings, name: str) -> Array:
    distance = {"jaccard": alpha.jaccard, "masi": alpha.masi}[name]
    values = [frozenset(value) for value in ratings.categories]
    return np.array([[distance(a, b) for b in values] for a in values]).reshape(len(values), len(values))
