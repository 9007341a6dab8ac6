"""The list of a project's items: a page of those that a filter leaves, and what is said of each.

Only keys are sorted and filtered; what is shown is read for the items of the page. Every filter is one EXISTS with an
index below it, so that a page of 20,000 items with 300,000 annotations takes well under 300 ms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation import registry, search
from annotation.models import Annotation, Flag, Item, Project, Purpose, User
from annotation.releases.selection import known_items
from annotation.worktime.totals import bounds
from frontend.leads.items.filters import AT_WORK, ENDED, NO_QUEUE, SET_ASIDE, Filter, PlaceInList
from tasks.board import tallies
from tasks.engine import queues
from tasks.models import NO_DATA, Assignment, ItemSimilarity, Lease, Task
from tasks.models.states import AssignmentState, TaskState

PER_PAGE = 50
IN_A_TABLE = 500
"""Items whose rows are read at once for the table of all."""


@dataclass(frozen=True)
class ItemRow:
    """An item in the list. `wanted`: 0 if nobody is to work on it; `agreement`: None if it was not measured."""

    pk: int
    caption: str
    external_id: str
    split: str
    state: str
    finished: int
    wanted: int
    excluded: int
    reported: int
    agreement: float | None
    last: datetime | None


@dataclass(frozen=True)
class ItemsPage:
    """A page of the list: its rows, the first's number, how many items there are on all pages."""

    rows: list[ItemRow]
    first: int
    count: int
    previous: int | None
    next: int | None

    @property
    def last(self) -> int:
        """The number of the last row."""
        return self.first + len(self.rows) - 1

    @property
    def is_longer_than_a_page(self) -> bool:
        """Whether there are others than the rows of this page."""
        return self.count > len(self.rows)


def listed(project: Project, wanted: Filter) -> ItemsPage:
    """The page of the list that the filter asks for; the first one if that has no items."""
    found = matching(project, wanted)
    page = wanted.page
    keys = _keys(found, wanted, page)
    if not keys and page > 1:
        page, keys = 1, _keys(found, wanted, 1)
    return ItemsPage(
        rows=_rows(project, keys[:PER_PAGE], wanted),
        first=(page - 1) * PER_PAGE + 1,
        count=found.order_by().count(),
        previous=page - 1 if page > 1 else None,
        next=page + 1 if len(keys) > PER_PAGE else None,
    )


def all_rows(project: Project, wanted: Filter) -> Iterator[ItemRow]:
    """The rows of all pages, read little by little, of the items that the filter leaves at the first of them."""
    keys = list(_sorted(matching(project, wanted), wanted.sort).values_list("pk", flat=True))
    for start in range(0, len(keys), IN_A_TABLE):
        yield from _rows(project, keys[start : start + IN_A_TABLE], wanted)


def _keys(items: QuerySet[Item], wanted: Filter, page: int) -> list[int]:
    """The keys of the items of a page, and one more if there are further ones."""
    start = (page - 1) * PER_PAGE
    return list(_sorted(items, wanted.sort).values_list("pk", flat=True)[start : start + PER_PAGE + 1])


def surroundings(item: Item, place: PlaceInList | None) -> dict[str, Any]:
    """The place of an item in the list in which it was opened, if any, and keys and queries of those before and after.

    Where the item is no longer in the list, such as after a decision, the one that has moved up to its place is next.
    """
    if place is None:
        return {"place": None}
    first = max(1, place.at - 1)
    ordered = _sorted(matching(item.project, place.wanted), place.wanted.sort).values_list("pk", flat=True)
    keys = list(ordered[first - 1 : place.at + 1])
    own = keys.index(item.pk) if item.pk in keys else place.at - first
    after = own + 1 if item.pk in keys else own
    beside = {at: {"pk": key, "query": place.address(first + at)} for at, key in enumerate(keys)}
    return {"place": place, "previous": beside.get(own - 1), "following": beside.get(after)}


def matching(project: Project, wanted: Filter) -> QuerySet[Item]:
    """The items that the filter leaves, unordered: of the work, or of what is set aside."""
    every = set_aside_items(project) if wanted.is_set_aside else Item.objects.filter(queues.visible(), project=project)
    found = search.with_words(every, wanted.q)
    if wanted.split:
        found = found.filter(split=wanted.split)
    if wanted.exam:
        asked, known = wanted.exam.rpartition(".")[2], registry.get(project.protocol).activities
        found = found.filter(kind__in=[each.kind for each in known if each.key == asked])
    if wanted.state or wanted.queue or wanted.activity:
        found = found.filter(_in_state(project, wanted))
    if wanted.person or wanted.since or wanted.until or wanted.skipped or wanted.reported or wanted.excluded:
        found = found.filter(*_happened(wanted))
    return found


