"""What the bootstrap draws of a table: whole items with all of their turns, or groups of items where there are many."""

from __future__ import annotations

import numpy as np

from annotation.agreement.table import Table
from annotation.statistics import bootstrap
from annotation.statistics.ratings import Array, Statistic, clustered


def clusters_of(table: Table) -> Array:
    """The cluster of each unit: those of an item together, and many items in groups."""
    items, place = table.items
    return bootstrap.groups_of(items)[place]


def of_units(table: Table, statistic: Statistic, units: Array) -> Statistic:
    """A statistic whose columns are those of these units, with the clusters of their items."""
    items, place = np.unique(table.item[units], return_inverse=True)
    clusters = bootstrap.groups_of(items)[place]
    columns = clustered(clusters, int(clusters.max(initial=-1)) + 1, list(statistic.columns.T))
    compared = statistic.columns.any(axis=1)
    return Statistic(columns, statistic.value, len(np.unique(place[compared])))
