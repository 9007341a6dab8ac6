"""Disputes as experts see them: which are open, which are decided, and one of them with its answers side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext

from annotation import events, membership, registry
from annotation.documents.words import alphabetical
from annotation.models import Adjudication, Event, Item, Membership, Project, Role, User
from annotation.protocol import Activity
from frontend.experts.asked import reasons_of
from frontend.experts.sides import Sides, sides_of
from frontend.leads.items.overview import prompt_of
from tasks.corrections import more_annotations
from tasks.disputes import deciding, references, who
from tasks.models import NO_DATA, ItemSimilarity, Task
from tasks.models.states import AssignmentState, TaskState

PER_PAGE = 50
OPENED = f"task.{TaskState.DISPUTED}"
"""The kind of the event by which a task becomes disputed."""
AGES = (OPENED, f"task.{TaskState.DONE}", more_annotations.ASKED, more_annotations.UNASKED)
"""The kinds of the events by which the age of a dispute is known."""


@dataclass(frozen=True)
class DisputeDecision:
    """The decision that counts: for which side ("" if it is not shown any more), by whom, when and why."""

    letter: str
    by: str
    at: datetime
    reason: str
    why_not_undo: str


@dataclass(frozen=True)
class DisputePage:
    """A dispute: its answers, what this person may do, and what was decided. `history`: what was taken back.

    `own`: the state of the person's own answer: "" (none), "begun" or "finished". `consented`: they have accepted what
    is kept about people's work, without which they can't write one. `why_not_more`: why no more annotations can be
    asked for; `asked`: why they were asked for before, in the words of whoever did.
    """

    sides: Sides
    least: float | None
    why_not: str
    can_write: bool
    own: str
    consented: bool
    why_not_more: str
    asked: list[str]
    decided: DisputeDecision | None
    history: list[dict[str, Any]]


def listed(user: User, project: Project, *, decided: bool, page: str, now: datetime) -> Page[Task]:
    """A page of disputes that the person sees, least agreement first: each task with `prompt`, `title`, `agreed`.

    Open ones have `open_for`, too: seconds.
    """
    shown: Page[Any] = Paginator(seen_by(user, project, decided=decided), PER_PAGE).get_page(page)
    shown.object_list = described(project, list(shown.object_list), decided=decided, now=now)
    return shown


def seen_by(user: User, project: Project, *, decided: bool) -> QuerySet[Task]:
    """The open or the decided disputes that the person sees, least agreement (`agreed`) first."""
    rows = _decided_in(project) if decided else deciding.disputes_of(project)
    return _visible(user, project, rows).select_related("item__project")


def described(project: Project, rows: Sequence[Any], *, decided: bool, now: datetime) -> Sequence[Any]:
    """The same tasks with their `prompt`, `title` and `open_for`, as `listed` has them."""
    protocol = registry.get(project.protocol)
    since = {} if decided else open_since(rows)
    for row in rows:
        row.prompt, row.title = prompt_of(row.item), gettext(protocol.activity(row.activity).title)
        row.open_for = (now - since[row.pk]).total_seconds() if row.pk in since else None
    return rows


def open_since(rows: Sequence[Task]) -> dict[int, datetime]:
    """When each of these tasks became disputed, for the last time.

    More annotations that were asked for and taken back change nothing: the dispute is still the one it was before.
    """
    names = {events.name(row): row.pk for row in rows}
    found = Event.objects.filter(subject__in=names, kind__in=AGES).order_by("pk")
    told: dict[str, list[Event]] = {name: [] for name in names}
    for event in found:
        told[event.subject].append(event)
    since = {names[name]: _since(history) for name, history in told.items()}
    return {pk: at for pk, at in since.items() if at is not None}


def _since(history: Sequence[Event]) -> datetime | None:
    since, goes_on = None, False
    asked: list[tuple[Event, datetime | None]] = []
    for event in history:
        if event.kind == OPENED:
            since, goes_on = since if goes_on and since else event.at, False
        elif event.kind == more_annotations.ASKED:
            asked.append((event, since))
        elif event.kind == more_annotations.UNASKED and asked:
            before, since = asked.pop()
            goes_on = before.data["state"] == TaskState.DISPUTED
        else:
            goes_on = False
    return since


def _decided_in(project: Project) -> QuerySet[Task]:
    decisions = Adjudication.objects.filter(taken_back_at__isnull=True, item__project=project)
    rows = Task.objects.filter(queue__project=project, state=TaskState.DONE, item__in=decisions.values("item"))
    return rows.exclude(queue__activity__in=NO_DATA)


def _visible(user: User, project: Project, rows: QuerySet[Task]) -> QuerySet[Task]:
    items = who.visible_to(user, project, Item.objects.filter(project=project))
    measured = ItemSimilarity.objects.filter(item=OuterRef("item"), activity=OuterRef("activity"))
    rows = rows.filter(item__in=items.values("pk")).annotate(agreed=Subquery(measured.values("value")[:1]))
    return rows.order_by(F("agreed").asc(nulls_last=True), "pk")


def of_activity(user: User, task: Task) -> QuerySet[Any]:
    """The open disputes of the task's activity that the person sees, the least agreement first, each with `agreed`."""
    rows = deciding.disputes_of(task.item.project).filter(activity=task.activity)
    return _visible(user, task.item.project, rows)


