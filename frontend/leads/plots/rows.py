"""Pictures of rows: a name and a number above a track, on which a bar, a dot or a box shows the value.

They are in one line, or, if the name and the number of any row are too long for that, in two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from frontend.leads.plots import svg
from frontend.leads.plots.svg import Scale

LEFT, RIGHT = 0, svg.WIDTH
ROW, LINE = 40, 16
"""Height of a row, the words and then the track; and of a second line of words."""
GAP = 12
"""Least distance of a name and a number in one line."""


@dataclass(frozen=True)
class PlotRow:
    """`text` is the value in words, `beside` its interval or number. Of the values None is not drawn: `low` and `high`
    end the interval, `lower` and `upper` a box, `mark` is a published value."""

    name: str
    text: str
    value: float
    beside: str = ""
    low: float | None = None
    high: float | None = None
    lower: float | None = None
    upper: float | None = None
    mark: float | None = None


def bars(rows: Sequence[PlotRow], *, label: str) -> svg.SvgPlot:
    """Shares (0..1) of a whole as bars from 0, the longest nearly as wide as the picture, with whiskers."""
    most = max([0.02, *(max(row.value, row.high or 0, row.mark or 0) for row in rows)])
    return _picture(rows, _bar, Scale(0, min(1.0, most * 1.05), LEFT, RIGHT), label)


def _bar(row: PlotRow, top: float, at: Scale, more: int) -> SafeString:
    y = top + 21 + more
    whisker = (
        svg.line(at(row.low), at(row.high), y + 4, y + 4, "p-whisk")
        if row.low is not None and row.high is not None
        else ""
    )
    published = svg.line(at(row.mark), at(row.mark), y - 4, y + 12, "p-ref") if row.mark is not None else ""
    drawn = svg.bar(LEFT, y, at(row.value) - LEFT, 8, "p-bar pale" if whisker else "p-bar")
    return svg.join(_words(row, top, more), svg.bar(LEFT, y, RIGHT - LEFT, 8, "p-track"), drawn, whisker, published)


def dots(rows: Sequence[PlotRow], *, label: str, low: float = 0.0) -> svg.SvgPlot:
    """Values between `low` (0, -0.5 or -1) and 1 as dots in the band of their interval, with a line at 0 if that is
    not the end."""
    halves = [half / 2 for half in range(round(2 * low), 3)]
    return _picture(rows, _dot, Scale(low, 1, LEFT + 4, RIGHT - 4), label, halves)


def _dot(row: PlotRow, top: float, at: Scale, more: int) -> SafeString:
    y = top + 25 + more
    band = (
        svg.bar(at(row.low), y - 5, at(row.high) - at(row.low), 10, "p-soft")
        if row.low is not None and row.high is not None
        else ""
    )
    dot = svg.element("circle", cx=at(row.value), cy=y, r=4, class_="p-fill")
    zero = svg.line(at(0), at(0), y - 5, y + 5, "p-axis") if at.low < 0 else ""
    return svg.join(_words(row, top, more), svg.bar(LEFT, y - 2, RIGHT - LEFT, 4, "p-track"), zero, band, dot)


def boxes(rows: Sequence[PlotRow], *, label: str, ticks: Sequence[float], unit: str) -> svg.SvgPlot:
    """Distributions: a line between the outer percentiles, a box between the inner ones, the median in it."""
    return _picture(rows, _box, Scale(0, ticks[-1], LEFT, RIGHT), label, ticks, unit)


def _box(row: PlotRow, top: float, at: Scale, more: int) -> SafeString:
    y = top + 25 + more
    outer = svg.line(at(row.low or 0), at(row.high or 0), y, y, "p-axis")
    inner = svg.bar(at(row.lower or 0), y - 5, at(row.upper or 0) - at(row.lower or 0), 10, "p-box")
    middle = svg.line(at(row.value), at(row.value), y - 7, y + 7, "p-med")
    published = svg.line(at(row.mark), at(row.mark), y - 9, y + 9, "p-ref") if row.mark is not None else ""
    return svg.join(_words(row, top, more), outer, inner, middle, published)


def _more(rows: Sequence[PlotRow]) -> int:
    """How much higher each row is, if the words of any of them take a second line."""
    widths = (svg.width_of(row.name) + GAP + svg.width_of(f"{row.text} {row.beside}") for row in rows)
    return LINE if max(widths, default=0) > RIGHT - LEFT else 0


def _words(row: PlotRow, top: float, more: int) -> SafeString:
    """The name to the left, the value to the right or below it."""
    beside = svg.element("tspan", f" {row.beside}", class_="p-quiet") if row.beside else ""
    shown = svg.join(svg.element("tspan", row.text, class_="p-ink"), beside)
    said = svg.shortened(row.name, RIGHT - LEFT)
    name = svg.text(LEFT, top + 13, said, title=row.name if said != row.name else "")
    if more:
        return svg.join(name, svg.text(LEFT, top + 13 + more, shown))
    return svg.join(name, svg.text(RIGHT, top + 13, shown, anchor="end"))


def _axis(at: Scale, top: float, ticks: Sequence[float], unit: str) -> SafeString:
    ends = {0: "start", len(ticks) - 1: "end"}
    names = [f"{round(tick, 3):g}{unit}".replace("-", "−") for tick in ticks]
    return svg.join(
        *(
            svg.text(at(tick), top + 14, name, anchor=ends.get(n, "middle"), class_="p-quiet")
            for n, (tick, name) in enumerate(zip(ticks, names, strict=True))
        )
    )


def _picture(
    rows: Sequence[PlotRow],
    draw: Callable[[PlotRow, float, Scale, int], SafeString],
    at: Scale,
    label: str,
    ticks: Sequence[float] = (),
    unit: str = "",
) -> svg.SvgPlot:
    """The rows as `draw` draws each, and the axis below them, if it has ticks."""
    more = _more(rows)
    height = len(rows) * (ROW + more)
    parts = [draw(row, n * (ROW + more), at, more) for n, row in enumerate(rows)]
    if ticks:
        parts.append(_axis(at, height, ticks, unit))
    return svg.SvgPlot(height + 16 * bool(ticks), label, svg.join(*parts))
