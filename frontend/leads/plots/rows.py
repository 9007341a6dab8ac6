"""Pictures of rows: a name and a number above a track, on which a bar, a dot or a box shows the value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from frontend.leads.plots import svg
from frontend.leads.plots.axes import Scale

LEFT, RIGHT = 0, svg.WIDTH
ROW = 40
"""Height of a row: the words, then the track."""


@dataclass(frozen=True)
class Row:
    """`shown` is the value in words, `beside` its interval or number. Of the values None is not drawn: `low` and `high`
    end the interval, `lower` and `upper` a box, `mark` is a published value."""

    name: str
    shown: str
    value: float
    beside: str = ""
    low: float | None = None
    high: float | None = None
    lower: float | None = None
    upper: float | None = None
    mark: float | None = None


def bars(rows: Sequence[Row], *, said: str) -> svg.Plot:
    """Shares (0..1) of a whole as bars from 0, the longest nearly as wide as the picture, with whiskers."""
    most = max([0.02, *(max(row.value, row.high or 0, row.mark or 0) for row in rows)])
    at = Scale(0, min(1.0, most * 1.05), LEFT, RIGHT)
    return _picture([_bar(row, n * ROW, at) for n, row in enumerate(rows)], said, len(rows) * ROW)


def _bar(row: Row, top: float, at: Scale) -> SafeString:
    y = top + 21
    whisker = (
        svg.line(at(row.low), at(row.high), y + 4, y + 4, "p-whisk")
        if row.low is not None and row.high is not None
        else ""
    )
    published = svg.line(at(row.mark), at(row.mark), y - 4, y + 12, "p-ref") if row.mark is not None else ""
    drawn = svg.bar(LEFT, y, at(row.value) - LEFT, 8, "p-bar pale" if whisker else "p-bar")
    return svg.join(_words(row, top), svg.bar(LEFT, y, RIGHT - LEFT, 8, "p-track"), drawn, whisker, published)


def dots(rows: Sequence[Row], *, said: str, low: float = 0.0, high: float = 1.0) -> svg.Plot:
    """Values between `low` and `high` as dots in the band of their interval."""
    at = Scale(low, high, LEFT + 4, RIGHT - 4)
    marks = [_dot(row, n * ROW, at) for n, row in enumerate(rows)]
    return _picture([*marks, _axis(at, len(rows) * ROW, [low, (low + high) / 2, high])], said, len(rows) * ROW + 16)


def _dot(row: Row, top: float, at: Scale) -> SafeString:
    y = top + 25
    band = (
        svg.bar(at(row.low), y - 5, at(row.high) - at(row.low), 10, "p-soft")
        if row.low is not None and row.high is not None
        else ""
    )
    dot = svg.element("circle", cx=at(row.value), cy=y, r=4, class_="p-fill")
    return svg.join(_words(row, top), svg.bar(LEFT, y - 2, RIGHT - LEFT, 4, "p-track"), band, dot)


def boxes(rows: Sequence[Row], *, said: str, ticks: Sequence[float], unit: str) -> svg.Plot:
    """Distributions: a line between the outer percentiles, a box between the inner ones, the median in it."""
    at = Scale(0, ticks[-1], LEFT, RIGHT)
    marks = [_box(row, n * ROW, at) for n, row in enumerate(rows)]
    return _picture([*marks, _axis(at, len(rows) * ROW, ticks, unit)], said, len(rows) * ROW + 16)


def _box(row: Row, top: float, at: Scale) -> SafeString:
    y = top + 25
    outer = svg.line(at(row.low or 0), at(row.high or 0), y, y, "p-axis")
    inner = svg.bar(at(row.lower or 0), y - 5, at(row.upper or 0) - at(row.lower or 0), 10, "p-box")
    middle = svg.line(at(row.value), at(row.value), y - 7, y + 7, "p-med")
    published = svg.line(at(row.mark), at(row.mark), y - 9, y + 9, "p-ref") if row.mark is not None else ""
    return svg.join(_words(row, top), outer, inner, middle, published)


def _words(row: Row, top: float) -> SafeString:
    """The name to the left, the value to the right."""
    beside = svg.element("tspan", f" {row.beside}", class_="p-quiet") if row.beside else ""
    shown = svg.join(svg.element("tspan", row.shown, class_="p-ink"), beside)
    return svg.join(svg.text(LEFT, top + 13, row.name), svg.text(RIGHT, top + 13, shown, anchor="end"))


def _axis(at: Scale, top: float, ticks: Sequence[float], unit: str = "") -> SafeString:
    ends = {0: "start", len(ticks) - 1: "end"}
    return svg.join(
        *(
            svg.text(at(tick), top + 14, f"{round(tick, 3):g}{unit}", anchor=ends.get(n, "middle"), class_="p-quiet")
            for n, tick in enumerate(ticks)
        )
    )


def _picture(parts: Sequence[SafeString], said: str, height: float) -> svg.Plot:
    return svg.Plot(height, said, svg.join(*parts))
