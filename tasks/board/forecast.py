"""When what is left will be done, at the pace of the last days, with a 95 % interval (pure).

The pace is the mean number of tasks done a day over the last complete days, at most seven; days without work count, so
that a week has its weekend. What is left over the pace is the number of days still needed. The interval of the pace is
Student's, the mean of n days plus and minus t times their standard error; what is left over its ends are the days
needed at most and at least. An end of 0 or less never ends, so the upper end may be open. Of two or three days there is
no interval, since they may be alike by chance. Not in it: that people come and go, and that the last tasks of a project
take longer to find somebody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import fmean, stdev

from annotation.statistics import intervals

DAYS = 7
"""How many of the last complete days make the pace."""
LEAST = 2
"""Fewer days tell no pace."""
ENOUGH = 4
"""Fewer days give no interval."""


@dataclass(frozen=True)
class Forecast:
    """Tasks done a day, and the days until everything is done, with the ends of their interval.

    `low` None: there are too few days for an interval. `high` None: the same, or it is open there.
    """

    pace: float
    days: int
    low: int | None
    high: int | None


def forecast(done: Sequence[int], left: int) -> Forecast | None:
    """From the tasks done on each of the last complete days, oldest first; None if they tell no pace."""
    last = list(done)[-DAYS:]
    if left <= 0 or len(last) < LEAST or not any(last):
        return None
    pace = fmean(last)
    if len(last) < ENOUGH:
        return Forecast(pace, ceil(left / pace), None, None)
    half = intervals.quantile(len(last) - 1) * stdev(last) / sqrt(len(last))
    slowest = pace - half
    return Forecast(pace, ceil(left / pace), ceil(left / (pace + half)), ceil(left / slowest) if slowest > 0 else None)
