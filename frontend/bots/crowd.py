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
from enum import StrEnum
from random import Random
from typing import Any

from django.urls import resolve

from annotation import clock, membership, randomness, registry
from annotation.imports.run import Progress
from annotation.models import Project, Role, User
from annotation.protocol import Activity
from annotation.sheets import Sheet
from frontend import access
from frontend.bots.bot import Bot, Form
from tasks import leases
from tasks.models import Assignment


class Course(StrEnum):
    """How a piece of work ends."""

    IN_TIME = "in time"
    LATE = "late"
    ABANDONED = "abandoned"
    RETURNED = "returned"


@dataclass(frozen=True)
class Rates:
    """Shares (0..1) of all pieces of work; `wrong` is independent of the others."""

    wrong: float = 0.15
    late: float = 0.02
    abandoned: float = 0.03
    returned: float = 0.05

    def __post_init__(self) -> None:
        shares = (self.late, self.abandoned, self.returned)
        if not all(0 <= share <= 1 for share in (self.wrong, *shares)) or sum(shares) > 1:
            raise ValueError("Rates must be between 0 and 1, and late, abandoned and returned add up to at most 1.")

    def draw(self, rng: Random) -> Course:
        """How the next piece ends."""
        shares = (self.late, self.abandoned, self.returned)
        courses = (Course.LATE, Course.ABANDONED, Course.RETURNED, Course.IN_TIME)
        return rng.choices(courses, (*shares, 1 - sum(shares)))[0]


@dataclass
class Person:
    """One bot in one activity, which takes one piece of work each turn.

    All careful bots give the same answer to an item, whatever the crowd's seed; a careless one gives a random answer,
    which may happen to be the same.
    """

    user: User
    project: Project
    activity: Activity
    rates: Rates
    rng: Random
    tally: Counter[str]
    written: Form | None = None
    wrong: bool = False

    def __post_init__(self) -> None:
        self.bot = Bot(self.user, self.rng, self._think)
        self.bot.consent(self.project)

    def turn(self) -> bool:
        """Send what was written before the lease expired, or else claim work; False if there was none."""
        if self.come_back():
            return True
        page = self._take_up()
        if page is None:
            return False
        course, self.wrong = self.rates.draw(self.rng), self.rng.random() < self.rates.wrong
        self.tally["taken"] += 1
        self.tally[course] += 1
        self.tally["wrong"] += self.wrong and course in (Course.IN_TIME, Course.LATE)
        self._carry_out(course, page)
        return True

    def _take_up(self) -> str | None:
        """What they hold, else the next. Don't follow the last redirect: late work may have taken that slot back."""
        if self.activity.picks == "search":
            return self.bot.choose(self.project, self.activity)
        return self.bot.claim(self.project, self.activity.key)

    def _carry_out(self, course: Course, page: str) -> None:
        if course == Course.RETURNED:
            self.bot.give_back(page)
        elif course == Course.ABANDONED:
            self._expire_lease(page)
        elif course == Course.LATE:
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

    def _think(self, sheet: Sheet, external_id: str, rng: Random) -> dict[str, Any]:
        known = randomness.rng("careful", self.activity.key, external_id, sheet.stage)
        bots = registry.get(self.project.protocol).bots
        if bots is None:
            raise AssertionError(f"{self.project.protocol} has no bots")
        return bots.pretend(sheet, rng if self.wrong else known)


@dataclass
class Crowd:
    """`people` bots for each activity. `tally` counts pieces of work: `taken`, each `Course`, and `wrong`."""

    project: Project
    activities: Sequence[Activity]
    people: int
    rates: Rates
    seed: str
    tally: Counter[str] = field(default_factory=Counter)

    def run(self, *, progress: Progress, count: int | None = None, seconds: float | None = None) -> None:
        """Take turns until `count` pieces are taken, `seconds` have passed, or nobody finds work.

        Late work is still sent afterwards.
        """
        crowd = [self._person(activity, n) for n in range(1, self.people + 1) for activity in self.activities]
        most, end = count or sys.maxsize, time.monotonic() + (math.inf if seconds is None else seconds)
        for _person in self._turns(crowd):
            progress("bots", self.tally["taken"], count or 0)
            if self.tally["taken"] >= most or time.monotonic() >= end:
                break
        for person in crowd:
            while person.come_back():
                pass

    def _turns(self, crowd: Sequence[Person]) -> Iterator[Person]:
        """Yield each person after a turn in which they had something to do, until nobody has."""
        busy = True
        while busy:
            busy = False
            for person in crowd:
                if person.turn():
                    busy = True
                    yield person

    def _person(self, activity: Activity, number: int) -> Person:
        name, now = f"{activity.key}-bot-{number}", clock.now()
        user, _ = membership.add(project=self.project, username=name, role=Role.ANNOTATOR, by=None, now=now)
        rng = randomness.rng(self.seed, name)
        return Person(user, self.project, activity, self.rates, rng, self.tally)
