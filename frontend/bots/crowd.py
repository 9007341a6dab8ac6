"""A simulated crowd of bots on a project: some careless, some late, some abandon or return their work.

They use Django's test client, not a running site: it goes through the same middleware, pages and forms, needs neither
passwords nor a server, and the same seed gives the same work.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from django.urls import resolve

from annotation import clock, membership, randomness
from annotation.imports.run import Progress
from annotation.models import Project, Role, User
from annotation.protocol import Activity
from frontend import access
from frontend.bots.bot import Bot, Form, Rates, Thinker, WorkEnding
from frontend.bots.pairs import Partner
from tasks.engine import leases
from tasks.models import Assignment


@dataclass
class BotPerson:
    """One bot in one activity of one seat, which takes one piece of work at each move."""

    user: User
    project: Project
    activity: Activity
    rates: Rates
    rng: Random
    tally: Counter[str]
    written: Form | None = None

    def __post_init__(self) -> None:
        self.thinker = Thinker(self.project, self.activity, self.rng)
        self.bot = Bot(self.user, self.rng, self.thinker.think)
        self.bot.consent(self.project)

    def move(self) -> bool:
        """Send what was written before the lease expired, or else claim work; False if there was none."""
        if self.come_back():
            return True
        page = self._take_up()
        if page is None:
            return False
        course, self.thinker.wrong = self.rates.draw(self.rng), self.rng.random() < self.rates.wrong
        self.tally["taken"] += 1
        self.tally[course] += 1
        self.tally["wrong"] += self.thinker.wrong and course in (WorkEnding.IN_TIME, WorkEnding.LATE)
        self._carry_out(course, page)
        return True

    def _take_up(self) -> str | None:
        """What they hold, else the next. Don't follow the last redirect: late work may have taken that slot back."""
        if self.activity.picks == "search":
            return self.bot.choose(self.project, self.activity)
        return self.bot.claim(self.project, self.activity.key)

    def _carry_out(self, course: WorkEnding, page: str) -> None:
        if course == WorkEnding.RETURNED:
            self.bot.give_back(page)
        elif course == WorkEnding.ABANDONED:
            self._expire_lease(page)
        elif course == WorkEnding.LATE:
            self.written = self.bot.answered(page)
            self._expire_lease(page)
        else:
            following: str | None = page
            while following == page:
                following = self.bot.post(*self.bot.answered(page))

    def come_back(self) -> bool:
        """Send what was written before the lease expired; a further stage is late too. False if there is nothing."""
        if self.written is None:
            return False
        (url, fields), self.written = self.written, None
        following = self.bot.post(url, fields)
        if following is not None and resolve(following).kwargs["uuid"] == resolve(url).kwargs["uuid"]:
            self.written = self.bot.answered(following)
            self._expire_lease(following)
        return True

    def _expire_lease(self, page: str) -> None:
        held: Assignment = access.own_assignment(self.user, resolve(page).kwargs["uuid"])
        leases.expire_early(held.lease, now=clock.now())

    def leave(self) -> None:
        """Nothing is left waiting."""


@dataclass
class Crowd:
    """`people` bots for each activity. `tally` counts pieces of work: `taken`, each `WorkEnding`, and `wrong`.

    Where people share work, there are at least as many as it has seats. Nobody claims the activities that people are
    offered only after waiting in vain for a partner. `cut`: see `Bot`.
    """

    project: Project
    activities: Sequence[Activity]
    people: int
    rates: Rates
    seed: str
    cut: float = 0.0
    tally: Counter[str] = field(default_factory=Counter)
    bots: list[Bot] = field(default_factory=list)

    def run(self, *, progress: Progress, count: int | None = None, seconds: float | None = None) -> None:
        """Move one after another until `count` pieces are taken, `seconds` have passed, or nobody finds work.

        Late work is still sent afterwards, and what people share is finished.
        """
        people = [(n, activity) for n in range(1, self.people + 1) for activity in self.activities]
        people += [(n, each) for each in self.activities for n in range(self.people + 1, len(each.seats) + 1)]
        crowd = [self._person(activity, n) for n, activity in people]
        most, end = count or sys.maxsize, time.monotonic() + (math.inf if seconds is None else seconds)
        for _person in self._moves(crowd):
            progress("bots", self.tally["taken"], count or 0)
            if self.tally["taken"] >= most or time.monotonic() >= end:
                break
        while any(person.come_back() for person in crowd):
            pass
        for person in crowd:
            person.leave()

    def _moves(self, crowd: Sequence[BotPerson | Partner]) -> Iterator[BotPerson | Partner]:
        """Yield each person after a move, for which they had something to do, until nobody has."""
        busy = True
        while busy:
            busy = False
            for person in crowd:
                if person.move():
                    busy = True
                    yield person

    def _person(self, activity: Activity, number: int) -> BotPerson | Partner:
        name, now = f"{activity.key}-bot-{number}", clock.now()
        user, _ = membership.add(project=self.project, username=name, role=Role.ANNOTATOR, by=None, now=now)
        rng = randomness.rng(self.seed, name)
        kind = Partner if len(activity.seats) > 1 else BotPerson
        made = kind(user, self.project, activity, self.rates, rng, self.tally)
        made.bot.cut = self.cut
        self.bots.append(made.bot)
        return made
