"""Reports about items, and explanations for skipping many in a row, for the lead."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NotRequired, TypedDict
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import registry
from annotation.models import Event, Flag, Item, Project, User, items_in_work
from annotation.models.case import FlagReason
from frontend.leads.items.overview import prompt_of
from tasks.items import reports
from tasks.models import Task
from tasks.models.states import TaskState

SHOWN = 20
PER_PAGE = 25
NOT_SHOWN = "not_shown"
"""The reason of items that nobody has reported, but the site could not show."""


@dataclass(frozen=True)
class ReportsQuery:
    """Which reports the address asks for: a reason, and a stage as `activity.stage`; "" leaves out nothing."""

    reason: str = ""
    stage: str = ""

    @classmethod
    def from_query(cls, project: Project, query: Mapping[str, str]) -> ReportsQuery:
        """What the project doesn't know counts as not said."""
        reason, stage = query.get("reason", ""), query.get("stage", "")
        return cls(reason if reason in _reasons() else "", stage if stage in _stages(project) else "")

    def address(self, **changed: str) -> str:
        """The query of the address, with some of it changed."""
        said = {"reason": self.reason, "stage": self.stage} | changed
        return "?" + urlencode({name: value for name, value in said.items() if value})


@dataclass(frozen=True)
class ReportFilterChoice:
    """A reason or a stage, how many items are reported for it, and the address that shows them."""

    title: str
    n: int
    address: str
    current: bool


@dataclass(frozen=True)
class ReportsPage:
    """A page of reported items, and the reasons and stages by which they can be chosen, each with its number."""

    page: Page[dict[str, Any]]
    reasons: list[ReportFilterChoice]
    stages: list[ReportFilterChoice]


def listed(project: Project, wanted: ReportsQuery, *, page: str) -> ReportsPage:
    """The items with open reports that the address asks for, most reported first, then those that can't be shown.

    The numbers beside reasons are those within the chosen stage, and the other way round.
    """
    shown: Page[Any] = Paginator(_items(project, wanted), PER_PAGE).get_page(page)
    shown.object_list = _rows(project, list(shown))
    return ReportsPage(shown, _by_reason(project, wanted), _by_stage(project, wanted))


class ReportedItem(TypedDict):
    """Of an item its reasons, the stages at which people reported it, how many they are, and whether it is frozen."""

    item: int
    prompt: str
    reasons: list[str]
    stages: list[str]
    people: int
    frozen: bool


class ReportOnItem(TypedDict):
    """A report, under a worker code; that of the site, which could not show the item, has `who` "" and no stage."""

    who: str
    reason: str
    stage: NotRequired[str]
    text: str
    at: datetime
    settled_at: datetime | None


class SkipExplanation(TypedDict):
    """What somebody said was wrong."""

    who: str
    text: str
    at: datetime


def reported_items(project: Project) -> list[ReportedItem]:
    """The first of the items with open reports, as `listed` has them."""
    return _rows(project, _items(project, ReportsQuery())[:SHOWN])


def count(project: Project) -> int:
    """How many items have open reports, or can't be shown."""
    return _open(project, ReportsQuery()).values("item").distinct().count() + _held_back(project).count()


def _reasons() -> dict[str, Any]:
    return {**dict(FlagReason.choices), NOT_SHOWN: gettext_lazy("It can't be shown")}


def _stages(project: Project) -> dict[str, str]:
    """Titles by `activity.stage`; that of the activity comes first, if there are several."""
    activities = registry.get(project.protocol).activities
    return {
        f"{activity.key}.{stage.key}": f"{_(activity.title)}: {_(stage.title)}"
        if len(activities) > 1
        else _(stage.title)
        for activity in activities
        for stage in activity.stages
    }


def _open(project: Project, wanted: ReportsQuery) -> QuerySet[Flag]:
    """The open reports that the address asks for."""
    found = Flag.objects.filter(items_in_work("item__"), item__project=project, settled_at=None)
    if wanted.reason:
        found = found.filter(reason=wanted.reason)
    if wanted.stage:
        activity, _dot, stage = wanted.stage.partition(".")
        found = found.filter(activity=activity, stage=stage)
    return found


def _held_back(project: Project) -> QuerySet[Task, int]:
    """Keys of items."""
    return reports.held_back(project).order_by("item").values_list("item", flat=True).distinct()


