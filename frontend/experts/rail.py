"""The open disputes around the one that is shown: its number, its neighbours, how little each agrees, since when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.models import User
from frontend.experts import disputes
from frontend.leads.items.overview import prompt_of
from tasks.models import Task

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
    rows = list(disputes.of_activity(user, task).values_list("pk", "agreed"))
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
    since = disputes.open_since([row for row, _agreed in rows])
    for row, agreed in rows:
        open_for = (now - since[row.pk]).total_seconds() if row.pk in since else None
        yield Entry(row.item_id, prompt_of(row.item), agreed, open_for, row.pk == task.pk)
