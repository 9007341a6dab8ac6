"""What was measured of a human upper bound: figures with intervals, and why others can't be computed yet (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from annotation.statistics.estimates import Estimate


class Figure(NamedTuple):
    """A figure (0..1) with its 95 % interval, and how many clusters and what else it was measured on."""

    estimate: Estimate
    counts: tuple[int, ...]

    @classmethod
    def from_estimate(cls, estimate: Estimate, counts: tuple[int, ...]) -> Self:
        """The first of the counts are the clusters that the figure is of; others have nothing to do with it."""
        return cls(estimate._replace(n=counts[0]), counts)

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Self:
        """From what `as_json` has made, now or in an older version."""
        counts = tuple(kept["n"])
        return cls(Estimate(kept["value"], kept["low"], kept["high"], counts[0], kept.get("differing")), counts)

    def as_json(self) -> dict[str, Any]:
        """Plain values; `n` are all the counts."""
        return self.estimate._asdict() | {"n": list(self.counts)}


class BoundReason(NamedTuple):
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
    why_not: Mapping[str, BoundReason] = field(default_factory=dict)
    left_out: Sequence[BoundReason] = ()
    sweeps: Mapping[str, Sequence[Sequence[float]]] = field(default_factory=dict)
    notes: Mapping[str, BoundReason] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain values, to be kept."""
        return {
            "figures": {key: figure.as_json() for key, figure in self.figures.items()},
            "why_not": {key: reason._asdict() for key, reason in self.why_not.items()},
            "left_out": [reason._asdict() for reason in self.left_out],
            "sweeps": {key: [list(row) for row in rows] for key, rows in self.sweeps.items()},
            "notes": {key: note._asdict() for key, note in self.notes.items()},
        }
