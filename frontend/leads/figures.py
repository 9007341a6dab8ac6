"""The project's figures beside the published ones: all of them in words, and a group as a card of the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from annotation import registry
from annotation.models import Project
from annotation.protocol_tools import FiguresReport
from annotation.statistics.estimates import Estimate
from annotation.statistics.human_bound import Figure
from frontend.leads.board.numbers import BoardNumbers, Card, Note
from frontend.leads.estimates import interval_in_words, no_interval, whole_number_in_words
from frontend.leads.plots import rows
from tasks.measuring import figures as measured


@dataclass(frozen=True)
class FigureRow:
    """One figure in words. `share` and `share_published` are 0..1 and None for what is not a share, or not known.

    `interval`: "" if there is none, then `why_none`. `of`: how many values it is the mean of, in how many `items`.
    `estimate`: the same in numbers; None for a count, or of what an older version has measured.
    """

    label: str
    ours: str
    published: str
    share: float | None
    share_published: float | None
    interval: str = ""
    why_none: str = ""
    of: int | None = None
    items: int | None = None
    estimate: Estimate | None = None


@dataclass(frozen=True)
class FigureGroup:
    """Figures under a heading, "" for those that stand alone."""

    heading: str
    rows: list[FigureRow] = field(default_factory=list)


@dataclass(frozen=True)
class Compared:
    """`measured_at`: None if the figures have not been measured yet; then there are no groups."""

    groups: list[FigureGroup]
    measured_at: datetime | None


def compared(project: Project) -> Compared | None:
    """The figures that were measured last; None if the protocol has none."""
    report = registry.get(project.protocol).report
    if report is None:
        return None
    kept = measured.of_page(project)
    if kept is None:
        return Compared([], None)
    means = {key: Figure.from_json(mean) for key, mean in kept.values.get(measured.MEANS, {}).items()}
    return Compared(_groups(report, kept.values, means), kept.measured_at)


def _groups(report: FiguresReport, ours: Mapping[str, Any], means: Mapping[str, Figure]) -> list[FigureGroup]:
    """Single figures first, then each group."""
    single, groups = FigureGroup(""), dict[str, FigureGroup]()
    for key, label in report.labels.items():
        group, _dot, name = key.partition(".")
        if name:
            mine, theirs = (ours.get(group) or {}).get(name), report.published.get(group, {}).get(name)
            row = _row(gettext(label), mine, theirs, means.get(key), number=group in report.numbers)
            groups[group].rows.append(row)
        elif any(other.startswith(f"{key}.") for other in report.labels):
            groups[key] = FigureGroup(gettext(label))
        else:
            mine, theirs = ours.get(key), report.published.get(key)
            single.rows.append(_row(gettext(label), mine, theirs, means.get(key), number=key in report.numbers))
    return list(_halves(single)) + list(groups.values())


def _halves(group: FigureGroup) -> Iterator[FigureGroup]:
    """A long list as two, to stand side by side."""
    half = (len(group.rows) + 1) // 2
    if half < 4:
        yield group
    else:
        yield FigureGroup("", group.rows[:half])
        yield FigureGroup("", group.rows[half:])


def _row(label: str, ours: float | None, published: float | None, mean: Figure | None, *, number: bool) -> FigureRow:
    shown = _number if number else _share
    shares = (None, None) if number else (ours, published)
    row = FigureRow(label, shown(ours), shown(published), *shares)
    if mean is None:
        return row
    one, (items, of) = mean.estimate, mean.counts
    interval = ""
    if one.low is not None and one.high is not None:
        times = 1 if number else 100
        interval = interval_in_words(*(number_format(round(times * end, 1), 1) for end in (one.low, one.high)))
    return replace(row, interval=interval, why_none=no_interval(one), of=of, items=items, estimate=one)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    places = 0 if isinstance(value, int) else 1
    return number_format(round(value, places), places, use_l10n=True, force_grouping=True)  # by itself it cuts off


def _share(value: float | None) -> str:
    return "–" if value is None else f"{number_format(round(100 * value, 1), 1)} %"


def card(numbers: BoardNumbers) -> Card | None:
    """The first group of shares; the table below the board has all figures."""
    found = compared(numbers.project)
    groups = [group for group in found.groups if any(row.share is not None for row in group.rows)] if found else []
    if not groups:
        return None
    named = [group for group in groups if group.heading] or groups
    shown = [row for row in named[0].rows if row.share is not None]
    drawn = [
        rows.PlotRow(
            row.label,
            row.ours,
            row.share or 0.0,
            _beside(row),
            row.estimate.low if row.estimate else None,
            row.estimate.high if row.estimate else None,
            mark=row.share_published,
        )
        for row in shown
    ]
    return Card(
        key="figures",
        title=named[0].heading or _("Figures"),
        about=_("beside the published dataset"),
        link=("#figures", _("all figures")),
        plot=rows.bars(drawn, label="; ".join(f"{row.name} {row.text}, {row.beside}" for row in drawn)),
        notes=[Note("", _("Of all finished work and imports."))] if numbers.asked.is_part else [],
        legend=_("Whiskers: 95 %, by item. Upright line: published, for plausibility"),
        header=("group", "figure", "ours", "low", "high", "of", "n", "no_interval", "published"),
        rows=list(_numbers(found)),
    )


def _beside(row: FigureRow) -> str:
    """The interval, if there is one, of how many the share is, and the published one."""
    said = [row.interval] if row.interval else []
    if row.of is not None:
        said.append(_("of %(n)s") % {"n": whole_number_in_words(row.of)})
    return " · ".join([" ".join(said), _("published %(share)s") % {"share": row.published}]).removeprefix(" · ")


def _numbers(compared: Compared | None) -> Iterator[tuple[Any, ...]]:
    """Every figure: shares as numbers, others as they are written."""
    for group in compared.groups if compared else ():
        for row in group.rows:
            ours, published = (row.share, row.share_published) if row.share is not None else (row.ours, row.published)
            one = row.estimate
            found = (one.low, one.high, row.of, one.n, no_interval(one)) if one else (None,) * 5
            yield group.heading, row.label, ours, *found, published
