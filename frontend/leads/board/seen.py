"""What a page has seen of a board, and whether the board can show anything else by now, without computing it.

What a board shows follows from the record, from what jobs have counted and measured, and from what people hold. The
record is asked whether anything came after the marks of the daily counts (`CountMark`): before those, everything is
counted. The rest is few rows, which are read whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from django.db.models import Count, Max

from annotation.models import Agreement, Event, TimeAmendment, TimeSpan
from frontend.leads.board.numbers import BoardNumbers
from frontend.leads.board.tables import held
from tasks.models import BoardFigures, CountMark, Figures
from tasks.models.states import QueueState


@dataclass(frozen=True)
class SeenBoard:
    """Hashes of what the page shows and of the rows that it follows from, and the last event and span counted then."""

    content: str
    rows: str
    events: int
    spans: int

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """From what a page sends back; None if it is nothing of the kind."""
        shown, *rest = text.split(".")
        if len(rest) != 3 or not all(each.isascii() and each.isdigit() and len(each) < 19 for each in rest[1:]):
            return None
        return cls(shown, rest[0], int(rest[1]), int(rest[2]))

    def __str__(self) -> str:
        return f"{self.content}.{self.rows}.{self.events}.{self.spans}"


def before(numbers: BoardNumbers) -> SeenBoard:
    """What a board that is computed next follows from; what it shows is still to be filled in."""
    events, spans = CountMark.objects.values_list("events", "spans").first() or (0, 0)
    return SeenBoard("", hashed(tuple(_rows(numbers))), events, spans)


def is_current(seen: SeenBoard, numbers: BoardNumbers) -> bool:
    """Whether a page that has seen this shows what the board would show now; if in doubt, False."""
    if any(queue.state == QueueState.OPEN and queue.filled_at is None for queue in numbers.queues):
        return False  # its tasks are being made, which is no event
    project = numbers.project.pk
    return (
        not Event.objects.filter(project_id=project, pk__gt=seen.events).exists()
        and not TimeSpan.objects.filter(project_id=project, pk__gt=seen.spans).exists()
        and seen.rows == hashed(tuple(_rows(numbers)))
    )


def hashed(value: Any) -> str:
    """A short hash of something by its representation."""
    return sha256(repr(value).encode()).hexdigest()[:16]


def _rows(numbers: BoardNumbers) -> Iterator[Any]:
    """What changes without an event: the day, leases, queues being filled, what jobs have measured, imports."""
    project = numbers.project
    yield numbers.today, numbers.at_work, held(numbers)
    yield [(queue.pk, queue.filled_at) for queue in numbers.queues]
    yield list(BoardFigures.objects.filter(project=project).values_list("measured_at", "up_to"))
    yield list(Figures.objects.filter(project=project).values_list("measured_at", "up_to"))
    yield list(Agreement.objects.filter(project=project).order_by("pk").values_list("measured_at", "whole_at"))
    yield list(project.jobs.order_by("state").values_list("state").annotate(Count("pk"), Max("pk")))
    yield TimeAmendment.objects.filter(project=project).aggregate(Max("pk"))
