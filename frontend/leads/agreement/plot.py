"""The plot of a statistic over time with its intervals, as positions in an SVG; and the same numbers as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from annotation.statistics.estimates import Estimate
from frontend.leads.agreement.shown import AgreementPage
from frontend.leads.estimates import CELLS, cells, hundredths, interval_with_reason, least_of
from frontend.leads.plots import svg
from frontend.wording import formatted

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 40, 624, 12, 188
WEEKS = 52
"""The latest weeks that are drawn; the CSV has all."""
APART = 56
"""Least distance of two labels under the axis."""


@dataclass(frozen=True)
class Point:
    """A dot with its whisker; `low` and `high` are None without an interval. `label`: the week, "" if too close."""

    x: float
    y: float
    low: float | None
    high: float | None
    label: str
    title: str


@dataclass(frozen=True)
class AgreementPlot:
    """Positions for `project/_agreement_plot.html`; `bands` and `line` are lists of points, "" with fewer than two."""

    points: list[Point]
    grid: list[tuple[float, str]]
    bands: list[str]
    line: str
    label: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


def plot_of(page: AgreementPage) -> AgreementPlot | None:
    """The weeks that have a value; None if none has."""
    weeks = [(week, number.estimate) for week, number in page.weeks if number.estimate.value is not None][-WEEKS:]
    if not weeks:
        return None
    least = least_of(one for _week, one in weeks)
    points = list(_points(weeks, least))
    return AgreementPlot(
        points=points,
        grid=[(_y(value / 4, least), hundredths(value / 4)) for value in range(round(4 * least), 5)],
        bands=list(_bands(points)),
        line=svg.points([(point.x, point.y) for point in points]) if len(points) > 1 else "",
        label=_label(page, weeks),
    )


def _points(weeks: Sequence[tuple[date, Estimate]], least: float) -> Iterator[Point]:
    first, days = weeks[0][0], max((weeks[-1][0] - weeks[0][0]).days, 1)
    labelled = -APART
    for week, one in weeks:
        x = LEFT + 24 + (RIGHT - LEFT - 48) * (week - first).days / days if len(weeks) > 1 else (LEFT + RIGHT) / 2
        shown = x - labelled >= APART
        labelled = round(x) if shown else labelled
        yield Point(
            x=round(x, 1),
            y=_y(one.value or 0.0, least),
            low=None if one.low is None else _y(one.low, least),
            high=None if one.high is None else _y(one.high, least),
            label=formatted(week, "j M") if shown else "",
            title=f"{formatted(week, 'j F Y')}: {in_words(one)}",
        )


def _bands(points: Sequence[Point]) -> Iterator[str]:
    """A polygon for each run of weeks that have intervals."""
    for has_interval, run in groupby(points, key=lambda point: point.low is not None):
        wide = list(run)
        if has_interval and len(wide) > 1:
            upper = [(point.x, point.high) for point in wide]
            yield svg.points(upper + [(point.x, point.low) for point in reversed(wide)])


def _y(value: float, least: float) -> float:
    return round(TOP + (BOTTOM - TOP) * (1 - value) / (1 - least), 1)


def _label(page: AgreementPage, weeks: Sequence[tuple[date, Estimate]]) -> str:
    (first, begin), (last, end) = weeks[0], weeks[-1]
    names = {"measure": gettext(page.measure.title), "statistic": page.statistic}
    names |= {"begin": in_words(begin), "end": in_words(end)}
    names |= {"first": formatted(first, "j F Y"), "last": formatted(last, "j F Y")}
    if len(weeks) == 1:
        return gettext("%(measure)s, %(statistic)s in the week of %(first)s: %(begin)s") % names
    return gettext("%(measure)s, %(statistic)s by week: %(begin)s from %(first)s, %(end)s from %(last)s") % names


def in_words(one: Estimate) -> str:
    """A value with its interval, or why it has none, and n."""
    if one.value is None:
        return "–"
    return f"{hundredths(one.value)} {interval_with_reason(one)}, n = {one.n}"


def rows_of_page(page: AgreementPage) -> Iterator[tuple[Any, ...]]:
    """The names of the columns, then every number of the page: of the whole part, each split, week and person."""
    yield "activity", "stage", "measure", "part", "name", "statistic", *CELLS
    one, activity = page.measure, page.asked.activity
    stages = {group.key: group.stage for group in page.groups}
    rows = [("all", "", group.key, number) for group in page.groups for number in group.numbers]
    rows += [("split", split, one.key, number) for split, number in page.by_split]
    rows += [("week", str(week), one.key, number) for week, number in page.weeks]
    rows += [
        ("person", person.code, one.key, number)
        for person in page.people
        for number in (person.accuracy, person.agrees)
        if number is not None
    ]
    for part, name, key, number in rows:
        yield activity, stages.get(key, ""), key, part, name, number.key, *cells(number.estimate)
