"""The open disputes around the one that is shown: its number, its neighbours, how little each agrees, since when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from annotation.models import User
from frontend.experts import disputes
from frontend.leads.overview import prompt_of
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
    """The open disputes of the same activity that the person sees; a decided one leads on to the first."""
    rows = disputes.of_activity(user, task)
    mine = rows.filter(pk=task.pk).first()
    if mine is None:
        first = list(rows.select_related("item__project")[:SHOWN])
        return Rail(None, rows.count(), None, first[0].item_id if first else None, tuple(_entries(first, task, now)))
    earlier, later = _beside(mine)
    before, after = rows.filter(earlier), rows.filter(later)
    near = list(before.reverse().select_related("item__project")[:BEFORE])[::-1]
    following = list(after.select_related("item__project")[: SHOWN - 1 - len(near)])
    mine.item = task.item
    number = before.count() + 1
    return Rail(
        number=number,
        total=number + after.count(),
        before=near[-1].item_id if near else None,
        after=following[0].item_id if following else None,
        entries=tuple(_entries([*near, mine, *following], task, now)),
    )


def _beside(mine: Task) -> tuple[Q, Q]:
    """What comes before and after it: the least agreement first, what is not measured last."""
    agreed = mine.agreed  # type: ignore[attr-defined]  # annotated by `disputes.of_activity`
    if agreed is None:
        return Q(agreed__isnull=False) | Q(pk__lt=mine.pk), Q(agreed__isnull=True, pk__gt=mine.pk)
    less, more = Q(agreed__lt=agreed), Q(agreed__gt=agreed) | Q(agreed__isnull=True)
    return less | Q(agreed=agreed, pk__lt=mine.pk), more | Q(agreed=agreed, pk__gt=mine.pk)


def _entries(rows: Sequence[Task], task: Task, now: datetime) -> Iterable[Entry]:
    since = disputes.open_since(rows)
    for row in rows:
        agreed = row.agreed  # type: ignore[attr-defined]
        open_for = (now - since[row.pk]).total_seconds() if row.pk in since else None
        yield Entry(row.item_id, prompt_of(row.item), agreed, open_for, row.pk == task.pk)
