"""What the annotations of a project will cost and how long they will take, with the interval of what is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from annotation import projects, registry
from annotation.models import Project
from annotation.protocol import Activity
from annotation.statistics import intervals
from annotation.statistics.estimates import Estimate as Estimated
from annotation.values.schemas import ActivityConfig, Mix
from annotation.worktime import taken
from annotation.worktime.totals import Amount, amount_of_pay

FASTER, SLOWER = 2 / 3, 3 / 2
"""Between these multiples of somebody else's mean a new team is expected to be: an assumption, and said to be one."""
ENOUGH = 20
"""Measured annotations from which a project's own time counts."""


@dataclass(frozen=True)
class Seconds:
    """The mean time of one annotation, and where it comes from.

    `measured`: here, with a 95 % interval; `few`: here, of too few people for one, so that its interval is an
    assumption; `assumed`: all of it is.
    """

    mean: float
    low: float
    high: float
    source: Literal["measured", "few", "assumed"]
    n: int = 0


@dataclass(frozen=True)
class ActivityEstimate:
    """One activity: annotations that are still to be made, and how long one takes a person (None: not known)."""

    activity: Activity
    annotations: float
    seconds: Seconds | None

    def hours(self, end: Literal["mean", "low", "high"] = "mean") -> float:
        """Working hours of all people together."""
        one = getattr(self.seconds, end) if self.seconds else 0
        return self.annotations * len(self.activity.seats) * one / 3600


@dataclass(frozen=True)
class WorkEstimate:
    """The sum of its parts; those whose time nobody knows are left out, and named by `unknown`."""

    parts: list[ActivityEstimate]
    rate: str

    @property
    def known(self) -> list[ActivityEstimate]:
        """The parts whose time is known."""
        return [part for part in self.parts if part.seconds]

    @property
    def unknown(self) -> list[ActivityEstimate]:
        """Those with annotations whose time is not."""
        return [part for part in self.parts if not part.seconds and part.annotations]

    def hours(self) -> tuple[float, float, float]:
        """Mean, low and high; as if all parts erred together, so the interval is rather too wide."""
        mean, low, high = (sum(part.hours(end) for part in self.parts) for end in ("mean", "low", "high"))
        return mean, low, high

    def days(self, people: int, hours_a_day: float) -> tuple[float, float, float]:
        """Working days of so many people, alike in all; an item that wants more people than that is not noticed."""
        mean, low, high = (hours / (people * hours_a_day) for hours in self.hours())
        return mean, low, high

    @property
    def places(self) -> str:
        """How hours are rounded, for the filter `floatformat`: to tenths if they are few."""
        return "1g" if self.hours()[0] < 10 else "0g"

    def cost(self) -> tuple[Amount, Amount, Amount] | None:
        """The same in money; None if the rate can't be calculated with."""
        mean, low, high = (amount_of_pay(self.rate, 3600 * hours) for hours in self.hours())
        return (mean, low, high) if mean and low and high else None


def assumed(mean: float) -> Seconds:
    """A published mean, or somebody's guess."""
    return Seconds(mean, FASTER * mean, SLOWER * mean, "assumed")


def annotations_of(activity: Activity, config: ActivityConfig, items: Mapping[str, int]) -> float:
    """How many annotations so many items by split get; for a mix, on average."""
    overlap = {**activity.overlap, **config.overlap}
    return sum(n * _mean(overlap.get(split, 1)) for split, n in items.items())


def _mean(number: int | Mix) -> float:
    if isinstance(number, Mix):
        return number.base + number.share * (number.more - number.base)
    return number


def of_project(project: Project, left: Mapping[str, float]) -> WorkEstimate:
    """Of what is `left`, annotations by activity: from the project's own times, or else the published ones."""
    protocol = registry.get(project.protocol)
    parts = [
        ActivityEstimate(activity, left.get(activity.key, 0), measured(project, activity))
        for activity in protocol.activities
    ]
    return WorkEstimate(parts, projects.project_config(project).pay)


def measured(project: Project, activity: Activity) -> Seconds | None:
    """The mean of the project's own times, with people drawn as clusters; of too few annotations, the published one.

    Of work that several do together it is what one of them spends, on average over the seats; what was not measured of
    all of them is left out. Partners are drawn each alone, as if the time of one said nothing about that of the other.
    """
    spent: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for annotation, person, seconds in taken.by_person(project, activity.key):
        spent[annotation][person] = seconds
    seats = len(activity.seats)
    complete = [by_person for by_person in spent.values() if len(by_person) >= seats]
    if len(complete) >= ENOUGH:
        found = _interval(complete, seats)
        if found.low is not None and found.high is not None and found.value is not None:
            return Seconds(found.value, found.low, found.high, "measured", len(complete))
        if found.value is not None:
            return Seconds(found.value, FASTER * found.value, SLOWER * found.value, "few", len(complete))
    return assumed(activity.published_seconds) if activity.published_seconds else None


def _interval(spent: Sequence[Mapping[int, float]], seats: int) -> Estimated:
    """Seconds of all people over the seats that they filled; whoever took over a seat has filled a part of it."""
    totals: defaultdict[int, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for by_person in spent:
        for person, seconds in by_person.items():
            before, filled = totals[person]
            totals[person] = before + seconds, filled + seats / len(by_person)
    rows = [totals[person] for person in sorted(totals)]
    return intervals.intervals(rows, {"mean": intervals.ratio_estimate(0, 1)}, seed="time of one annotation")["mean"]
