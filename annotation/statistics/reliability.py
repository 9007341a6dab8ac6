"""How much the raters of a round agree, as a whole and by type of item, with intervals by item (pure)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from annotation.statistics.bootstrap import cluster_places, estimate
from annotation.statistics.correlation import absolute_agreement, pearson_of_raters
from annotation.statistics.estimates import Estimate
from annotation.statistics.kappa import weighted_kappa
from annotation.statistics.ratings import Ratings, Statistic, Units

OVERALL = "all"
"""Of all types of items together."""


def round_ratings(units: Units, items: Sequence[Hashable], scale: Sequence[Hashable]) -> Ratings:
    """The marks of exhibits as ratings, in which each exhibit counts as one, and whose clusters and n are items.

    `units`: for each exhibit a dict of marks by rater (None: not judged). `items`: the item of each exhibit.
    `scale`: all marks that there are, in their order if they have one; numbers for scores.
    """
    found = Ratings.from_units(units, categories=scale)
    _names, wholes = np.unique(np.array([str(each) for each in items], dtype=str), return_inverse=True)
    return replace(found, clusters=cluster_places(wholes)[0], wholes=wholes)


def agreement_of_scores(ratings: Ratings) -> dict[str, Statistic]:
    """By name, how the scores of raters go together."""
    return {
        "pearson": pearson_of_raters(ratings),
        "weighted_kappa": weighted_kappa(ratings),
        "icc_absolute_agreement": absolute_agreement(ratings),
    }


def reliability(
    units: Units, items: Sequence[Hashable], scale: Sequence[Hashable], *, types: Sequence[str] | None = None
) -> Mapping[str, Mapping[str, Estimate]]:
    """How scores go together, with intervals, by type of item ("all" first), then by name.

    `types`: the type of each exhibit's item; None: there are none. The rest is that of `round_ratings`.
    """
    found = {}
    for name in (OVERALL, *sorted(set(types or ()))):
        rows = [at for at in range(len(units)) if name == OVERALL or (types and types[at] == name)]
        ratings = round_ratings([units[at] for at in rows], [items[at] for at in rows], scale)
        found[name] = {key: estimate(statistic) for key, statistic in agreement_of_scores(ratings).items()}
    return found
