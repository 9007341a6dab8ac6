"""Progress with its forecast, and the work of each day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import accumulate

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from frontend.leads.board.numbers import LEFT as NOT_FINISHED
from frontend.leads.board.numbers import A, BoardNumbers, Card, Note
from frontend.leads.estimates import day, interval_in_words, short_number, whole_number_in_words
from frontend.leads.plots import svg
from frontend.leads.plots.svg import Scale, places_of_labels, points, ticks
from frontend.wording import noun_of_project

LEFT, RIGHT, TOP, BOTTOM = 36, 352, 14, 150
LATEST = 42
"""How many days the picture of the work of each day shows at most; the CSV has all."""


def progress(numbers: BoardNumbers) -> Card | None:
    """Tasks done by day, and when all will be."""
    found, nouns = numbers.progress, noun_of_project(numbers.project)
    if not found.total:
        return None
    days = _cumulated(numbers)
    left = found.total - found.done
    about = _("%(done)s done, %(left)s left") % {
        "done": whole_number_in_words(found.done),
        "left": whole_number_in_words(left),
    }
    if numbers.asked.is_of_work:
        about = _("%(about)s, of all days and people") % {"about": about}
    return Card(
        key="progress",
        title=_("Progress"),
        about=about,
        link=(numbers.asked.but(person="", since=None, until=None).items(numbers.project), nouns.many),
        plot=_curve(numbers, days) if len(days) > 1 else None,
        nothing=_("The first day with work draws the first line."),
        notes=list(_outlook(numbers, left)),
        legend=_legend(numbers) if len(days) > 1 else "",
        header=("day", "done", "done_so_far", "total"),
        rows=[(on, numbers.done_by_day.get(on, 0), so_far, found.total) for on, so_far in days],
    )


def _cumulated(numbers: BoardNumbers) -> list[tuple[date, int]]:
    """How many were done at the end of each day since the first one with work, today included."""
    if not numbers.done_by_day:
        return []
    first = min(numbers.done_by_day)
    days = [first + timedelta(days=n) for n in range((numbers.today - first).days + 1)]
    # Tasks that were done from the start have no day: their items came with enough annotations.
    before = max(0, numbers.progress.done - sum(numbers.done_by_day.values()))
    sums = list(accumulate((numbers.done_by_day.get(on, 0) for on in days), initial=before))
    return [(first - timedelta(days=1), before), *zip(days, sums[1:], strict=True)]


def _outlook(numbers: BoardNumbers, left: int) -> Iterator[Note]:
    found = numbers.forecast
    if not left:
        yield Note(_("All done."), "")
    elif found is None:
        yield Note("", _("A forecast needs two whole days, and work in the last seven."))
    else:
        said = _("All done on %(day)s") % {"day": _date(numbers, found.days)}
        if found.low is None:
            rest = _("at the pace of the last days, %(pace)s a day; too few days for an interval.")
            yield Note(said, rest % {"pace": short_number(found.pace)})
        else:
            ends = interval_in_words(
                _date(numbers, found.low), _("open") if found.high is None else _date(numbers, found.high)
            )
            rest = _("%(interval)s at the pace of the last days, %(pace)s a day.")
            yield Note(said, rest % {"interval": ends, "pace": short_number(found.pace)})


def _legend(numbers: BoardNumbers) -> str:
    """How to read the dashed line, if there is a forecast and so one."""
    if numbers.forecast is None:
        return ""
    if numbers.forecast.low is None:
        return _("Dashed: at the present pace")
    return _("Dashed: at the present pace, with its 95 % interval")


def _date(numbers: BoardNumbers, days: int) -> str:
    """A day that many days from now; with its year if that is another one."""
    if days > 20_000:
        return _("never")
    on = numbers.today + timedelta(days=days)
    return day(on, year=on.year != numbers.today.year)


def _curve(numbers: BoardNumbers, days: list[tuple[date, int]]) -> svg.SvgPlot:
    total, (first, _before), (last, done) = numbers.progress.total, days[0], days[-1]
    ahead = numbers.forecast
    wanted = ahead.high if ahead and ahead.high is not None else ahead.days * 2 if ahead else 0
    room = max(4, min(wanted, 3 * (last - first).days))
    x = Scale(0, (last - first).days + room, LEFT, RIGHT)
    y = Scale(0, total, BOTTOM, TOP)
    now = x((last - first).days)
    line = points((x((on - first).days), y(n)) for on, n in days)
    here = (
        svg.element("circle", cx=now, cy=y(done), r=4, class_="p-fill"),
        svg.text(now - 6, y(done) - 8, whole_number_in_words(done), anchor="end", class_="p-ink"),
    )
    body = svg.join(
        _grid(y, total),
        *_ahead(numbers, x, y, (last - first).days),
        svg.element("polyline", points=line, class_="p-line"),
        *here,
        svg.text(LEFT, BOTTOM + 18, day(first)),
        svg.text(now, BOTTOM + 18, _("today"), anchor="middle") if now - LEFT > 90 else "",
        svg.text(RIGHT, BOTTOM + 18, day(last + timedelta(days=room)), anchor="end") if RIGHT - now > 56 else "",
    )
    said = _("Done by day since %(first)s: %(done)s of %(total)s now.")
    said %= {"first": day(first, year=True), "done": whole_number_in_words(done), "total": whole_number_in_words(total)}
    return svg.SvgPlot(
        BOTTOM + 24, " ".join([said, *(f"{note.bold} {note.rest}" for note in _outlook(numbers, total - done))]), body
    )


def _ahead(numbers: BoardNumbers, x: Scale, y: Scale, now: int) -> Iterator[SafeString]:
    """The band between the ends of the interval, and the line of the pace, cut off at the right edge."""
    found, done, total = numbers.forecast, numbers.progress.done, numbers.progress.total
    if found is None:
        return
    edge = x.high

    def on(days: float) -> tuple[float, float]:
        reached = min(now + days, edge)
        return x(reached), y(done + (total - done) * (reached - now) / days) if days else y(total)

    if found.low is not None:
        high = (x(edge), y(done)) if found.high is None else on(max(found.high, 1))
        corner = [(x(edge), y(total))] if high[1] > y(total) or found.high is None else []
        yield svg.element(
            "polygon", points=points([(x(now), y(done)), on(max(found.low, 1)), *corner, high]), class_="p-soft"
        )
    yield svg.element("polyline", points=points([(x(now), y(done)), on(max(found.days, 1))]), class_="p-line dash")


def _grid(y: Scale, total: int) -> SafeString:
    """Lines at the bottom, the middle and the top."""
    lines = [svg.line(LEFT, RIGHT, y(part), y(part), "p-grid") for part in (0, total / 2, total)]
    names = [svg.text(LEFT - 6, y(part) + 4, whole_number_in_words(part), anchor="end") for part in (0, total)]
    return svg.join(*lines, *names)


def work(numbers: BoardNumbers) -> Card | None:
    """Pieces of work finished on each day."""
    if not numbers.outcomes:
        return None
    rows = [(on, numbers.outcomes.get(on, Counter())) for on in _every_day(numbers)]
    finished = numbers.ended[A.SUBMITTED]
    days = sum(1 for _on, counts in rows if counts)
    shown = rows[-LATEST:]
    about = ngettext(
        "%(n)s finished piece of work on %(days)s days", "%(n)s finished pieces of work on %(days)s days", finished
    )
    if days == 1:
        about = ngettext(
            "%(n)s finished piece of work on one day", "%(n)s finished pieces of work on one day", finished
        )
    hours = sum(numbers.hours.values()) / 3600
    return Card(
        key="work",
        title=_("Work per day"),
        about=about % {"n": whole_number_in_words(finished), "days": whole_number_in_words(days)},
        link=(numbers.asked.items(numbers.project, state="ended"), noun_of_project(numbers.project).many),
        plot=_columns(numbers, [(on, counts.get(A.SUBMITTED, 0)) for on, counts in shown]),
        notes=[
            Note(
                _("%(hours)s hours") % {"hours": short_number(hours)},
                _("of work measured, %(n)s at work now.") % {"n": numbers.at_work},
            ),
            *_by_script(numbers),
        ],
        legend=_("Paler: today, so far. Days are those of UTC"),
        header=("day", "finished", "skipped", "returned", "expired", "revoked", "late", "hours"),
        rows=[
            (
                on,
                counts.get(A.SUBMITTED, 0),
                *(counts.get(state, 0) for state in NOT_FINISHED),
                counts.get(A.LATE, 0),
                round(numbers.hours.get(on, 0) / 3600, 2),
            )
            for on, counts in rows
        ],
    )


def _by_script(numbers: BoardNumbers) -> Iterator[Note]:
    """How much of it was answered by script, if any was."""
    if n := numbers.by_script:
        said = _("%(n)s by script") % {"n": whole_number_in_words(n)}
        yield Note(said, _("through the API, whose time counts only if it is reported."))


def _every_day(numbers: BoardNumbers) -> list[date]:
    """From the first day with work to the last one of the part, or today."""
    first, last = min(numbers.outcomes), max(numbers.outcomes)
    if not numbers.asked.until:
        last = max(last, numbers.today)
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def _columns(numbers: BoardNumbers, days: list[tuple[date, int]]) -> svg.SvgPlot:
    steps = ticks(max(1, *(n for _on, n in days)) if len(days) > 1 else max(1, days[0][1]), about=3, whole=True)
    y, width = Scale(0, steps[-1], BOTTOM, TOP), (RIGHT - LEFT) / max(len(days), 10)
    marks, labelled = [], places_of_labels(len(days), most=5)
    for place, (on, n) in enumerate(days):
        x = round(LEFT + place * width, 1)
        pale = " pale" if on == numbers.today else ""
        title = f"{day(on, year=True)}: {whole_number_in_words(n)}"
        marks.append(svg.bar(x + width * 0.1, y(n), width * 0.8, BOTTOM - y(n), f"p-bar{pale}", title=title))
        if place in labelled:
            middle = x + width / 2
            anchor = "end" if middle > RIGHT - 20 else "middle" if middle > LEFT + 20 else "start"
            marks.append(
                svg.text(
                    {"end": RIGHT, "start": LEFT}.get(anchor, round(middle, 1)), BOTTOM + 18, day(on), anchor=anchor
                )
            )
    lines = [svg.line(LEFT, RIGHT, y(step), y(step), "p-grid") for step in steps]
    names = [svg.text(LEFT - 6, y(step) + 4, whole_number_in_words(step), anchor="end") for step in steps]
    most = max(days, key=lambda pair: pair[1])
    said = _("Finished pieces of work by day from %(first)s to %(last)s; most on %(day)s, %(n)s.")
    said %= {
        "first": day(days[0][0]),
        "last": day(days[-1][0]),
        "day": day(most[0]),
        "n": whole_number_in_words(most[1]),
    }
    return svg.SvgPlot(BOTTOM + 24, said, svg.join(*lines, *names, *marks))
