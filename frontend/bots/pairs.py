"""Bots in an activity with several seats: they find each other in its lobby, then answer whenever it is their turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from django.urls import resolve, reverse

from annotation import clock
from annotation.models import Project, User
from annotation.protocol import Activity
from frontend import access
from frontend.bots.bot import Bot, Rates, Thinker, WorkEnding
from frontend.server.wrappers import without_prefix
from tasks.engine import assignments, leases
from tasks.models import Assignment
from tasks.models.states import IN_LOBBY, AssignmentState, TicketState
from tasks.pairs import lobby

PATIENCE = 4
"""After so many answers of both, somebody who does not finish leaves."""


@dataclass
class Partner:
    """One bot among those who share work; it makes one move at a time.

    Each seat counts as a piece of work in `tally`. Nobody is late: shared work ends for all when the time of one of
    them ends.
    """

    user: User
    project: Project
    activity: Activity
    rates: Rates
    rng: Random
    tally: Counter[str]
    course: WorkEnding = WorkEnding.IN_TIME
    page: str = ""

    def __post_init__(self) -> None:
        self.thinker = Thinker(self.project, self.activity, self.rng)
        self.bot = Bot(self.user, self.rng, self.thinker.think)
        self.bot.consent(self.project)

    def move(self) -> bool:
        """Move on in the lobby or in the work; False if nothing can be done but wait."""
        return self.come_back() or self._move_in_lobby()

    def come_back(self) -> bool:
        """Move on in work that was begun; False if there is none, or if a partner has the word."""
        return bool(self.page) and self._move_at_work()

    def leave(self) -> None:
        """Leave the lobby, so that nobody is offered a partner who no longer answers."""
        ticket = lobby.last_ticket(self.project, self.activity.key, by=self.user)
        if ticket is not None and ticket.state in IN_LOBBY:
            self.bot.client.post(self._url("leave_lobby"))

    def _url(self, name: str) -> str:
        return reverse(name, args=[self.project.slug, self.activity.key])

    def _move_in_lobby(self) -> bool:
        shown = self.bot.client.get(self._url("lobby"))
        if shown.status_code == 302:
            return self._take_up(without_prefix(shown["Location"]))
        ticket = lobby.last_ticket(self.project, self.activity.key, by=self.user)
        if ticket is not None and ticket.state == TicketState.OFFERED:
            return ticket.confirmed_at is None and self.bot.client.post(self._url("here")).status_code == 302
        if ticket is not None and ticket.state == TicketState.WAITING:
            return False
        return self.bot.client.post(self._url("enter_lobby")).status_code == 302

    def _take_up(self, page: str) -> bool:
        self.page, self.course = page, self.rates.draw(self.rng)
        if self.course == WorkEnding.LATE:
            self.course = WorkEnding.IN_TIME
        self.thinker.wrong = self.rng.random() < self.rates.wrong
        self.tally["taken"] += 1
        self.tally[self.course] += 1
        self.tally["wrong"] += self.thinker.wrong and self.course == WorkEnding.IN_TIME
        return True

    def _move_at_work(self) -> bool:
        held = access.own_assignment(self.user, resolve(self.page).kwargs["uuid"])
        if held.state != AssignmentState.LEASED:
            self.page = ""
            return True
        work = assignments.work_of(held)
        ends = self._ends() if len(work.responses) >= PATIENCE else None
        if ends is not None:
            ends(held)
        elif work.current is not None:
            self.bot.post(*self.bot.answered(self.page))
        return ends is not None or work.current is not None

    def _ends(self) -> Callable[[Assignment], None] | None:
        """How this bot ends shared work before it is complete, or None."""
        return {
            WorkEnding.RETURNED: lambda held: self.bot.give_back(self.page),
            WorkEnding.ABANDONED: lambda held: leases.expire_early(held.lease, now=clock.now()),
        }.get(self.course)
