"""A page that follows a board is told what has changed, and that nothing has without the board being computed again."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.engine import exclusion
from annotation.models import Job, Project, Role, User
from annotation.models.case import FlagReason
from annotation.worktime import totals
from frontend.leads.board.page import SeenBoard
from tasks.board import counting, kept
from tasks.engine import leases, queues
from tasks.items import reports
from tasks.measuring import agreement
from tests.builders import Worker, load, open_with, project, questions, spend, write_lines
from tests.disagreeing import browser
from tests.factories.corpus import JobFactory
from tests.people import NOON, join

LATER = NOON + timedelta(minutes=3)
"""Everything until then is surely counted, so that only what happens from then on is new."""


class Board:
    """A page of a lead that follows a board."""

    def __init__(self, lead, project) -> None:
        self.client, self.project = browser(lead), project
        self.seen = self.client.get(reverse("project", args=[project.slug])).context["seen"]
        self.queries = 0

    def look(self) -> int:
        """Ask what has changed, as the page does every 15 seconds; returns the status."""
        with CaptureQueriesContext(connection) as asked:
            answer = self.client.get(reverse("board_live", args=[self.project.slug]), {"seen": self.seen})
        self.seen, self.queries = answer["X-Goldfinch-Seen"], len(asked)
        return answer.status_code


@pytest.fixture(scope="module")
def begun_once(shared_rows, tmp_path_factory):
    """Three questions, of which alice has done one and holds another; all of it is counted. Lena leads."""
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(3))
    join(made, "lena", Role.LEAD)
    worker = Worker(join(made, "alice"), made)
    worker.finish_bad()
    worker.claim()
    kept.keep(made, now=NOON)
    for minutes in (0, 1, 2):
        counting.count(now=NOON + timedelta(minutes=minutes))


@pytest.fixture
def lights(begun_once, db, monkeypatch):
    monkeypatch.setattr("annotation.clock.now", lambda: LATER)
    return Project.objects.get()


@pytest.fixture
def alice(lights):
    return User.objects.get(username="alice")


@pytest.fixture
def lena(lights):
    return User.objects.get(username="lena")


def held(project, person):
    """What they hold."""
    return Worker(person, project).claim(now=LATER)


def imports(project, alice, folder) -> None:
    load(project, write_lines(folder / "more.jsonl", questions(2, start=10)))
    queues.fill(project.queues.get(), now=LATER)


def fails(project, alice, folder) -> None:
    JobFactory(project=project, state=Job.State.FAILED, finished_at=LATER)


def finishes(project, alice, folder) -> None:
    Worker(alice, project).finish_bad(now=LATER)


def reported(project, alice, folder) -> None:
    reports.report(held(project, alice), by=alice, reason=FlagReason.BROKEN, text="", now=LATER)


def renews(project, alice, folder) -> None:
    lease = project.leases.select_related("queue__project").get(closed_at=None)
    leases.renew(lease, now=LATER)


def counts_time(project, alice, folder) -> None:
    spend(held(project, alice), now=LATER, ms=60_000, active=60_000)
    counting.count(now=LATER)


def amends(project, alice, folder) -> None:
    options = {"day": NOON.date(), "minutes": 1, "note": "read on paper", "key": uuid.uuid4()}
    totals.amend(project, by=alice, now=LATER, **options)


def excludes(project, alice, folder) -> None:
    exclusion.exclude(project, worker=alice.worker_code, by=None, reason="test", now=LATER)


def measured(project, alice, folder) -> None:
    kept.keep(project, now=LATER)


def agreed(project, alice, folder) -> None:
    agreement.keep(project, now=LATER)


def test_a_page_that_nothing_has_happened_since_is_told_so_without_computing_the_board(lights, lena):
    board = Board(lena, lights)
    seen = board.seen
    assert (board.look(), board.seen) == (204, str(seen))
    few = board.queries
    board.seen = ""
    assert board.look() == 200
    assert few < 16
    assert board.queries > 2 * few


def test_the_page_is_told_what_has_happened_once(lights, lena, alice, tmp_path):
    board = Board(lena, lights)
    for happens in (renews, finishes, reported, imports, fails):
        happens(lights, alice, tmp_path)
        assert board.look() == 200, happens
        assert board.look() == 204, happens


def test_what_may_show_elsewhere_on_the_board_is_looked_at_again(lights, lena, alice, tmp_path):
    board = Board(lena, lights)
    board.look()
    few, seen = board.queries, board.seen
    for happens in (counts_time, amends, excludes, measured, agreed):
        with transaction.atomic():
            happens(lights, alice, tmp_path)
            board.look()
            assert board.queries > few, happens
            transaction.set_rollback(True)
        board.seen = seen


def test_work_that_is_counted_later_than_it_is_seen_still_reaches_the_page(lights, lena, alice):
    Worker(alice, lights).finish_bad(now=LATER)
    board = Board(lena, lights)
    assert board.look() == 204
    counting.count(now=LATER)
    assert board.look() == 200


def test_what_is_no_note_of_a_page_is_answered_with_the_whole_board(lights, lena):
    board = Board(lena, lights)
    for sent in ("", "x", "x.y.1", "x.y.1.-2", "x.y.٣.4", f"x.y.{'9' * 30}.1"):
        assert SeenBoard.from_text(sent) is None, sent
    for sent in ("", "x.y.1.-2"):
        board.seen = sent
        assert board.look() == 200
