"""Time in a project as a lead sees it: how long stages take, time by person, amendments, the ledger of days."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from annotation import clock, projects, registry
from annotation.models import ASIDE, Annotation, Project, TimeAmendment, TimeSpan, User
from annotation.models.time import COUNTED
from annotation.protocol import Protocol
from annotation.worktime import taken
from annotation.worktime import totals as spent_totals
from annotation.worktime.totals import Spent
from frontend.work.page_time import BESIDE_WORK
from tasks.board import kept, stage_times
from tasks.board.stage_times import percentile
from tasks.models import WorkCount, WorkTime
from tasks.people.earnings import LedgerDay, Period, earned
from tasks.setup import numbers

PEOPLE, PIECES = 25, 50
"""Rows on a page: people, each with the sums of all their time, and pieces of work of one person."""
AMENDMENTS = 20
"""How many of the latest amendments the project's page shows."""


def stages(project: Project) -> list[dict[str, Any]]:
    """For each activity with finished work: seconds per stage and for the whole, and the published mean.

    As a job measured them for the board a few seconds ago; if it has not yet, they are measured now.
    """
    found, row = [], kept.of_page(project)
    for activity in registry.get(project.protocol).activities:
        known = row.values["times"].get(activity.key) if row else None
        if measured := known or stage_times.measure(project, activity):
            rows = [{"title": gettext(activity.stage(row["stage"]).title), **row} for row in measured["rows"]]
            named = {"title": gettext(activity.title), "published": activity.published_seconds}
            found.append(named | {"rows": rows, "whole": measured["whole"]})
    return found


def fast(project: Project) -> dict[str, Any]:
    """Answers faster than the floor: how many there are, and the latest with a link to each."""
    protocol = registry.get(project.protocol)
    found = [
        (gettext(activity.stage(one.stage).title), one)
        for activity in protocol.activities
        for one in taken.below_floor(project, activity.key)
    ]
    shown = sorted(found, key=lambda pair: pair[1].done, reverse=True)[:PIECES]
    known = _annotations(one.annotation for _stage, one in shown)
    rows = [{"stage": stage, "took": one, **_piece(protocol, known[one.annotation])} for stage, one in shown]
    return {"n": len(found), "rows": rows}


def _annotations(annotations: Iterable[int]) -> dict[int, Annotation]:
    return Annotation.objects.select_related("item", "author").in_bulk(list(annotations))


def _piece(protocol: Protocol, annotation: Annotation) -> dict[str, Any]:
    """What a piece of work was about, when it was done and by whom."""
    return {
        "item": annotation.item_id,
        "caption": protocol.caption(annotation.item.kind, annotation.item.payload),
        "done": annotation.completed_at,
        "code": annotation.author.worker_code if annotation.author else "",
    }


def project_totals(project: Project) -> dict[str, Any]:
    """Seconds that count in the whole project, and how many amendments they include; of a large project as the job
    has counted them.
    """
    if numbers.is_large(project):
        counted = WorkTime.objects.filter(project=project).aggregate(sum=Sum("counted"))["sum"] or 0.0
    else:
        spans = TimeSpan.objects.filter(project=project, kind__in=COUNTED)
        counted = spans.aggregate(sum=Sum("seconds"))["sum"] or 0.0
    amended = TimeAmendment.objects.filter(project=project).aggregate(n=Count("pk"), sum=Sum("minutes"))
    return {"total": max(0.0, counted + 60 * (amended["sum"] or 0)), "amended": amended["n"]}


def people(project: Project, *, page: str) -> Page[dict[str, Any]]:
    """Everybody whose time was measured here, most recent first: sums, pieces of work, last day.

    Who that is comes from the daily counts, which a job makes some seconds later, if there are any.
    """
    spans = TimeSpan.objects.filter(project=project).order_by()
    counted = WorkTime.objects.filter(project=project).order_by().values_list("person")
    lasts = list(counted.annotate(last=Max("day")).order_by("-last", "person").values_list("person", flat=True))
    if not lasts:
        measured = spans.values("annotator").annotate(last=Max("begun_at")).order_by("-last")
        lasts = list(measured.values_list("annotator", flat=True))
    shown: Page[Any] = Paginator(lasts, PEOPLE).get_page(page)
    known = User.objects.in_bulk(list(shown))
    amended, sums = _amended(project, known), _sums(spans, list(known))
    shown.object_list = [
        {
            "code": known[person].worker_code,
            "url": reverse("project_time_of", args=[project.slug, known[person].worker_code]),
            "spent": spent_totals.spent_of_row(sums[person]) + amended.get(person, Spent()),
            "pieces": sums[person]["pieces"],
            "last": sums[person]["last"],
        }
        for person in shown
        if person in sums
    ]
    return shown


