"""The page of metrics beside people's scores: what a job has kept, the file that a lead fills in, and reading it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext

from annotation import registry
from annotation.judging import draw, rounds
from annotation.judging.answer_metrics import AnswerMetrics
from annotation.models import JudgingRound
from annotation.statistics.estimates import Estimate
from annotation.values.exhibits import ShownExhibit
from frontend.leads import estimates
from frontend.leads.plots import rows, svg
from tasks.models import MetricColumn, RoundMetrics

PLACE = "exhibit"
HEAD = ("figure", "metric", "other", "of", "weight", *estimates.CELLS, "published")
"""The columns of the CSV of figures."""
LARGEST = 4 * 2**20
"""Bytes of a file of metrics."""
SHOWN = 5
"""Faults of a file that are shown."""


class MetricCell(NamedTuple):
    """A correlation in a group, in words: the number, its interval, and the published one; "" for none."""

    group: str
    value: str
    interval: str
    published: str


class MetricRow(NamedTuple):
    """A metric with a cell for each group; `uploaded`: its name if it came with a file."""

    title: str
    cells: Sequence[MetricCell]
    uploaded: str


class TestCell(NamedTuple):
    """What a paired test says in a group, in words: the share of resamples, and the difference; "" for none."""

    group: str
    wins: str = ""
    difference: str = ""


class TestRow(NamedTuple):
    """Whether one metric goes with the scores more than another, for each group: the share of resamples, difference."""

    one: str
    other: str
    cells: Sequence[TestCell]


@dataclass(frozen=True)
class KeptMetrics:
    """What was measured of a round."""

    row: JudgingRound
    kept: Mapping[str, Any]

    @cached_property
    def own(self) -> AnswerMetrics | None:
        """The metrics of the protocol."""
        return registry.get(self.row.project.protocol).answer_metrics

    @cached_property
    def groups(self) -> dict[str, str]:
        """All answers first, then the types that there are, with their titles."""
        known: Mapping[str, Any] = next(iter(self.kept["correlations"].values()), {})
        titles = registry.get(self.row.project.protocol).item_types
        return {key: gettext("All") if key == "all" else gettext(titles.get(key, key)) for key in known}

    @property
    def titles(self) -> list[str]:
        """What the groups are called, in their order."""
        return list(self.groups.values())

    def title(self, name: str) -> str:
        """What a metric is called."""
        return gettext(self.own.titles[name]) if self.own and name in self.own.titles else name

    @property
    def source(self) -> str:
        """Where the published figures are from."""
        return self.own.source if self.own else ""

    @property
    def metrics(self) -> Iterator[MetricRow]:
        """The protocol's metrics, and then those of files."""
        for name, found in self.kept["correlations"].items():
            cells = [self._cell(name, group, Estimate.from_list(found.get(group))) for group in self.groups]
            yield MetricRow(self.title(name), cells, name if name in self.kept["uploaded"] else "")

    def _cell(self, name: str, group: str, estimate: Estimate) -> MetricCell:
        published = self._published(name, group)
        title = self.groups[group]
        return MetricCell(title, _number(estimate.value), estimates.interval_with_reason(estimate), _number(published))

    def _published(self, name: str, group: str, *, sets: bool = False) -> float | None:
        if self.own is None:
            return None
        return (self.own.published_sets if sets else self.own.published).get(name, {}).get(group)

    @property
    def sets(self) -> Iterator[MetricRow]:
        """The same per set of items, where systems were judged, for the groups that have enough items."""
        for name, found in self.kept["sets"].items():
            cells = [
                MetricCell(title, _number(found.get(group)), "", _number(self._published(name, group, sets=True)))
                for group, title in self.groups_of_sets.items()
            ]
            yield MetricRow(self.title(name), cells, "")

    @cached_property
    def groups_of_sets(self) -> dict[str, str]:
        """Of the groups, those with enough items for sets; none where people's answers were judged."""
        known: Mapping[str, Any] = next(iter(self.kept["sets"].values()), {})
        return {key: title for key, title in self.groups.items() if key in known}

    @property
    def titles_of_sets(self) -> list[str]:
        """What these groups are called, in their order."""
        return list(self.groups_of_sets.values())

    @property
    def tests(self) -> Iterator[TestRow]:
        """The paired tests."""
        for each in self.kept["tests"]:
            cells = [self._test(title, each["groups"].get(group)) for group, title in self.groups.items()]
            yield TestRow(self.title(each["one"]), self.title(each["other"]), cells)

    def _test(self, group: str, figures: Mapping[str, Any] | None) -> TestCell:
        if figures is None or figures["wins"] is None:
            return TestCell(group)
        difference = Estimate.from_list(figures["difference"])
        shown = f"{_number(difference.value)} {estimates.interval_with_reason(difference)}"
        return TestCell(group, f"{number_format(round(100 * figures['wins']))} %", shown)

    @cached_property
    def plots(self) -> list[tuple[str, str, svg.SvgPlot]]:
        """Key, title and picture of each weight that is varied: the correlation over all answers at each value."""
        found = []
        for key, sweep in (self.own.sweeps if self.own else {}).items():
            points = [(value, each) for value, each in self.kept["sweeps"][key].get("all", []) if each is not None]
            drawn = [
                rows.PlotRow(
                    number_format(value, 1) + (f" · {gettext('in use')}" if value == sweep.used else ""),
                    _number(each),
                    each,
                )
                for value, each in points
            ]
            if drawn:
                least = estimates.least_of(Estimate(each, None, None, 0) for _value, each in points)
                found.append((key, gettext(sweep.title), rows.dots(drawn, label=gettext(sweep.title), low=least)))
        return found

    def table(self) -> Iterator[Sequence[Any]]:
        """The rows of the CSV, with a heading."""
        yield HEAD
        for name, groups in self.kept["correlations"].items():
            for group, kept in groups.items():
                cells = estimates.cells(Estimate.from_list(kept))
                yield ["pearson", name, None, group, None, *cells, self._published(name, group)]
        for name, found in self.kept["sets"].items():
            for group, value in found.items():
                published = self._published(name, group, sets=True)
                yield ["pearson per set", name, None, group, None, value, *[None] * 4, published]
        for each in self.kept["tests"]:
            for group, found in each["groups"].items():
                cells = estimates.cells(Estimate.from_list(found["difference"]))
                yield ["share of resamples", each["one"], each["other"], group, None, found["wins"], *[None] * 5]
                yield ["difference", each["one"], each["other"], group, None, *cells, None]
        for key, groups in self.kept["sweeps"].items():
            for group, points in groups.items():
                for value, found in points:
                    yield [f"pearson by {key}", None, None, group, value, found, *[None] * 5]

    def as_json(self) -> dict[str, Any]:
        """The same as a file."""
        pearson, sets = (dict(self.own.published), dict(self.own.published_sets)) if self.own else ({}, {})
        published = {"source": self.source, "pearson": pearson, "pearson_per_set": sets}
        found = {key: value for key, value in self.kept.items() if key != "state"}
        return {**rounds.sealed(self.row), "published": published, "metrics": found}


