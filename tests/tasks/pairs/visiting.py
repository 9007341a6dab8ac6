"""People in a lobby of the toy protocol, by name, at seconds after noon."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from annotation.models import Annotation, Project
from tasks.engine import queues, skip_and_return
from tasks.models import Ticket
from tasks.models.states import IN_LOBBY
from tasks.pairs import lobby
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project
from tests.protocols.toy.protocol import PROTOCOL, REVIEW, TALK


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


@dataclass
class Lobby:
    """The lobby of `talk` in a project."""

    project: Project

    def enters(self, name: str, seconds: float = 0) -> Any:
        return lobby.enter(self.project, "talk", by=join(self.project, name), now=at(seconds))

    def ticket(self, name: str) -> Ticket:
        """The person's latest visit."""
        found = lobby.last_ticket(self.project, "talk", by=join(self.project, name))
        assert found is not None
        return found

    def polls(self, name: str, seconds: float) -> Ticket:
        return lobby.poll(self.ticket(name), now=at(seconds))

    def is_here(self, name: str, seconds: float = 0) -> Ticket:
        ticket = self.ticket(name)
        return lobby.confirm(ticket, by=ticket.annotator, now=at(seconds))

    def leaves(self, name: str, seconds: float = 0) -> Ticket:
        ticket = self.ticket(name)
        return lobby.leave(ticket, by=ticket.annotator, now=at(seconds))

    def line(self) -> list[str]:
        """Who is in the lobby, with their states, in line order."""
        rows = Ticket.objects.filter(state__in=IN_LOBBY).order_by("in_line_since", "pk")
        return [f"{ticket.annotator.username} {ticket.state}" for ticket in rows.select_related("annotator")]

    def meet(self, *names: str, seconds: float = 0, say: bool = True) -> dict[str, str]:
        """They enter, are seated, the asker says something, and they leave again; returns who had which seat."""
        for name in names:
            self.enters(name, seconds)
        for name in names:
            self.is_here(name, seconds)
        held = {row.seat: row for row in Annotation.objects.latest("pk").assignments.all()}
        pair = Pair(held["asker"].annotator, held["teller"].annotator, held)
        if say:
            pair.say("asker", "ask-1", now=at(seconds))
        skip_and_return.give_back(pair.row("asker"), by=pair.asker, now=at(seconds))
        return {row.annotator.username: seat for seat, row in held.items()}


def may_play_both_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the toy an activity to be done alone, on training topics only."""
    alone = replace(TALK, key="talk_alone", picks="next", seats=("one",), train_only=True)
    monkeypatch.setattr(PROTOCOL, "activities", (replace(TALK, alone="talk_alone"), alone, REVIEW), raising=False)


def allow_alone(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever finds no partner in this project play both parts."""
    may_play_both_parts(monkeypatch)
    queues.open_queue(made, "talk_alone", by=None, now=NOON)


def with_alone(monkeypatch: pytest.MonkeyPatch) -> Lobby:
    """The lobby of a new project of that toy."""
    made = toy_project("with-alone")
    allow_alone(made, monkeypatch)
    return Lobby(made)
