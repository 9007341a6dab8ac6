"""Pictures of a person's own time: one day as a bar, and the last days beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.worktime.totals import Spent
from frontend import dates
from frontend.leads.plots import svg
from frontend.leads.plots.svg import Scale, ticks
from frontend.templatetags.goldfinch import lasting

SHOWN = 14
"""Days in the picture, today included."""
WIDTH, LEFT, RIGHT, TOP, BOTTOM, FOOT = 520, 44, 518, 8, 120, 22
GAP = 0.28
"""Share of a day's width that is left free."""


def day_bar(spent: Spent) -> svg.SvgPlot | None:
    """What counts of a day, and idle time, as parts of one bar; None without any."""
    parts = [*_parts(spent), ("s-idle", spent.idle)]
    whole = sum(seconds for _name, seconds in parts)
    if whole <= 0:
        return None
    at, drawn, so_far = Scale(0, whole, 0, svg.WIDTH), [], 0.0
    for name, seconds in parts:
        drawn.append(svg.bar(at(so_far), 0, at(so_far + seconds) - at(so_far), 8, name))
        so_far += seconds
    return svg.SvgPlot(8, "", svg.join(*drawn))


def days_plot(by_day: Mapping[date, Spent], *, today: date) -> svg.SvgPlot | None:
    """What counted on each of the last days, idle time left out; None if nothing did."""
    days = [today - timedelta(days=n) for n in range(SHOWN - 1, -1, -1)]
    counts = {day: by_day[day].counts for day in days if day in by_day and by_day[day].counts}
    if not counts:
        return None
    hours = ticks(max(counts.values()) / 3600, about=3)
    y, width = Scale(0, hours[-1] * 3600, BOTTOM, TOP), (RIGHT - LEFT) / SHOWN
    body = svg.join(
        *(_grid_line(hour, y(hour * 3600)) for hour in hours),
        *(_day(day, by_day.get(day, Spent()), LEFT + n * width, width, y) for n, day in enumerate(days)),
    )
    return svg.SvgPlot(BOTTOM + FOOT, _in_words(counts, days), body, WIDTH)


def _parts(spent: Spent) -> list[tuple[str, float]]:
    """The class and the seconds of each part of what counts; what was taken off is taken off reading first."""
    taken = max(0.0, -spent.amended)
    reading = max(0.0, spent.reading - taken)
    active = max(0.0, spent.active - max(0.0, taken - spent.reading))
    meeting = max(0.0, spent.meeting - max(0.0, taken - spent.reading - spent.active))
    parts = [("s-active", active), ("s-reading", reading), ("s-meeting", meeting)]
    return [*parts, ("s-amended", max(0.0, spent.amended))]


def _grid_line(hour: float, y: float) -> SafeString:
    name = _("%(n)s h") % {"n": f"{hour:g}"}
    return svg.join(svg.line(LEFT, RIGHT, y, y, "s-grid"), svg.text(LEFT - 8, y + 4, name, anchor="end"))


def _day(day: date, spent: Spent, left: float, width: float, y: Scale) -> SafeString:
    """A day's parts on top of each other, over its name."""
    x, wide, so_far = round(left + width * GAP / 2, 1), width * (1 - GAP), 0.0
    title = f"{dates.formatted(day, 'D j M Y')}: {lasting(spent.counts)}"
    drawn = []
    for name, seconds in _parts(spent):
        top = y(so_far + seconds)
        drawn.append(svg.bar(x, top, wide, y(so_far) - top, name, title=title))
        so_far += seconds
    return svg.join(*drawn, svg.text(round(left + width / 2, 1), BOTTOM + 17, day.day, anchor="middle"))


def _in_words(counts: Mapping[date, float], days: list[date]) -> str:
    """The picture in two sentences."""
    most = max(counts, key=lambda day: counts[day])
    return " ".join(_sentences(counts, days, most))


def _sentences(counts: Mapping[date, float], days: list[date], most: date) -> Iterator[str]:
    n = len(counts)
    said = ngettext(
        "%(sum)s on %(n)s day from %(first)s to %(last)s.", "%(sum)s on %(n)s days from %(first)s to %(last)s.", n
    )
    ends = {"first": dates.formatted(days[0], "j F"), "last": dates.formatted(days[-1], "j F")}
    yield said % {"sum": lasting(sum(counts.values())), "n": n, **ends}
    if n > 1:
        yield _("Most on %(day)s: %(sum)s.") % {"day": dates.formatted(most, "j F"), "sum": lasting(counts[most])}
