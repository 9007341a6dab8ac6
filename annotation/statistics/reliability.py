"""How much the raters of a round agree, as a whole and by type of item, with intervals by item (pure)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from annotation.statistics import alpha, intraclass_correlation, kappa
from annotation.statistics.bootstrap import cluster_places, estimate
from annotation.statistics.correlation import pearson_of_raters
from annotation.statistics.estimates import Estimate
from annotation.statistics.ratings import Ratings, Statistic, Units
from annotation.statistics.weighted_kappa import weighted_kappa

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


def agreement_statistics(ratings: Ratings, *, scored: bool, rotating: bool = False) -> dict[str, Statistic]:
    """By name, what there is for marks without an order (nominal), or for scores (`scored`).

    `rotating`: each exhibit has some of the raters; then of the intraclass correlations only the one-way form.
    """
    found = {"observed": kappa.observed(ratings)}
    if not scored:
        return found | {"kappa": kappa.cohen(ratings), "alpha": alpha.nominal(ratings)}
    found |= {
        "pearson": pearson_of_raters(ratings),
        "weighted_kappa": weighted_kappa(ratings),
        "alpha_ordinal": alpha.ordinal(ratings),
        "alpha_interval": alpha.interval(ratings),
        "icc_one_way": intraclass_correlation.one_way(ratings),
    }
    if rotating:
        return found
    return found | {
        "icc_absolute_agreement": intraclass_correlation.absolute_agreement(ratings),
        "icc_consistency": intraclass_correlation.consistency(ratings),
    }


def reliability(
    units: Units,
    items: Sequence[Hashable],
    scale: Sequence[Hashable],
    *,
    scored: bool,
    rotating: bool = False,
    types: Sequence[str] | None = None,
) -> Mapping[str, Mapping[str, Estimate]]:
    """All statistics of agreement with their intervals, by type of item ("all" first), then by name.

    `types`: the type of each exhibit's item; None: there are none. The rest is that of `round_ratings` and
    `agreement_statistics`.
    """
    found = {}
    for name in (OVERALL, *sorted(set(types or ()))):
        rows = [at for at in range(len(units)) if name == OVERALL or (types and types[at] == name)]
        ratings = round_ratings([units[at] for at in rows], [items[at] for at in rows], scale)
        statistics = agreement_statistics(ratings, scored=scored, rotating=rotating)
        found[name] = {key: estimate(statistic) for key, statistic in statistics.items()}
    return found
