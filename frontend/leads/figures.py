"""The project's figures beside the published ones, as its page shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext

from annotation import registry
from annotation.models import Project
from annotation.protocol_tools import FiguresReport
from tasks.measuring import figures


@dataclass(frozen=True)
class FigureRow:
    """One figure in words. `share` and `share_published` are 0..1 and None for what is not a share, or not known."""

    label: str
    ours: str
    published: str
    share: float | None
    share_published: float | None


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
    kept = figures.of_page(project)
    return Compared(_groups(report, kept.values), kept.measured_at) if kept else Compared([], None)


def _groups(report: FiguresReport, ours: Mapping[str, Any]) -> list[FigureGroup]:
    """Single figures first, then each group."""
    single, groups = FigureGroup(""), dict[str, FigureGroup]()
    for key, label in report.labels.items():
        group, _dot, name = key.partition(".")
        if name:
            mine, theirs = (ours.get(group) or {}).get(name), report.published.get(group, {}).get(name)
            groups[group].rows.append(_row(gettext(label), mine, theirs, number=group in report.numbers))
        elif any(other.startswith(f"{key}.") for other in report.labels):
            groups[key] = FigureGroup(gettext(label))
        else:
            single.rows.append(
                _row(gettext(label), ours.get(key), report.published.get(key), number=key in report.numbers)
            )
    return list(_halves(single)) + list(groups.values())


def _halves(group: FigureGroup) -> Iterator[FigureGroup]:
    """A long list as two, to stand side by side."""
    half = (len(group.rows) + 1) // 2
    if half < 4:
        yield group
    else:
        yield FigureGroup("", group.rows[:half])
        yield FigureGroup("", group.rows[half:])


def _row(label: str, ours: float | None, published: float | None, *, number: bool) -> FigureRow:
    shown = _number if number else _share
    shares = (None, None) if number else (ours, published)
    return FigureRow(label, shown(ours), shown(published), *shares)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    places = 0 if isinstance(value, int) else 1
    return number_format(round(value, places), places, use_l10n=True, force_grouping=True)  # by itself it cuts off


def _share(value: float | None) -> str:
    return "–" if value is None else f"{number_format(round(100 * value, 1), 1)} %"
