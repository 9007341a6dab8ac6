"""What was measured of a human upper bound: figures with intervals, and why others can't be computed yet (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """A figure (0..1), the ends of its 95 % interval, and how many clusters and what else it was measured on.

    The ends are None if there were too few clusters to draw from.
    """

    value: float
    low: float | None
    high: float | None
    n: tuple[int, ...]


class Reason(NamedTuple):
    """The key of a sentence, and the numbers in it."""

    code: str
    numbers: Mapping[str, int] = {}


@dataclass(frozen=True)
class Measured:
    """The figures by `group.figure`, and for a group or a figure that can't be computed yet the reason.

    `left_out`: what was not measured, and why. `sweeps`: for a group, a row for each threshold: the threshold, then
    figures. `notes`: for a group, what else is to be known of its figures.
    """

    figures: Mapping[str, Figure] = field(default_factory=dict)
    why_not: Mapping[str, Reason] = field(default_factory=dict)
    left_out: Sequence[Reason] = ()
    sweeps: Mapping[str, Sequence[Sequence[float]]] = field(default_factory=dict)
    notes: Mapping[str, Reason] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain values, to be kept."""
        return {
            "figures": {key: figure._asdict() | {"n": list(figure.n)} for key, figure in self.figures.items()},
            "why_not": {key: reason._asdict() for key, reason in self.why_not.items()},
            "left_out": [reason._asdict() for reason in self.left_out],
            "sweeps": {key: [list(row) for row in rows] for key, rows in self.sweeps.items()},
            "notes": {key: note._asdict() for key, note in self.notes.items()},
        }
