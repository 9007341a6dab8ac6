"""The ledger of a project: each person's days as CSV, and what an hour brings, over people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import clock, projects
from annotation.models import Project, TimeAmendment, User
from annotation.worktime import totals
from tasks.board.stage_times import percentile
from tasks.models import WorkCount, WorkTime
from tasks.people.earnings import LedgerDay, Period, earned

HEADER = (
    "day", "person", "finished", "counted_seconds", "amended_seconds", "paid_seconds", "waited_seconds",
    "idle_seconds", "pay", "currency",
)  # fmt: skip
LEAST = 600
"""Seconds at the site from which an hour of somebody says something."""
ENOUGH = 5
"""From so many people on there are percentiles; of fewer there are the lowest and the highest, of one what it is."""
PERCENTILES = (10, 50, 90)


@dataclass(frozen=True)
class AnHour:
    """What an hour at the site brings `n` people, as `spread` says it, each figure under its heading."""

    title: str
    n: int
    figures: list[float]
    unit: str = ""

    @property
    def headings(self) -> list[str]:
        """What the figures are."""
        if self.n >= ENOUGH:
            return [_("10th percentile"), _("Median"), _("90th percentile")]
        return [_("Lowest"), _("Highest")] if self.n > 1 else [_("One person")]


def days(project: Project) -> dict[tuple[date, int], LedgerDay]:
    """Each day (UTC) of each person on which there was anything, as it was counted last, with amendments."""
    found: defaultdict[tuple[date, int], LedgerDay] = defaultdict(LedgerDay)
    times = WorkTime.objects.filter(project=project).order_by().values_list("day", "person")
    for day, person, *seconds in times.annotate(a=Sum("counted"), b=Sum("waited"), c=Sum("idle")):
        found[day, person].counted, found[day, person].waited, found[day, person].idle = seconds
    counts = WorkCount.objects.filter(project=project, outcome__in=WorkCount.PAID).order_by()
    for day, person, n in counts.values_list("day", "person").annotate(n=Sum("n")):
        if person is not None:
            found[day, person].finished = n
    amendments = TimeAmendment.objects.filter(project=project).order_by()
    for day, person, minutes in amendments.values_list("day", "annotator").annotate(minutes=Sum("minutes")):
        found[day, person].amended = 60 * minutes
    return dict(sorted(found.items()))


def table(project: Project) -> Iterator[tuple[Any, ...]]:
    """The names of the columns, and a row for each day and person, under worker codes."""
    yield HEADER
    found = days(project)
    codes = dict(User.objects.filter(pk__in={person for _day, person in found}).values_list("pk", "worker_code"))
    rate = projects.project_config(project).pay
    yield from (_line(day, codes[person], one, rate) for (day, person), one in found.items())


def _line(day: date, code: str, one: LedgerDay, rate: str) -> tuple[Any, ...]:
    amount = totals.amount_of_pay(rate, one.paid) or ("", "")
    times = (one.counted, one.amended, one.paid, one.waited, one.idle)
    return day, code, one.finished, *(round(seconds) for seconds in times), *amount


def an_hour(project: Project) -> list[AnHour]:
    """Pieces of work, and pay where the project states a rate, of people who have been here for ten minutes."""
    done = earned(project, Period(None, timezone.localdate(clock.now()))).values()
    long = [one for one in done if one.present >= LEAST]
    return list(_hours(long, projects.project_config(project).pay)) if long else []


def _hours(people: list[LedgerDay], rate: str) -> Iterator[AnHour]:
    pieces = sorted(3600 * one.finished / one.present for one in people)
    yield AnHour(_("Finished pieces of work"), len(people), spread(pieces))
    hour = totals.amount_of_pay(rate, 3600)
    if hour is not None:
        paid = sorted(pay_an_hour(hour[0], one) for one in people)
        yield AnHour(_("Pay"), len(people), spread(paid), hour[1])


def pay_an_hour(rate: Decimal, one: LedgerDay) -> float:
    """What somebody is paid for an hour at the site."""
    return float(rate) * one.paid / one.present


def spread(ordered: Sequence[float]) -> list[float]:
    """Percentiles of the values of people; of few of them the lowest and the highest, of one the value."""
    if len(ordered) >= ENOUGH:
        return [percentile(ordered, share) for share in PERCENTILES]
    return [ordered[0], ordered[-1]] if len(ordered) > 1 else [ordered[0]]