def next_after(user: User, task: Task) -> int | None:
    """The item of the dispute to decide next: the first that is open, in whatever order they are now."""
    return of_activity(user, task).exclude(item=task.item_id).values_list("item", flat=True).first()


def dispute_page(task: Task, activity: Activity, *, by: User, leads: bool, names: bool = False) -> DisputePage:
    """A dispute as this person sees it; only leads read who has decided, and whose answers these are."""
    found = sides_of(task.item, activity, by=by, names=names, references=deciding.references_of(task))
    mine = references.own(task, by)
    written = mine.annotation.uuid if mine is not None else None
    own = "" if mine is None else "begun" if mine.state == AssignmentState.LEASED else "finished"
    row = Adjudication.standing(task.item, task.activity, task.round)
    return DisputePage(
        sides=replace(found, sides=tuple(replace(side, mine=written in side.uuids) for side in found.sides)),
        least=task.queue.least_agreement,
        why_not=gettext(deciding.why_not_decide(task, by) or ""),
        can_write=references.can_be_written(activity),
        own=own,
        consented=membership.has_consented(by, task.item.project),
        why_not_more=gettext(more_annotations.why_not_more(task) or ""),
        asked=reasons_of(task),
        decided=_decided(row, task, found, by, leads=leads) if row else None,
        history=_history(task, leads=leads),
    )


def _decided(row: Adjudication, task: Task, sides: Sides, by: User, *, leads: bool) -> DisputeDecision:
    side = sides.side_of(row.annotation.uuid)
    refused = deciding.why_not_take_back(task, row, by)
    name = row.by.username if leads or row.by_id == by.pk else ""
    return DisputeDecision(side.letter if side else "", name, row.at, row.reason, gettext(refused or ""))


def _history(task: Task, *, leads: bool) -> list[dict[str, Any]]:
    """The decisions that were taken back, oldest first."""
    gone = Adjudication.objects.filter(item=task.item, activity=task.activity, taken_back_at__isnull=False)
    rows = {events.name(row): row for row in gone}
    back = Event.objects.filter(subject__in=rows, kind="adjudication.taken_back").order_by("pk")
    names = dict(User.objects.filter(pk__in=[event.by for event in back]).values_list("pk", "username"))
    return [
        {
            "reason": rows[event.subject].reason,
            "back_by": names.get(event.by or 0, "") if leads else "",
            "back_at": event.at,
            "why": event.data["reason"],
        }
        for event in back
    ]


BEFORE, SHOWN = 3, 12
"""How many disputes before the current one are listed at most, and how many in all."""


@dataclass(frozen=True)
class Entry:
    """A dispute in the rail. `agreed`: None if it has to be measured again; `open_for`: seconds; `here`: it is the one
    that is shown."""

    item: int
    prompt: str
    agreed: float | None
    open_for: float | None
    here: bool


@dataclass(frozen=True)
class Rail:
    """Where the dispute is among those that are open (None: it is not open), its neighbours, and what is listed."""

    number: int | None
    total: int
    before: int | None
    after: int | None
    entries: tuple[Entry, ...]

    @property
    def more(self) -> int:
        """How many are not listed."""
        return self.total - len(self.entries)


def rail_of(user: User, task: Task, *, now: datetime) -> Rail:
    """The open disputes of the same activity that the person sees; a decided one leads on to the first.

    All of them are read, with two columns: to count those before it would compare as many, several times.
    """
    rows = list(of_activity(user, task).values_list("pk", "agreed"))
    place = next((number for number, (pk, _agreed) in enumerate(rows) if pk == task.pk), None)
    first = max(0, place - BEFORE) if place is not None else 0
    listed = rows[first : first + SHOWN]
    found = Task.objects.select_related("item__project").in_bulk([pk for pk, _agreed in listed])
    entries = tuple(_entries([(found[pk], agreed) for pk, agreed in listed if pk in found], task, now))
    here = place - first if place is not None else -1
    return Rail(
        number=place + 1 if place is not None else None,
        total=len(rows),
        before=entries[here - 1].item if here > 0 else None,
        after=entries[here + 1].item if here + 1 < len(entries) else None,
        entries=entries,
    )


def _entries(rows: Sequence[tuple[Task, float | None]], task: Task, now: datetime) -> Iterable[Entry]:
    since = open_since([row for row, _agreed in rows])
    for row, agreed in rows:
        open_for = (now - since[row.pk]).total_seconds() if row.pk in since else None
        yield Entry(row.item_id, prompt_of(row.item), agreed, open_for, row.pk == task.pk)


@dataclass(frozen=True)
class DecidingProject:
    """A project in which the person may decide disputes."""

    title: str
    slug: str


def decided_by(user: User) -> list[DecidingProject]:
    """The projects in which the person is an expert and no lead, by title; leads find disputes on their own pages."""
    mine = Membership.objects.filter(user=user, ended_at__isnull=True)
    rows = Project.objects.filter(archived_at=None, memberships__in=mine.filter(role=Role.EXPERT))
    rows = rows.exclude(memberships__in=mine.filter(role=Role.LEAD))
    by_title = sorted(rows, key=lambda row: alphabetical(row.title))
    return [DecidingProject(row.title, row.slug) for row in by_title]