def _sums(spans: QuerySet[TimeSpan], people: list[int]) -> dict[int, dict[str, Any]]:
    """By person, seconds by kind and how many pieces of work: only of those on the page, since all take a second."""
    rows = spans.filter(annotator__any_of=people).values("annotator")
    found = rows.annotate(**spent_totals.BY_KIND, pieces=Count("annotation", distinct=True), last=Max("begun_at"))
    return {row["annotator"]: dict(row) for row in found}


def _amended(project: Project, users: Any) -> dict[int, Spent]:
    rows = TimeAmendment.objects.filter(project=project, annotator__in=users)
    sums = rows.order_by().values_list("annotator").annotate(minutes=Sum("minutes"))
    return {annotator: Spent(amended=minutes * 60) for annotator, minutes in sums}


def amendments(project: Project, *, person: User | None = None) -> list[dict[str, Any]]:
    """The latest amendments with their notes, each with a link to what its author worked on that day."""
    rows = TimeAmendment.objects.filter(project=project).select_related("annotator").order_by("-pk")
    if person is not None:
        rows = rows.filter(annotator=person)
    return [
        {
            "code": row.annotator.worker_code,
            "url": f"{reverse('project_time_of', args=[project.slug, row.annotator.worker_code])}?day={row.day}",
            "day": row.day,
            "minutes": row.minutes,
            "note": row.note,
            "at": row.at,
        }
        for row in rows[:AMENDMENTS]
    ]


def pieces(project: Project, person: User, *, day: Any, page: str) -> Page[dict[str, Any]]:
    """What that person worked on here, on that day or ever, latest first, with the time and the item of each.

    Not what they judged: a lead who still judges must not see how far others are.
    """
    spans = _spans(project, person, day).exclude(annotation=None).exclude(annotation__purpose__in=ASIDE)
    sums = spans.order_by().values("annotation").annotate(**spent_totals.BY_KIND).order_by("-annotation")
    shown: Page[Any] = Paginator(sums, PIECES).get_page(page)
    known = _annotations(row["annotation"] for row in shown)
    protocol = registry.get(project.protocol)
    shown.object_list = [
        {"spent": spent_totals.spent_of_row(row), **_piece(protocol, known[row["annotation"]])} for row in shown
    ]
    return shown


def beside_work(project: Project, person: User, *, day: Any) -> list[tuple[Any, Spent]]:
    """The time here that belongs to no piece of work, and that of judging, with what it was spent on."""
    spans = _spans(project, person, day)
    found = spent_totals.spent_beside_work(spans)
    rows = [(BESIDE_WORK[stage], spent) for (_project, stage), spent in found.items()]
    judging = spent_totals.spent_on_judging(spans)
    return [*rows, (_("Judging answers"), judging)] if judging != Spent() else rows


def _spans(project: Project, person: User, day: Any) -> QuerySet[TimeSpan]:
    spans = TimeSpan.objects.filter(project=project, annotator=person)
    if day is None:
        return spans
    begins, ends = spent_totals.bounds(day)
    return spans.filter(begun_at__gte=begins, begun_at__lt=ends)


LEDGER_HEADER = (
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


def ledger_days(project: Project) -> dict[tuple[date, int], LedgerDay]:
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


def ledger_table(project: Project) -> Iterator[tuple[Any, ...]]:
    """The names of the columns, and a row for each day and person, under worker codes."""
    yield LEDGER_HEADER
    found = ledger_days(project)
    codes = dict(User.objects.filter(pk__in={person for _day, person in found}).values_list("pk", "worker_code"))
    rate = projects.project_config(project).pay
    yield from (_line(day, codes[person], one, rate) for (day, person), one in found.items())


def _line(day: date, code: str, one: LedgerDay, rate: str) -> tuple[Any, ...]:
    amount = spent_totals.amount_of_pay(rate, one.paid) or ("", "")
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
    hour = spent_totals.amount_of_pay(rate, 3600)
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
