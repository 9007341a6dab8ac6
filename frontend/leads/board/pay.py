"""What people are paid for an hour at the site, waiting and idle time included, where the project states a rate."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from django.db.models import Sum
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import projects
from annotation.models import User
from annotation.worktime import totals
from frontend.leads import time
from frontend.leads.board.numbers import BoardNumbers, Card, Note
from frontend.leads.plots import svg
from frontend.leads.plots.svg import Scale, ticks
from tasks.people.earnings import LedgerDay

LEFT, RIGHT, TOP, BOTTOM = 24, 336, 10, 96


People = dict[str, LedgerDay]
"""What each person did in all, by worker code."""


def people(numbers: BoardNumbers) -> People:
    """Everybody with time in this part: what counts, with amendments, and what doesn't."""
    times = numbers.asked.times(numbers.project).values_list("person")
    rows = {person: seconds for person, *seconds in times.annotate(a=Sum("counted"), b=Sum("waited"), c=Sum("idle"))}
    codes = dict(User.objects.filter(pk__in={*rows, *numbers.amended}).values_list("pk", "worker_code"))
    found = {}
    for key, code in sorted(codes.items(), key=lambda pair: pair[1]):
        counted, waited, idle = rows.get(key, (0.0, 0.0, 0.0))
        amended = numbers.amended[key].seconds if key in numbers.amended else 0.0
        found[code] = LedgerDay(counted=counted, amended=amended, waited=waited, idle=idle)
    return found


def card(numbers: BoardNumbers) -> Card | None:
    """The distribution over people, each once; None without a rate that can be calculated with."""
    rate = projects.project_config(numbers.project).pay
    hour = totals.amount_of_pay(rate, 3600)
    if hour is None:
        return None
    rows, currency = people(numbers), hour[1]
    of = {code: time.pay_an_hour(hour[0], one) for code, one in rows.items() if one.present >= time.LEAST}
    hourly, n = sorted(of.values()), len(of)
    spent = totals.pay_in_words([totals.amount_of_pay(rate, sum(one.paid for one in rows.values()))])
    about = ngettext("%(n)s person, waiting and idle time included", "%(n)s people, waiting and idle time included", n)
    total = Note("", _("%(sum)s for all counted time.") % {"sum": spent})
    return Card(
        key="pay",
        title=_("Pay an hour"),
        about=about % {"n": n},
        link=(reverse("pay", args=[numbers.project.slug]), _("settle pay")),
        plot=_histogram(hourly, currency) if hourly else None,
        nothing=_("Nobody has been here for ten minutes in this part.")
        if numbers.asked.is_part
        else _("Nobody has been here for ten minutes yet."),
        notes=[_spread(hourly, currency), total] if hourly else [],
        legend=_("Each person once; the site itself pays nothing"),
        header=("person", "paid_seconds", "waited_seconds", "idle_seconds", "pay_an_hour", "currency"),
        rows=[
            (
                code,
                *(round(each) for each in (one.paid, one.waited, one.idle)),
                round(of[code], 2) if code in of else "",
                currency,
            )
            for code, one in rows.items()
        ],
    )


def _spread(hourly: Sequence[float], currency: str) -> Note:
    first, *rest = (number_format(value, 2) for value in time.spread(hourly))
    if not rest:
        return Note(f"{first} {currency}", _("is what one person is paid for an hour."))
    if len(hourly) < time.ENOUGH:
        said = _("is the lowest, %(high)s the highest; percentiles take five people.")
        return Note(f"{first} {currency}", said % {"high": rest[0]})
    said = _("is the median, %(low)s the 10th and %(high)s the 90th percentile.")
    return Note(f"{rest[0]} {currency}", said % {"low": first, "high": rest[1]})


def _histogram(hourly: Sequence[float], currency: str) -> svg.SvgPlot:
    steps = ticks(hourly[-1], about=4)
    width = steps[-1] / 16
    counts = [0] * 16
    for value in hourly:
        counts[min(15, floor(value / width))] += 1
    x, y = Scale(0, steps[-1], LEFT, RIGHT), Scale(0, max(counts), BOTTOM, TOP)
    columns = [
        svg.bar(x(place * width) + 1, y(n), x(width) - x(0) - 2, BOTTOM - y(n), "p-bar")
        for place, n in enumerate(counts)
        if n
    ]
    names = [svg.text(x(step), BOTTOM + 16, f"{step:g}", anchor="middle") for step in steps]
    note = _spread(hourly, currency)
    body = svg.join(*columns, svg.line(LEFT, RIGHT, BOTTOM, BOTTOM, "p-axis"), *names)
    return svg.SvgPlot(BOTTOM + 22, f"{note.bold} {note.rest}", body)