def of_page(row: JudgingRound) -> KeptMetrics | None:
    """What was measured last, if anything."""
    found = RoundMetrics.objects.filter(round=row).first()
    return None if found is None else KeptMetrics(row, found.values)


def waits(row: JudgingRound) -> bool:
    """Whether uploaded metrics are not measured yet."""
    found = of_page(row)
    names = set(MetricColumn.objects.filter(round=row).values_list("name", flat=True))
    return found is None or names != set(found.kept["uploaded"])


def template_table(row: JudgingRound) -> Iterator[Sequence[Any]]:
    """The file that a lead fills in: each exhibit by its place, with what raters saw; a metric is a further column."""
    yield [PLACE, "item", "asked", "answer"]
    for exhibit in draw.judged(row).select_related("item").order_by("place").iterator():
        shown = ShownExhibit.model_validate(exhibit.shown, strict=False)
        yield [exhibit.place, exhibit.item.external_id, shown.prompt, "\n".join(shown.answers)]


class ReadColumns(NamedTuple):
    """What a file has: metrics by name with the figure of each place, or what is wrong with it, in sentences."""

    columns: Mapping[str, Mapping[int, float]]
    faults: Sequence[str]


NO_METRICS = (PLACE, "item", "asked", "answer")


def read_columns(row: JudgingRound, data: bytes) -> ReadColumns:
    """Read a CSV in UTF-8 with a column `exhibit` and one for each metric; an empty cell says nothing."""
    try:
        text = data.decode("utf-8-sig")
        lines = list(csv.reader(io.StringIO(text), strict=True))
    except (UnicodeDecodeError, csv.Error):
        return ReadColumns({}, [gettext("This is no CSV in UTF-8.")])
    head, body = (lines[0], lines[1:]) if lines else ([], [])
    names = [name.strip() for name in head]
    metrics = [name for name in names if name and name not in NO_METRICS]
    if PLACE not in names:
        return ReadColumns({}, [gettext("The first line has no column “%(name)s”.") % {"name": PLACE}])
    if not metrics or len(set(names)) < len(names):
        return ReadColumns({}, [gettext("There is no further column with a metric, or two have the same name.")])
    if long := [name for name in metrics if len(name) > MetricColumn.LONGEST or "\0" in name]:
        return ReadColumns({}, [gettext("The name of a metric is too long: %(name)s") % {"name": long[0][:40]}])
    return _figures(row, names, metrics, body)


def _figures(row: JudgingRound, names: list[str], metrics: list[str], body: list[list[str]]) -> ReadColumns:
    places = {str(place): place for place in draw.judged(row).values_list("place", flat=True)}
    columns: dict[str, dict[int, float]] = {name: {} for name in metrics}
    faults: list[str] = []
    for number, cells in enumerate(body, start=2):
        if not any(cells):
            continue
        said = dict(zip(names, cells, strict=False))
        place = places.get(said.get(PLACE, "").strip())
        if place is None:
            faults.append(gettext("Line %(n)s: no exhibit has this number.") % {"n": number})
            continue
        for name in metrics:
            if not (cell := said.get(name, "").strip()):
                continue
            figure = _figure(cell)
            if figure is None:
                faults.append(gettext("Line %(n)s: “%(name)s” is no number.") % {"n": number, "name": name})
            else:
                columns[name][place] = figure
    if not faults and (empty := [name for name in metrics if not columns[name]]):
        faults.append(gettext("“%(name)s” has no figure at all.") % {"name": empty[0]})
    more = len(faults) - SHOWN
    shown = [*faults[:SHOWN], gettext("And %(n)s more.") % {"n": more}] if more > 0 else faults
    return ReadColumns({} if faults else columns, shown)


def _figure(cell: str) -> float | None:
    try:
        found = float(cell)
    except ValueError:
        return None
    return found if isfinite(found) else None


def _number(value: float | None) -> str:
    return "" if value is None else number_format(round(value, 2), 2)
