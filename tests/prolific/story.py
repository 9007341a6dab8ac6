"""A project with people from Prolific who have worked, connected to a study on a server of our own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from annotation import randomness
from annotation.models import Project, User
from annotation.outgoing import calling
from tasks.models import Bonus, Study
from tasks.prolific import bonuses, connecting
from tests.boards import bring_up_to_date
from tests.builders import BAD, Worker, open_with, project, questions, spend
from tests.factories.people import ParticipantFactory
from tests.people import NOON, join
from tests.prolific.site import STUDY, TOKEN, ProlificServer, Site

RATE = "12.00 GBP an hour"
DAY: date = NOON.date()
LATER = NOON + timedelta(hours=2)
"""When everybody has done their work."""


@dataclass
class OnProlific:
    """The project `lights`, its lead, the study, and what is on the server."""

    project: Project
    lead: User
    study: Study
    site: Site
    server: ProlificServer

    def works(self, name: str, n: int, *, minutes: int, status: str = "AWAITING REVIEW") -> User:
        """A participant comes to the project and works so long; the study is read again."""
        participant, _submission = self.site.comes(n, status)
        user = self.joins(name, participant)
        work(Worker(user, self.project), minutes=minutes)
        connecting.read(self.study, now=LATER)
        return user

    def joins(self, name: str, participant: str) -> User:
        """Somebody with this id joins."""
        user = join(self.project, name)
        ParticipantFactory(project=self.project, user=user, external_id=participant)
        return user

    def submission(self, name: str) -> str:
        """The id of somebody's submission."""
        return self.study.submissions.get(person__username=name).submission_id

    def paid(self, name: str) -> list[int]:
        """The bonuses that the server has paid to somebody."""
        return self.site.paid.get(self.submission(name), [])


def work(worker: Worker, *, minutes: int, begun: datetime = NOON) -> None:
    """A bad question, with input all the time."""
    held = worker.claim(now=begun)
    at = begun + timedelta(minutes=minutes)
    spend(held, now=at, ms=minutes * 60_000, active=minutes * 60_000)
    worker.commit(held, "question", BAD, now=at)
    bring_up_to_date(worker.project, now=at)


def confirm(lights: OnProlific, *, only: Any = None, key: Any = None, now: datetime = LATER) -> Bonus:
    """What a lead does who confirms all that they see."""
    found = bonuses.shares(lights.study, until=DAY)
    people = frozenset(share.person for share in found.due) if only is None else frozenset(one.pk for one in only)
    return bonuses.confirm(
        lights.study,
        seen=bonuses.seen_by(found),
        only=people,
        until=DAY,
        key=key or randomness.handle(),
        by=lights.lead,
        now=now,
        today=DAY,
    )


def told_of(server: ProlificServer) -> dict[str, Any]:
    """Settings of a site that is told to use this server."""
    return {"GOLDFINCH_PROLIFIC": f"http://{server.host}", "GOLDFINCH_CALLS_ITSELF": True}


def connected(server: ProlificServer, folder: Path) -> OnProlific:
    """Make the project, with questions from a file in this folder, and connect it to the study."""
    made = project(pay=RATE, activities={"annotate": {"overlap": {"train": 5}}})
    open_with(made, folder, questions(6))
    lead = join(made, "lena", "lead")
    calling.allow_host(server.host, purpose="", by=lead, now=NOON)
    study = connecting.connect(made, study_id=STUDY, token=TOKEN, currency="GBP", by=lead, now=NOON)
    return OnProlific(made, lead, study, server.site, server)


@pytest.fixture
def prolific(settings: Any) -> Iterator[ProlificServer]:
    """A server, and a site that is told to use it; no admin has allowed calls to it."""
    with ProlificServer() as server:
        for name, value in told_of(server).items():
            setattr(settings, name, value)
        yield server


@pytest.fixture
def lights(db: None, prolific: ProlificServer, tmp_path: Path) -> OnProlific:
    """The project, connected to the study."""
    return connected(prolific, tmp_path)
