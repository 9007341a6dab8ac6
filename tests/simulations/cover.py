"""How often 95 % intervals contain the truth, on data sets that are made with a known one.

Items have one of two classes, the rarer one with the probability `share`. With the probability `agreement` all people
see the class of an item; if not, each of them draws one by the same shares. So alpha is `agreement`, whatever the rest,
and two people say the same with the probability 1 - 2 share (1 - share) (1 - agreement).

In conversations, which have 2 to 20 turns, two people say the same in a turn with a probability that is the
conversation's own, drawn from a beta distribution with the mean `agreement`; the turns of one belong together.

A data set has no interval where the number is undefined or too few items differ. The plain percentile bootstrap, which
this project had before, is the control.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from annotation.statistics import alpha, bootstrap, intervals, kappa
from annotation.statistics.ratings import Array, Ratings, Statistic

MOST_TURNS = 20
SPREAD = 4
"""The sum of the parameters of the beta distribution."""


@dataclass(frozen=True)
class Cell:
    """What is simulated: `statistic` is alpha, observed or turns.

    `share` and `people` are nothing to turns. `some`: the last of the people judges only half of the items.
    """

    statistic: str
    agreement: float
    share: float
    people: int
    items: int
    some: bool = False

    @property
    def truth(self) -> float:
        """The value of the statistic that an endless data set would have."""
        if self.statistic == "observed":
            return 1 - 2 * self.share * (1 - self.share) * (1 - self.agreement)
        return self.agreement

    def data_set(self, rng: np.random.Generator) -> Statistic:
        """The statistic of a new data set."""
        if self.statistic == "turns":
            turns = rng.integers(2, MOST_TURNS + 1, size=self.items)
            chance = rng.beta(SPREAD * self.agreement, SPREAD * (1 - self.agreement), size=self.items)
            columns = np.stack([rng.binomial(turns, chance), turns], axis=1).astype(float)
            return Statistic(columns, kappa.share, self.items)
        return {"alpha": alpha.nominal, "observed": kappa.observed}[self.statistic](self._ratings(rng))

    def _ratings(self, rng: np.random.Generator) -> Ratings:
        codes = rng.random((self.items, self.people)) < self.share
        seen = rng.random(self.items) < self.agreement
        codes[seen] = (rng.random(self.items) < self.share)[seen, None]
        kept = np.ones(codes.shape, bool)
        if self.some:
            kept[:, -1] = rng.random(self.items) < 0.5
        item, person = np.nonzero(kept)
        own = np.arange(self.items)
        names = tuple(str(one) for one in range(self.people))
        return Ratings(item, person, codes[kept].astype(np.int64), (0, 1), names, own, own)


@dataclass(frozen=True)
class Cover:
    """Of so many data sets, those with an interval, and those whose interval contains the truth; of the first of them
    (`compared`) those whose interval by the percentile bootstrap does."""

    data_sets: int
    given: int
    covered: int
    compared: int
    by_percentiles: int


def cover(cell: Cell, *, data_sets: int, compared: int = 0) -> Cover:
    """Make data sets of a cell, always the same ones; `compared`: on how many the control is tried."""
    rng = np.random.default_rng(list(repr(cell).encode()))
    given = covered = by_percentiles = 0
    for number in range(data_sets):
        statistic = cell.data_set(rng)
        found = bootstrap.estimate(statistic)
        if found.low is not None and found.high is not None:
            given += 1
            covered += found.low <= cell.truth <= found.high
        if number < compared:
            low, high = percentiles(statistic)
            by_percentiles += bool(low <= cell.truth <= high)
    return Cover(data_sets, given, covered, min(compared, data_sets), by_percentiles)


def percentiles(statistic: Statistic) -> Array:
    """The ends of the percentile bootstrap, which leaves out draws in which the statistic is undefined."""
    found = statistic.value(bootstrap.drawn(statistic.columns))
    defined = np.sort(found[~np.isnan(found)])
    if len(defined) <= len(found) / 2:
        return np.array([np.nan, np.nan])
    return np.array([bootstrap.quantile(defined, share) for share in (0.025, 0.975)])


def parameters() -> dict[str, Any]:
    """What the results depend on besides the code."""
    return {
        "enough": bootstrap.ENOUGH,
        "apart": bootstrap.APART,
        "draws": bootstrap.DRAWS,
        "within": intervals.WITHIN,
        "undefined": bootstrap.UNDEFINED,
    }


def as_row(cell: Cell, found: Cover) -> dict[str, Any]:
    """For the file of results."""
    return asdict(cell) | asdict(found)


def of_row(row: dict[str, Any]) -> tuple[Cell, Cover]:
    """From the file of results."""
    names = Cell.__dataclass_fields__
    return Cell(**{name: row[name] for name in names}), Cover(
        **{name: value for name, value in row.items() if name not in names}
    )
