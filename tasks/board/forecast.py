"""When what is left will be done, at the pace of the last days, with a 95 % interval by a bootstrap of days (pure).

The pace is the mean number of tasks done a day over the last complete days, at most seven; days without work count, so
that a week has its weekend. What is left over the pace is the number of days still needed. For the interval, as many
days are drawn from them with replacement, 1,000 times, and what is left is divided by the mean of each draw: the days
needed at the 2.5th and 97.5th percentile are the ends. A draw of days without work never ends, so the upper end may be
open. Not in it: that people come and go, and that the last tasks of a project take longer to find somebody.

Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from random import Random

DAYS = 7
"""How many of the last complete days make the pace."""
LEAST = 2
"""Fewer days tell no pace."""
DRAWS = 1000


@dataclass(frozen=True)
class Forecast:
    """Tasks done a day, and the days until everything is done with the ends of the interval (`high` None: open)."""

    pace: float
    days: int
    low: int
    high: int | None


def forecast(done: Sequence[int], left: int) -> Forecast | None:
    """From the tasks done on each of the last complete days, oldest first; None if they tell no pace."""
    last = list(done)[-DAYS:]
    if left <= 0 or len(last) < LEAST or not any(last):
        return None
    rng = Random(f"{last} {left}")
    needed = sorted(_days(left, sum(rng.choices(last, k=len(last))) / len(last)) for _ in range(DRAWS))
    low, high = needed[int(DRAWS * 0.025)], needed[int(DRAWS * 0.975) - 1]
    pace = sum(last) / len(last)
    return Forecast(pace, int(_days(left, pace)), int(low), None if high == inf else int(high))


def _days(left: int, pace: float) -> float:
    return ceil(left / pace) if pace > 0 else inf
