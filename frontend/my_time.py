"""A person's own time: days, what they worked on, and the pay that it amounts to."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import projects, registry
from annotation.documents.words import alphabetical
from annotation.errors import PayloadInvalid, Problem
from annotation.models import Annotation, Project, TimeAmendment, User
from annotation.worktime import totals
from annotation.worktime.totals import Spent
from frontend import my_pay, wording
from frontend.leads.plots import svg
from frontend.leads.plots.svg import Scale, SvgPlot, ticks
from frontend.templatetags.goldfinch import lasting
from frontend.work.page_time import BESIDE_WORK
from tasks.engine.eligibility import WORKERS

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
    title = f"{wording.formatted(day, 'D j M Y')}: {lasting(spent.counts)}"
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
    ends = {"first": wording.formatted(days[0], "j F"), "last": wording.formatted(days[-1], "j F")}
    yield said % {"sum": lasting(sum(counts.values())), "n": n, **ends}
    if n > 1:
        yield _("Most on %(day)s: %(sum)s.") % {"day": wording.formatted(most, "j F"), "sum": lasting(counts[most])}


DAYS = 14
"""Days per page of the list."""
PIECES = 50
"""Pieces of work per page of a day."""


@dataclass(frozen=True)
class DayOfWork:
    """A day in one project; `comes_to` is an amount of money, "" if the project states no rate."""

    day: date
    project: Project
    spent: Spent
    comes_to: str


@dataclass(frozen=True)
class Total:
    """The sum of several rows."""

    spent: Spent
    comes_to: str

    @property
    def bar(self) -> SvgPlot | None:
        """Its parts as a picture."""
        return day_bar(self.spent)


def overview(user: User, *, today: date, page: str) -> dict[str, Any]:
    """Today, this week (from Monday, UTC) and the days with any time, the newest first."""
    days = Paginator(totals.days_of(user), DAYS).get_page(page)
    shown = list(days.object_list)
    rows = rows_between(user, since=shown[-1], until=shown[0]) if shown else []
    week = rows_between(user, since=today - timedelta(days=today.weekday()), until=today)
    return {
        "today": total([row for row in week if row.day == today]),
        "week": total(week),
        "plot": _plot(user, today),
        "pay": my_pay.own_pay(user, worked_in(user)),
        "rows": rows,
        "pages": days,
        "day": today,
        "paid": any(row.comes_to for row in [*rows, *week]),
        "met": any(row.spent.meeting for row in [*rows, *week]),
        "rates": _rates({row.project for row in [*rows, *week]}),
    }


def _plot(user: User, today: date) -> SvgPlot | None:
    """The last days, all projects together."""
    by_day: defaultdict[date, Spent] = defaultdict(Spent)
    since = today - timedelta(days=SHOWN - 1)
    for (day, _project), spent in totals.by_day(user, since=since, until=today).items():
        by_day[day] += spent
    return days_plot(by_day, today=today)


def total_of_day(user: User, day: date) -> Total:
    """The sum of one day in all projects."""
    return total(rows_between(user, since=day, until=day))


def of_day(user: User, day: date, *, page: str) -> dict[str, Any]:
    """One day: its projects, what was worked on, what was amended."""
    rows = rows_between(user, since=day, until=day)
    amendments = TimeAmendment.objects.filter(annotator=user, day=day).select_related("project")
    return {
        "day": day,
        "rows": rows,
        "total": total(rows),
        "pieces": pieces(user, day, page=page),
        "beside": beside_work(user, day),
        "amendments": amendments.order_by("pk"),
        "projects": worked_in(user),
        "rates": _rates({row.project for row in rows}),
    }


def total(rows: list[DayOfWork]) -> Total:
    """The sum of the rows."""
    money = [totals.amount_of_pay(_rate(row.project), row.spent.counts) for row in rows]
    return Total(totals.total(row.spent for row in rows), totals.pay_in_words(money))


def pieces(user: User, day: date, *, page: str) -> Page[dict[str, Any]]:
    """The pieces of work of a day with their time, in the order in which they were started."""
    spans = totals.spans_of(user, since=day, until=day).exclude(annotation=None)
    sums = spans.order_by().values("annotation").annotate(**totals.BY_KIND).order_by("annotation")
    shown: Page[Any] = Paginator(sums, PIECES).get_page(page)
    known = Annotation.with_trials.select_related("item__project").in_bulk([row["annotation"] for row in shown])
    shown.object_list = [_piece(known[row["annotation"]], totals.spent_of_row(row)) for row in shown]
    return shown


def beside_work(user: User, day: date) -> list[tuple[Project, Any, Spent]]:
    """The time of a day that belongs to no piece of work: the project, what it was spent on, how much."""
    found = totals.spent_beside_work(totals.spans_of(user, since=day, until=day))
    projects = Project.objects.in_bulk({project for project, _stage in found})
    rows = [(projects[project], BESIDE_WORK[stage], spent) for (project, stage), spent in found.items()]
    return sorted(rows, key=lambda row: alphabetical(row[0].title))


def _piece(annotation: Annotation, spent: Spent) -> dict[str, Any]:
    item = annotation.item
    caption = registry.get(item.project.protocol).caption(item.kind, item.payload)
    return {"caption": caption, "project": item.project, "spent": spent, "done": annotation.completed_at}


def worked_in(user: User) -> list[Project]:
    """The projects in which the person is an annotator or expert now, by title; not those that are archived."""
    rows = Project.objects.filter(
        archived_at=None, memberships__user=user, memberships__role__in=WORKERS, memberships__ended_at__isnull=True
    )
    return sorted(rows.distinct(), key=lambda project: alphabetical(project.title))


def amend(user: User, day: date, sent: Mapping[str, str], *, now: datetime) -> TimeAmendment:
    """Store the amendment that the form of a day posts; PayloadInvalid names the wrong field."""
    project = next((each for each in worked_in(user) if each.slug == sent.get("project", "")), None)
    if project is None:
        raise PayloadInvalid((Problem("project", "project", _("Choose a project that you work in.")),))
    text, sign = sent.get("minutes", "").strip(), {"add": 1, "take": -1}.get(sent.get("how", ""), 0)
    return totals.amend(
        project,
        by=user,
        day=day,
        minutes=sign * int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0,
        note=sent.get("note", ""),
        key=_key(sent.get("submission_key", "")),
        now=now,
    )


def _key(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.uuid4()


def rows_between(user: User, *, since: date, until: date) -> list[DayOfWork]:
    """What the person did in these days (UTC), both included, by project; the latest day first."""
    found = totals.by_day(user, since=since, until=until)
    projects = Project.objects.in_bulk({project for _day, project in found})
    rows = [
        DayOfWork(
            day, projects[key], spent, totals.pay_in_words([totals.amount_of_pay(_rate(projects[key]), spent.counts)])
        )
        for (day, key), spent in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.day.toordinal(), alphabetical(row.project.title)))


def _rate(project: Project) -> str:
    return projects.project_config(project).pay


def _rates(projects: set[Project]) -> list[tuple[str, str]]:
    """(title, rate) of the projects that state a rate."""
    paid = [(project.title, _rate(project)) for project in projects if _rate(project)]
    return sorted(paid, key=lambda row: alphabetical(row[0]))
