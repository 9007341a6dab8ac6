"""What the address of the list of items asks for. Only these names and values are read; everything else is ignored.

What the filters offer, and those that are set, in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import registry
from annotation.models import Item, Project
from frontend.leads.estimates import day
from frontend.requests import printable
from tasks.engine import queues
from tasks.models import NO_DATA
from tasks.models.states import TaskState

NO_QUEUE, AT_WORK, ENDED, SET_ASIDE = "none", "at_work", "ended", "set_aside"
STATES: dict[str, Any] = {
    TaskState.OPEN: _("open"),
    AT_WORK: _("somebody is at work"),
    TaskState.FULL: _("in progress, no place free"),
    ENDED: _("done, disputed or not"),
    TaskState.DONE: _("done"),
    TaskState.DISPUTED: _("disputed"),
    TaskState.FROZEN: _("frozen"),
    TaskState.CANCELLED: _("withdrawn"),
    NO_QUEUE: _("in no queue"),
    SET_ASIDE: _("set aside for an exam"),
}
SORTS: dict[str, Any] = {
    "order": _("Order of import"),
    "-order": _("Last imported first"),
    "id": _("Id"),
    "-finished": _("Lately finished first"),
    "finished": _("Longest unchanged first"),
    "-annotations": _("Most annotations first"),
    "annotations": _("Fewest annotations first"),
    "agreement": _("Lowest agreement first"),
    "-agreement": _("Highest agreement first"),
}
YES = "1"
LAST_PAGE = 1_000_000


@dataclass(frozen=True)
class Filter:
    """Which items are listed, in which order; "" and False leave out nothing.

    `since` and `until` are days, both included: when somebody finished, or with `skipped`, `reported` and `excluded`
    when that happened. `person` is a worker code, `queue` a key. `exam`: for what place in a course the list is looked
    through; only items that can be asked there are listed.
    """

    q: str = ""
    split: str = ""
    state: str = ""
    activity: str = ""
    queue: str = ""
    person: str = ""
    since: date | None = None
    until: date | None = None
    skipped: bool = False
    reported: bool = False
    excluded: bool = False
    exam: str = ""
    sort: str = "order"
    page: int = 1

    @property
    def is_set_aside(self) -> bool:
        """Whether it lists what is set aside, instead of what is in the work."""
        return self.state == SET_ASIDE

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves out any item."""
        return replace(self, exam="", sort="order", page=1) != Filter()

    def address(self, **changed: Any) -> str:
        """The query of the address of this list, with some values changed; page 1 unless another one is given."""
        return _address(replace(self, **({"page": 1} | changed)))

    def without(self, *names: str) -> str:
        """The query of the list without these filters."""
        return self.address(**{each.name: each.default for each in fields(self) if each.name in names})


def _address(wanted: Filter) -> str:
    values = {each.name: getattr(wanted, each.name) for each in fields(wanted)}
    said = {each.name: values[each.name] for each in fields(wanted) if values[each.name] != each.default}
    return urlencode({name: YES if value is True else value for name, value in said.items()})


def filter_of(query: Mapping[str, str]) -> Filter:
    """The filter that the query of an address says. What it doesn't know, or can't read, counts as not said."""
    said = {name: printable(query.get(name, "")) for name in NAMES}
    return Filter(
        q=said["q"],
        split=said["split"],
        state=said["state"] if said["state"] in STATES else "",
        activity=said["activity"],
        queue=said["queue"] if said["queue"].isascii() and said["queue"].isdigit() and len(said["queue"]) < 16 else "",
        person=said["person"],
        since=_day(said["since"]),
        until=_day(said["until"]),
        skipped=said["skipped"] == YES,
        reported=said["reported"] == YES,
        excluded=said["excluded"] == YES,
        exam=said["exam"] if said["exam"].count(".") == 2 else "",
        sort=said["sort"] if said["sort"] in SORTS else "order",
        page=_page(said["page"]),
    )


@dataclass(frozen=True)
class PlaceInList:
    """Where in a list, from 1, somebody stood who opened an item."""

    wanted: Filter
    at: int

    def address(self, at: int) -> str:
        """The query of the address of the item at another place."""
        return "&".join(filter(None, (self.wanted.address(), urlencode({"at": at}))))

    @property
    def here(self) -> str:
        """The same for this place."""
        return self.address(self.at)


def place_in_list(query: Mapping[str, str]) -> PlaceInList | None:
    """The place that the query of an item's address says; None if it says none."""
    at = query.get("at", "")
    return PlaceInList(filter_of(query), _page(at)) if at.isascii() and at.isdigit() and at.strip("0") else None


NAMES = tuple(each.name for each in fields(Filter))


def _day(value: str) -> date | None:
    try:
        found = date.fromisoformat(value)
    except ValueError:
        return None
    return found if date.min < found < date.max else None


def _page(value: str) -> int:
    return max(1, min(LAST_PAGE, int(value))) if value.isascii() and value.isdigit() else 1


BEHIND_MORE = ("activity", "queue", "person", "since", "until", "skipped", "reported", "excluded")
"""The filters that are seldom used."""


@dataclass(frozen=True)
class Chip:
    """A filter that is set, and the query of the list without it."""

    text: str
    without: str


def filter_choices(project: Project, wanted: Filter) -> dict[str, Any]:
    """The choices of each field: (value, title) pairs; `more`: whether one of the fields behind "more" is set."""
    found = Item.objects.filter(queues.visible(), project=project).order_by().values_list("split", flat=True).distinct()
    return {
        "splits": sorted(found),
        "states": list(STATES.items()),
        "activities": _activities(project),
        "queues": _queues(project),
        "sorts": list(SORTS.items()),
        "more": any(getattr(wanted, name) for name in BEHIND_MORE),
    }


def _activities(project: Project) -> list[tuple[str, str]]:
    return [(each.key, gettext(each.title)) for each in registry.get(project.protocol).activities]


def _queues(project: Project) -> list[tuple[str, str]]:
    titles = dict(_activities(project))
    rows = project.queues.exclude(activity__in=NO_DATA).order_by("pk")
    return [(str(row.pk), f"{titles.get(row.activity, row.activity)} · {row.name}") for row in rows]


def chips(project: Project, wanted: Filter) -> list[Chip]:
    """The filters that are set, each with the list without it."""
    activities, named = dict(_activities(project)), dict(_queues(project))
    said = {
        "q": gettext("“%(words)s”") % {"words": wanted.q},
        "split": wanted.split,
        "state": str(STATES.get(wanted.state, "")),
        "activity": activities.get(wanted.activity, wanted.activity),
        "queue": named.get(wanted.queue, wanted.queue),
        "person": wanted.person,
        "since": gettext("from %(day)s") % {"day": day(wanted.since, year=True)} if wanted.since else "",
        "until": gettext("until %(day)s") % {"day": day(wanted.until, year=True)} if wanted.until else "",
        "skipped": gettext("skipped"),
        "reported": gettext("reported"),
        "excluded": gettext("with an exclusion"),
    }
    return [Chip(text, wanted.without(name)) for name, text in said.items() if getattr(wanted, name)]
