"""Positions on an axis, round numbers for its ticks, and lists of points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, log10


@dataclass(frozen=True)
class Scale:
    """Where a value between `low` and `high` is between `start` and `end`; what is outside is at the end."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        width = self.high - self.low
        share = (value - self.low) / width if width else 0.0
        return round(self.start + (self.end - self.start) * min(1.0, max(0.0, share)), 1)


def ticks(most: float, *, about: int = 4, whole: bool = False) -> list[float]:
    """Round numbers from 0 to the first one that is at least `most`, about so many steps apart; `whole`: no fractions.

    Steps are 1, 2, 2.5 or 5 times a power of ten.
    """
    if most <= 0:
        return [0.0, 1.0]
    least = most / about
    power = 10 ** floor(log10(least))
    step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= least * (1 - 1e-9))
    if whole:
        step = max(1.0, float(floor(step)) if step < 5 else step)
    found = [0.0]
    while found[-1] < most * (1 - 1e-9):
        found.append(round(len(found) * step, 10))
    return found


def points(places: Iterable[tuple[float, float | None]]) -> str:
    """As the attribute `points` of a line or polygon."""
    return " ".join(f"{x},{y}" for x, y in places)


def places_of_labels(n: int, *, most: int) -> Sequence[int]:
    """At most so many of the places 0 to n - 1, evenly spread, the last one included: those that get a label."""
    if n <= most:
        return range(n)
    step = -(-n // most)
    return sorted(range(n - 1, -1, -step))
