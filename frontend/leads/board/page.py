"""Everything that the board of a project shows, of the part that its address asks for; whether a page shows it still.

What a board shows follows from the record, from what jobs have counted and measured, and from what people hold. The
record is asked whether anything came after the marks of the daily counts (`CountMark`): before those, everything is
counted. The rest is few rows, which are read whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Self

from django.db.models import Count, Max
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import Agreement, Event, Project, TimeAmendment, TimeSpan
from frontend.leads import figures
from frontend.leads.board import needs as all_needs
from frontend.leads.board import pay, progress, quality
from frontend.leads.board.asked import BoardQuery
from frontend.leads.board.numbers import BoardNumbers, Card, PersonRow
from frontend.leads.board.tables import HeldRow, PartRow, held, parts
from frontend.leads.estimates import whole_number_in_words
from frontend.leads.plots.rows import PlotRow
from tasks.models import BoardFigures, CountMark, Figures
from tasks.models.states import QueueState

CARDS = {
    "progress": progress.progress,
    "agreement": quality.agreement,
    "figures": figures.card,
    "work": progress.work,
    "time": quality.times,
    "skips": quality.skips,
    "pay": pay.card,
}
"""In the order of the screen."""
PEOPLE = 10
"""How many people the board lists: those who finished most."""
SLOWER = 0.5
"""A pace of the last week below this share of that of the week before is slower."""


@dataclass(frozen=True)
class State:
    """How a project stands, in a word, and why that is said. `tone` and `icon` are those of its badge."""

    tone: str
    icon: str
    words: str
    why: str = ""


@dataclass(frozen=True)
class PersonLine:
    """Somebody, the board of their work, and the list of its items."""

    did: PersonRow
    query: str
    url: str


@dataclass(frozen=True)
class Board:
    """All of it; `agrees` is the first measure of agreement, if any is measured."""

    numbers: BoardNumbers
    state: State
    needs: all_needs.Needs
    cards: list[Card]
    parts: list[PartRow]
    people: list[PersonLine]
    held: list[HeldRow]
    agrees: PlotRow | None
    links: dict[str, str]

    @property
    def asked(self) -> BoardQuery:
        """The part that the address asks for."""
        return self.numbers.asked

    @property
    def idle(self) -> int:
        """How many leases nobody has touched for some minutes."""
        return sum(row.idle for row in self.held)

    @property
    def content(self) -> tuple[Any, ...]:
        """What the page shows, to tell whether it has changed."""
        needs = [self.needs.notices, [case.row.pk for case in self.needs.cases], self.needs.n]
        needs += [self.needs.reported, [row["chat"] for row in self.needs.asked]]
        cards = [(card.key, card.about, card.notes, card.rows, card.plot) for card in self.cards]
        return self.state, self.numbers.progress, needs, cards, self.parts, self.held, self.people, self.agrees


def board_of(project: Project, asked: BoardQuery, *, now: datetime) -> Board:
    """The board of that part of the project."""
    numbers = BoardNumbers(project, asked, now=now)
    needs = all_needs.of_board(numbers)
    found = quality.agreement_of(numbers)
    return Board(
        numbers=numbers,
        state=_state(numbers, needs),
        needs=needs,
        cards=[card for make in CARDS.values() if (card := make(numbers)) is not None],
        parts=parts(numbers),
        people=_people(numbers),
        held=held(numbers),
        agrees=quality.agreed(*found.measures[0]) if found and found.measures else None,
        links=_links(project, asked, agreement=found.query if found else ""),
    )


def _people(numbers: BoardNumbers) -> list[PersonLine]:
    """Those who finished most."""
    found = [(one, numbers.asked.but(person=one.code)) for one in numbers.people[:PEOPLE]]
    return [PersonLine(one, asked.query, asked.items(numbers.project)) for one, asked in found]


def card_of(project: Project, asked: BoardQuery, key: str, *, now: datetime) -> Card | None:
    """One card of the board; None if there is nothing to show, or no card of that name."""
    make = CARDS.get(key)
    return make(BoardNumbers(project, asked, now=now)) if make else None


def _state(numbers: BoardNumbers, needs: all_needs.Needs) -> State:
    """Of the whole project, whatever part the address asks for."""
    found = numbers.progress_of()
    if not found.total:
        return State("", "list", _("Nothing to do yet") if numbers.queues else _("Not begun"))
    if found.done == found.total:
        return State("ok", "check", _("Done"))
    if needs.stops:
        return State("bad", "stop", _("Held up"), _("work is left, and nobody can be given any"))
    return _pace(numbers if not numbers.asked.is_part else BoardNumbers(numbers.project, BoardQuery(), now=numbers.now))


def _pace(numbers: BoardNumbers) -> State:
    """Whether work goes on as in the week before. The days without work before the first one don't count."""
    last, before = numbers.done_before(days=7, ago=0), numbers.done_before(days=7, ago=7)
    active = any(counts for day, counts in numbers.outcomes.items() if (numbers.today - day).days < 7)
    if not numbers.outcomes and not numbers.leases:
        return State("", "clock", _("Not begun"))
    if not active and not numbers.at_work:
        return State("gold", "clock", _("Standing still"), _("no work ended in the last 7 days"))
    if len(before) < 7:
        return State("", "clock", _("Under way"), _("too early to compare one week with the week before"))
    done = {"last": whole_number_in_words(sum(last)), "before": whole_number_in_words(sum(before))}
    why = _("%(last)s done in the last 7 days, %(before)s in the 7 days before") % done
    if sum(last) < SLOWER * sum(before):
        return State("gold", "down", _("Slower than last week"), why)
    return State("ok", "check", _("On track"), why)


def _links(project: Project, asked: BoardQuery, *, agreement: str) -> dict[str, str]:
    """Pages behind the numbers of the sentence and of the tables."""
    return {
        "done": asked.but(person="", since=None, until=None).items(project, state="ended"),
        "items": asked.items(project),
        "agreement": f"{reverse('agreement', args=[project.slug])}?{agreement}",
        "people": reverse("people", args=[project.slug]),
        "queues": reverse("queues", args=[project.slug]),
    }


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


def seen_board(numbers: BoardNumbers) -> SeenBoard:
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