def _items(project: Project, wanted: ReportsQuery) -> list[int]:
    """Keys of items; those that can't be shown were reported at no stage."""
    most = _open(project, wanted).values("item").annotate(people=Count("author")).order_by("-people", "item")
    held = _held_back(project) if wanted.reason in ("", NOT_SHOWN) and not wanted.stage else ()
    return [*most.values_list("item", flat=True), *held]


def _rows(project: Project, keys: list[int]) -> list[ReportedItem]:
    items = Item.with_set_aside.select_related("project").in_bulk(keys)
    frozen = set(Task.objects.filter(item__in=keys, state=TaskState.FROZEN).values_list("item", flat=True))
    flags: defaultdict[int, list[Flag]] = defaultdict(list)
    for flag in Flag.objects.filter(item__in=keys, settled_at=None).order_by("at"):
        flags[flag.item_id].append(flag)
    titles = _stages(project)
    return [
        {
            "item": key,
            "prompt": prompt_of(items[key]),
            "reasons": sorted({flag.get_reason_display() for flag in flags[key]}) or [str(_reasons()[NOT_SHOWN])],
            "stages": [title for at, title in titles.items() if at in {_stage(flag) for flag in flags[key]}],
            "people": len(flags[key]),
            "frozen": key in frozen,
        }
        for key in keys
    ]


def _stage(flag: Flag) -> str:
    return f"{flag.activity}.{flag.stage}"


def _by_reason(project: Project, wanted: ReportsQuery) -> list[ReportFilterChoice]:
    within = replace(wanted, reason="")
    rows = _open(project, within).order_by().values("reason").annotate(n=Count("item", distinct=True))
    counts = dict(rows.values_list("reason", "n"))
    if not wanted.stage:
        counts[NOT_SHOWN] = _held_back(project).count()
    every = ReportFilterChoice(_("All reasons"), len(_items(project, within)), within.address(), not wanted.reason)
    return [every, *_choices(_reasons(), counts, wanted, "reason")]


def _by_stage(project: Project, wanted: ReportsQuery) -> list[ReportFilterChoice]:
    within = replace(wanted, stage="")
    rows = _open(project, within).order_by().values("activity", "stage").annotate(n=Count("item", distinct=True))
    counts = {f"{row['activity']}.{row['stage']}": row["n"] for row in rows}
    every = ReportFilterChoice(_("All stages"), len(_items(project, within)), within.address(), not wanted.stage)
    return [every, *_choices(_stages(project), counts, wanted, "stage")]


def _choices(
    titles: Mapping[str, Any], counts: Mapping[str, int], wanted: ReportsQuery, name: str
) -> Iterator[ReportFilterChoice]:
    """Those that occur, and the one that is chosen."""
    chosen = getattr(wanted, name)
    for key, title in titles.items():
        if counts.get(key) or key == chosen:
            yield ReportFilterChoice(str(title), counts.get(key, 0), wanted.address(**{name: key}), key == chosen)


def reports_on(item: Item) -> list[ReportOnItem]:
    """Every report about an item, newest first, under worker codes; before them, that the site could not show it."""
    stages = _stages(item.project)
    found: list[ReportOnItem] = [
        {
            "who": flag.author.worker_code,
            "reason": flag.get_reason_display(),
            "stage": stages.get(_stage(flag), ""),
            "text": flag.text,
            "at": flag.at,
            "settled_at": flag.settled_at,
        }
        for flag in item.flags.select_related("author").order_by("-at")
    ]
    if event := reports.why_held_back(item):
        reason, text = str(_reasons()[NOT_SHOWN]), event.data["reason"]
        found.insert(0, {"who": "", "at": event.at, "settled_at": None, "reason": reason, "text": text})
    return found


def report_state(item: Item) -> dict[str, bool]:
    """Whether the item is frozen, and whether there is something to unfreeze or settle."""
    states = set(item.tasks.values_list("state", flat=True))
    reported = item.flags.filter(settled_at=None).exists()
    return {
        "frozen": TaskState.FROZEN in states,
        "can_unfreeze": reported or TaskState.FROZEN in states,
    }


def skip_explanations(project: Project) -> list[SkipExplanation]:
    """What people said was wrong after skipping many in a row, newest first."""
    said = list(Event.objects.filter(kind="skips.explained", project_id=project.pk).order_by("-pk")[:SHOWN])
    people = {event.by for event in said if event.by}
    codes: dict[int | None, str] = dict(User.objects.filter(pk__in=people).values_list("pk", "worker_code"))
    return [{"who": codes[event.by], "text": event.data["text"], "at": event.at} for event in said]