def set_aside_items(project: Project) -> QuerySet[Item]:
    """What is set aside for exams."""
    return Item.with_set_aside.filter(known_items(), project=project, set_aside_at__isnull=False)


def _in_state(project: Project, wanted: Filter) -> Q:
    """Those with a task of that activity, queue and state."""
    tasks = Task.objects.filter(item=OuterRef("pk")).exclude(queue__activity__in=NO_DATA)
    if wanted.activity:
        tasks = tasks.filter(activity=wanted.activity)
    if wanted.queue:
        tasks = tasks.filter(queue=int(wanted.queue))
    if wanted.is_set_aside:
        return Q(Exists(tasks)) if wanted.activity or wanted.queue else Q()
    if wanted.state == NO_QUEUE:
        return ~Q(Exists(tasks))
    if wanted.state == AT_WORK:
        return Q(Exists(tasks.filter(pk__in=_held(project).values("task"))))
    if wanted.state == ENDED:
        return Q(Exists(tasks.filter(state__in=tallies.ENDED)))
    return Q(Exists(tasks.filter(state=wanted.state) if wanted.state else tasks))


def _held(project: Project) -> QuerySet[Assignment]:
    activities = [each.key for each in registry.get(project.protocol).activities]
    leases = Lease.objects.filter(project=project, activity__in=activities, closed_at__isnull=True)
    return Assignment.objects.filter(state=AssignmentState.LEASED, lease__in=leases)


def _happened(wanted: Filter) -> Iterable[Q]:
    """That this person, if one is named, skipped, reported or finished it in this period.

    What was skipped, excluded or done by somebody is read once, through its own index, and not for each item.
    """
    person = User.objects.filter(worker_code=wanted.person).values("pk")[:1] if wanted.person else None
    by = {} if person is None else {"annotator": Subquery(person)}
    of = {} if person is None else {"author": Subquery(person)}
    if wanted.skipped:
        skipped = Assignment.objects.filter(state=AssignmentState.SKIPPED, **by, **_period(wanted, "closed_at"))
        yield Q(pk__in=skipped.values("task__item"))
    if wanted.reported:
        yield Q(pk__in=Flag.objects.filter(**of, **_period(wanted, "at")).values("item"))
    done = Annotation.objects.all()
    if wanted.excluded:
        excluded = done.filter(excluded_at__isnull=False, **of, **_period(wanted, "excluded_at"))
        yield Q(pk__in=excluded.values("item"))
    if wanted.skipped or wanted.reported or wanted.excluded:
        return
    period = _period(wanted, "completed_at")
    if person is None and period:
        yield Q(pk__in=done.filter(**period).values("item"))
    elif person is not None:
        yield Q(pk__in=done.filter(author=Subquery(person), **period).values("item")) | _held_by(person, period)


def _held_by(person: QuerySet[User, Any], period: dict[str, datetime]) -> Q:
    """What the person has held; in a period, what they finished together with others."""
    held = Assignment.objects.filter(annotator=Subquery(person), task__exhibit=None)
    if period:
        held = held.filter(annotation__author=None, **{f"annotation__{key}": value for key, value in period.items()})
    return Q(pk__in=held.values("task__item"))


def _period(wanted: Filter, column: str) -> dict[str, datetime]:
    begins = {f"{column}__gte": bounds(wanted.since)[0]} if wanted.since else {}
    return begins | ({f"{column}__lt": bounds(wanted.until)[1]} if wanted.until else {})


def _sorted(items: QuerySet[Item], sort: str) -> QuerySet[Item]:
    """In that order, which the key makes a total one; what has no value comes last."""
    down, name = sort.startswith("-"), sort.lstrip("-")
    if name in ("order", "id"):
        names = ("position", "pk") if name == "order" else ("external_id", "pk")
        return items.order_by(*(f"-{each}" if down else each for each in names))
    by = F("sorted_by").desc(nulls_last=True) if down else F("sorted_by").asc(nulls_last=True)
    return items.annotate(sorted_by=_value_of(name)).order_by(by, "position", "pk")


