"""What people are paid for an hour at the site, waiting and idle time included, where the project states a rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from django.db.models import Sum
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import projects
from annotation.models import Project, TimeAmendment, User
from annotation.worktime import pay
from frontend.leads.board.asked import Asked
from frontend.leads.board.cards import Card, Note
from frontend.leads.board.numbers import Numbers
from frontend.leads.plots import svg
from frontend.leads.plots.axes import Scale, ticks
from tasks.board.stage_times import percentile

LEFT, RIGHT, TOP, BOTTOM = 24, 336, 10, 96
LEAST = 600
"""Seconds at the site from which somebody's pay an hour says something."""
PERCENTILES = (10, 50, 90)


@dataclass(frozen=True)
class PersonPay:
    """Seconds of one person that are paid, and those at the site that are not."""

    code: str
    paid: float
    waited: float
    idle: float

    @property
    def present(self) -> float:
        """Seconds at the site."""
        return self.paid + self.waited + self.idle


def people(project: Project, asked: Asked) -> list[PersonPay]:
    """Everybody with time in this part: what counts, with amendments, and what doesn't."""
    sums = asked.times(project).values_list("person")
    rows = {row[0]: row[1:] for row in sums.annotate(a=Sum("counted"), b=Sum("waited"), c=Sum("idle"))}
    amended = _amended(project, asked)
    codes = dict(User.objects.filter(pk__in={*rows, *amended}).values_list("pk", "worker_code"))
    found = []
    for key, code in codes.items():
        counted, waited, idle = rows.get(key, (0.0, 0.0, 0.0))
        found.append(PersonPay(code, max(0.0, counted + 60 * amended.get(key, 0)), waited, idle))
    return sorted(found, key=lambda one: one.code)


def _amended(project: Project, asked: Asked) -> dict[int, int]:
    """Minutes by person; they belong to no split or queue."""
    if asked.split or asked.queue:
        return {}
    rows = TimeAmendment.objects.filter(project=project).order_by()
    if asked.person:
        rows = rows.filter(annotator__worker_code=asked.person)
    if asked.since:
        rows = rows.filter(day__gte=asked.since)
    if asked.until:
        rows = rows.filter(day__lte=asked.until)
    return dict(rows.values_list("annotator").annotate(minutes=Sum("minutes")))


def an_hour(project: Project, rows: Sequence[PersonPay]) -> tuple[list[float], str] | None:
    """Pay for an hour at the site of each person who has been there for ten minutes, sorted; and the currency."""
    rate = projects.project_config(project).pay
    hour = pay.amount(rate, 3600)
    if hour is None:
        return None
    long = [one for one in rows if one.present >= LEAST]
    return sorted(float(hour[0]) * one.paid / one.present for one in long), hour[1]


def spent(project: Project, rows: Sequence[PersonPay]) -> str:
    """The pay for all counted time, in words; "" without a rate that can be calculated with."""
    rate = projects.project_config(project).pay
    return pay.in_words([pay.amount(rate, sum(one.paid for one in rows))])


def card(numbers: Numbers) -> Card | None:
    """The distribution over people, each once."""
    rows = people(numbers.project, numbers.asked)
    found = an_hour(numbers.project, rows)
    if found is None:
        return None
    hourly, currency = found
    n = len(hourly)
    about = ngettext("%(n)s person, waiting and idle time included", "%(n)s people, waiting and idle time included", n)
    return Card(
        key="pay",
        title=_("Pay an hour"),
        about=about % {"n": n},
        link=(reverse("project_time", args=[numbers.project.slug]), _("people")),
        plot=_histogram(hourly, currency) if hourly else None,
        nothing=_("Nobody has been here for ten minutes yet."),
        notes=[
            _percentiles(hourly, currency),
            Note("", _("%(sum)s for all counted time.") % {"sum": spent(numbers.project, rows)}),
        ]
        if hourly
        else [],
        legend=_("Each person once; the site itself pays nothing"),
        header=("person", "paid_seconds", "waited_seconds", "idle_seconds", "pay_an_hour", "currency"),
        rows=[
            (one.code, round(one.paid), round(one.waited), round(one.idle), _of(one, numbers.project), currency)
            for one in rows
        ],
    )


def _of(one: PersonPay, project: Project) -> float | str:
    found = an_hour(project, [one])
    return round(found[0][0], 2) if found and found[0] else ""


def _percentiles(hourly: Sequence[float], currency: str) -> Note:
    low, middle, high = (number_format(percentile(hourly, share), 2) for share in PERCENTILES)
    rest = _("is the median, %(low)s the 10th and %(high)s the 90th percentile.")
    return Note(f"{middle} {currency}", rest % {"low": low, "high": high})


def _histogram(hourly: Sequence[float], currency: str) -> svg.Plot:
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
    said = " ".join(filter(None, [_percentiles(hourly, currency).bold, _percentiles(hourly, currency).rest]))
    return svg.Plot(BOTTOM + 22, said, svg.join(*columns, svg.line(LEFT, RIGHT, BOTTOM, BOTTOM, "p-axis"), *names))
