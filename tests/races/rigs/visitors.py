"""Many people in one lobby, a lobby that looks and then acts (for the control), and what is wrong afterwards."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from annotation import randomness
from annotation.models import Project, User
from tasks.engine import queues
from tasks.models import Assignment, Ticket
from tasks.models.states import HOLDS_SLOT, TicketState
from tasks.pairs import lobby
from tests import builders
from tests.factories.work import TicketFactory
from tests.people import NOON
from tests.races.rigs.crowd import people

Entering = Callable[[User], object]


def full_house(folder: Path, *, visitors: int) -> tuple[Project, list[User]]:
    """A project of the toy with more topics than any two of so many people need, and these people."""
    made = builders.project("toys", "toy")
    lines = [{"id": f"t{n}", "topic": f"harbour {n}", "fact": f"built in {1800 + n}"} for n in range(visitors)]
    builders.load(made, builders.write_lines(folder / "topics.jsonl", lines))
    queues.open_queue(made, "talk", by=None, now=NOON)
    return made, people(made, visitors)


def shares(crowd: list[User], threads: int) -> list[list[User]]:
    """The crowd dealt out to so many threads, since a database has fewer connections than visitors."""
    return [crowd[start::threads] for start in range(min(threads, len(crowd)))]


def visit(
    project: Project, mine: Iterable[User], *, now: datetime, gate: AbstractContextManager, answers: bool = True
) -> None:
    """Each of these people enters; then all of them poll, and say that they are here, until nothing changes."""
    mine = list(mine)
    for person in mine:
        with gate:
            lobby.enter(project, "talk", by=person, now=now)
    waiting = list(mine) if answers else []
    for _ in itertools.repeat(None, 200):
        for person in list(waiting):
            with gate:
                if _one_poll(project, person, now=now) == TicketState.SEATED:
                    waiting.remove(person)
        if not waiting:
            return


def _one_poll(project: Project, person: User, *, now: datetime) -> str:
    ticket = lobby.last_ticket(project, "talk", by=person)
    assert ticket is not None
    ticket = lobby.poll(ticket, now=now)
    if ticket.state == TicketState.OFFERED:
        ticket = lobby.confirm(ticket, by=person, now=now)
    return ticket.state


def faults() -> list[str]:
    """People with two seats, talks without two people, seats without a ticket; and two who wait for each other.

    The last is one only where everybody may talk with everybody, and there are topics left.
    """
    held = list(Assignment.objects.filter(state__in=HOLDS_SLOT).values_list("annotation", "annotator", "seat"))
    found = [f"person {who} in {n} seats" for who, n in Counter(row[1] for row in held).items() if n > 1]
    talks = Counter(row[0] for row in held)
    found += [f"talk {key} of {n}" for key, n in talks.items() if n != 2]
    roles = Counter((row[0], row[2]) for row in held)
    found += [f"{n} people as {seat}" for (_talk, seat), n in roles.items() if n > 1]
    seated = Ticket.objects.filter(state=TicketState.SEATED)
    with_work = seated.filter(assignment__state__in=HOLDS_SLOT).values_list("assignment__annotator", flat=True)
    if seated.filter(assignment=None).exists() or set(with_work) != {row[1] for row in held}:
        found.append("the tickets name others than those who are seated")
    offers = Counter(Ticket.objects.filter(state=TicketState.OFFERED).values_list("offer", flat=True))
    found += [f"an offer to {n}" for n in offers.values() if n != 2]
    waiting = Ticket.objects.filter(state=TicketState.WAITING).count()
    return [*found, *([f"{waiting} people wait for each other"] if waiting > 1 else [])]


def looks_and_then_acts(project: Project, between: threading.Barrier) -> Entering:
    """Check-then-act without a lock: see whether somebody waits, and get in line or make an offer."""

    def enter(person: User) -> None:
        other = Ticket.objects.filter(state=TicketState.WAITING).order_by("pk").first()
        between.wait(60)
        offer = {"state": TicketState.OFFERED, "offer": randomness.handle(), "offered_at": NOON} if other else {}
        TicketFactory(project=project, annotator=person, **offer)
        if other:
            Ticket.objects.filter(pk=other.pk).update(**offer)

    return enter