def _value_of(name: str) -> Any:
    """What the items are sorted by: a correlated subquery that an index covers."""
    done = Annotation.objects.filter(item=OuterRef("pk"), completed_at__isnull=False).order_by()
    if name == "finished":
        return Subquery(done.values("item").annotate(last=Max("completed_at")).values("last"))
    if name == "annotations":
        counting = done.filter(excluded_at__isnull=True).exclude(purpose=Purpose.REFERENCE)
        return Coalesce(Subquery(counting.values("item").annotate(n=Count("pk")).values("n")), 0)
    similarity = ItemSimilarity.objects.filter(item=OuterRef("pk")).order_by("value")
    return Subquery(similarity.values("value")[:1])


def _rows(project: Project, keys: list[int], wanted: Filter) -> list[ItemRow]:
    """What is said of each item; the number of queries does not depend on how many there are."""
    items = Item.with_set_aside.only("kind", "payload", "external_id", "split", "set_aside_at").in_bulk(keys)
    protocol = registry.get(project.protocol)
    done = _finished(keys)
    reported = Counter(Flag.objects.filter(item__in=keys, settled_at=None).values_list("item", flat=True))
    alike = dict(ItemSimilarity.objects.filter(item__in=keys).order_by("-value").values_list("item", "value"))
    tasks = _tasks(project, keys, wanted)
    return [
        ItemRow(
            pk=key,
            caption=protocol.caption(items[key].kind, items[key].payload),
            external_id=items[key].external_id,
            split=items[key].split,
            state=SET_ASIDE if items[key].set_aside_at else tasks[key]["state"] if key in tasks else "",
            finished=done.get(key, {}).get("counting", 0),
            wanted=_wanted(tasks.get(key), done.get(key, {}).get("counting", 0), project),
            excluded=done.get(key, {}).get("left_out", 0),
            reported=reported[key],
            agreement=alike.get(key),
            last=done.get(key, {}).get("last"),
        )
        for key in keys
    ]


def _finished(keys: list[int]) -> dict[int, dict[str, Any]]:
    """By item: how many finished annotations count, how many are excluded, and when the last one was finished."""
    rows = Annotation.objects.filter(item__in=keys, completed_at__isnull=False).order_by().values("item")
    counting = Q(excluded_at__isnull=True) & ~Q(purpose=Purpose.REFERENCE)
    found = rows.annotate(
        counting=Count("pk", filter=counting),
        left_out=Count("pk", filter=Q(excluded_at__isnull=False)),
        last=Max("completed_at"),
    )
    return {row["item"]: dict(row) for row in found}


def _tasks(project: Project, keys: list[int], wanted: Filter) -> dict[int, dict[str, Any]]:
    """By item, its first task, of the activity and queue that the filter names."""
    rows = Task.objects.filter(item__in=keys).exclude(queue__activity__in=NO_DATA)
    if wanted.activity or wanted.queue:
        rows = rows.filter(**({"activity": wanted.activity} if wanted.activity else {}))
        rows = rows.filter(**({"queue": int(wanted.queue)} if wanted.queue else {}))
    else:
        rows = rows.exclude(activity__in=registry.get(project.protocol).substitutes)
    return {row["item"]: dict(row) for row in rows.order_by("-pk").values("item", "state", "slots", "activity")}


def _wanted(task: dict[str, Any] | None, finished: int, project: Project) -> int:
    """How many annotations are wanted; 0 if the task was done from the start, since nobody is to work on it."""
    if task is None:
        return 0
    seats = len(registry.get(project.protocol).activity(task["activity"]).seats)
    slots = (task["slots"] or 0) // seats
    return 0 if task["state"] == TaskState.DONE and finished < slots else slots


HEADER = (
    "item", "id", "text", "split", "state", "annotations", "wanted", "excluded", "reported", "agreement",
    "last_finished",
)  # fmt: skip
"""`item` is the number in the address of its page, `id` the one of its file; times are in UTC."""


def table_rows(project: Project, wanted: Filter) -> Iterator[Sequence[Any]]:
    """The names of the columns, then a row for each item, read while the rows before it are sent."""
    yield HEADER
    for row in all_rows(project, wanted):
        last = row.last.isoformat(timespec="seconds") if row.last else ""
        agreement = "" if row.agreement is None else round(row.agreement, 4)
        yield (
            row.pk, row.external_id, row.caption, row.split, row.state, row.finished, row.wanted, row.excluded,
            row.reported, agreement, last,
        )  # fmt: skip
