"""The board says where a project stands, what needs a lead, and how it goes, as a whole and in part."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation import randomness
from annotation.models import Flag, Project, Role, User
from annotation.models.case import FlagReason
from annotation.worktime import totals
from tasks.engine import skip_and_return
from tasks.items import reports
from tasks.models import Assignment
from tests.boards import bring_up_to_date
from tests.builders import BAD, Worker, open_with, project, questions, spend
from tests.disagreeing import browser
from tests.people import NOON, join


@pytest.fixture(scope="module")
def opened_once(shared_rows, tmp_path_factory):
    """Three questions of train and two of dev, three people who may work on them, and their lead."""
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), [*questions(3), *questions(2, split="dev", start=10)])
    for name in ("alice", "bob", "carol"):
        join(made, name)
    join(made, "lena", Role.LEAD)


@pytest.fixture
def lights(opened_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def people(opened_once, db):
    """The people by their names."""
    return {user.username: user for user in User.objects.all()}


@pytest.fixture
def alice(people):
    return people["alice"]


@pytest.fixture
def bob(people):
    return people["bob"]


@pytest.fixture
def carol(people):
    return people["carol"]


@pytest.fixture
def lead(people):
    return browser(people["lena"])


@pytest.fixture
def board(lights, lead, monkeypatch):
    """The board of the project, at a time and of a part."""

    def shown(*, now=NOON, **query):
        monkeypatch.setattr("annotation.clock.now", lambda: now)
        return lead.get(reverse("project", args=[lights.slug]), query)

    return shown


def work(worker: Worker, *, now, seconds: int = 60) -> None:
    """One bad question, in so many seconds."""
    held = worker.claim(now=now)
    at = now + timedelta(seconds=seconds)
    spend(held, now=at, ms=seconds * 1000, active=seconds * 1000)
    worker.commit(held, "question", BAD, now=at)


def amend(project, *, by, day, minutes: int, now) -> None:
    totals.amend(project, by=by, day=day, minutes=minutes, note="Read it.", key=randomness.handle(), now=now)


def card(shown, key):
    return next(one for one in shown.context["board"].cards if one.key == key)


def words(shown) -> str:
    return " ".join(shown.content.decode().split())


def test_an_empty_project_says_what_is_missing(db):
    lead = browser(join(project("empty"), "lena", Role.LEAD))
    shown = words(lead.get(reverse("project", args=["empty"])))
    assert "Empty is ready, and empty" in shown
    for step in ("imports", "guidelines", "queues", "people"):
        assert f'class="btn{" btn-primary" * (step == "imports")}" href="{reverse(step, args=["empty"])}"' in shown


def test_work_is_counted_by_part_of_the_project(board, lead, lights, alice, bob):
    for person in (alice, bob):
        for _ in range(2):
            work(Worker(person, lights), now=NOON)
    tomorrow = NOON + timedelta(days=1)
    work(Worker(alice, lights), now=tomorrow)
    bring_up_to_date(lights, now=tomorrow)
    everything = board(now=tomorrow)
    assert sum(row[1] for row in card(everything, "work").rows) == 5
    of_bob = board(now=tomorrow, person=bob.worker_code)
    assert sum(row[1] for row in card(of_bob, "work").rows) == 2
    assert [one.did.code for one in of_bob.context["board"].people] == [bob.worker_code]
    since, *splits = ({"since": str(tomorrow.date())}, {"split": "train"}, {"split": "dev"})
    assert sum(int(row[1]) for row in saved(lead, lights, "work", **since)[1:]) == 1
    assert sum(int(row[1]) for split in splits for row in saved(lead, lights, "work", **split)[1:]) == 5


def test_parts_that_do_not_exist_are_empty(board, lead, lights, alice):
    work(Worker(alice, lights), now=NOON)
    bring_up_to_date(lights)
    assert card(board(since="yesterday"), "work")
    assert "work" not in [one.key for one in board(split="none").context["board"].cards]
    for query in ({"split": "none"}, {"queue": "none"}, {"person": "nobody"}, {"until": "2020-01-01"}):
        assert lead.get(reverse("board_csv", args=[lights.slug, "work"]), query).status_code == 404, query


def test_each_queue_and_split_says_what_is_finished_and_in_progress(board, lights, alice):
    work(Worker(alice, lights), now=NOON)
    Worker(alice, lights).claim(now=NOON)
    bring_up_to_date(lights)
    rows = {row.split: row for row in board().context["board"].parts}
    assert (rows["train"].wanted, rows["dev"].wanted) == (3, 10)
    assert (rows["train"].submitted + rows["dev"].submitted, rows["train"].held + rows["dev"].held) == (1, 1)
    assert words(board()).count("in progress") >= 2


def test_skips_are_shares_of_what_has_ended_with_their_reasons(board, lights, alice):
    work(Worker(alice, lights), now=NOON)
    held = Worker(alice, lights).claim(now=NOON)
    skip_and_return.skip(held, by=alice, reason="hard", text="", now=NOON)
    bring_up_to_date(lights)
    [row] = card(board(), "skips").rows
    assert row[:5] == ("skipped", "hard", 1, 2, 0.5)
    assert row[5] == pytest.approx(0.0945, abs=1e-3)


def test_a_report_is_settled_from_the_board(board, lead, lights, alice, bob):
    held = Worker(alice, lights).claim(now=NOON)
    reports.report(held, by=alice, reason=FlagReason.BROKEN, text="", now=NOON)
    before = board()
    assert "<b>1 thing</b></a> needs you" in words(before)
    url = reverse("unfreeze", args=[lights.slug, held.task.item_id])
    assert url in words(before)
    answer = lead.post(url, {"back": "board"})
    assert answer["Location"] == f"{reverse('project', args=[lights.slug])}#needs"
    assert not Flag.objects.filter(settled_at=None).exists()
    assert "needs you" not in words(board())


def test_a_queue_that_has_no_work_left_needs_a_lead(lead, tmp_path, monkeypatch):
    small = project("small")
    open_with(small, tmp_path, questions(2))
    worker = Worker(join(small, "dora"), small)
    while not hasattr(worker.claim(now=NOON), "reason"):
        work(worker, now=NOON)
    bring_up_to_date(small)
    join(small, "lena", Role.LEAD)
    monkeypatch.setattr("annotation.clock.now", lambda: NOON)
    shown = lead.get(reverse("project", args=["small"]))
    assert shown.context["board"].state.words == "Done"
    assert "the queue has no work left" in words(shown)


def test_the_state_follows_the_pace(board, lights, alice):
    assert board().context["board"].state.words == "Not begun"
    work(Worker(alice, lights), now=NOON)
    bring_up_to_date(lights)
    assert board().context["board"].state.words == "Under way"
    later = NOON + timedelta(days=8)
    assert board(now=later).context["board"].state.words == "Standing still"


def test_the_word_for_the_pace_is_explained_beside_it(lead, tmp_path, monkeypatch):
    made, now = project("pace"), NOON + timedelta(days=13)
    open_with(made, tmp_path, questions(6))
    dora = Worker(join(made, "dora"), made)
    join(made, "lena", Role.LEAD)
    monkeypatch.setattr("annotation.clock.now", lambda: now)
    for days, words, why in (
        ([1, 8], "Under way", "too early to compare one week with the week before"),
        ([0], "On track", "1 done in the last 7 days, 2 in the 7 days before"),  # exactly half
        ([2], "Slower than last week", "1 done in the last 7 days, 3 in the 7 days before"),
    ):
        for day in days:
            work(dora, now=NOON + timedelta(days=day))
        bring_up_to_date(made, now=now)
        shown = lead.get(reverse("project", args=["pace"]))
        assert (shown.context["board"].state.words, shown.context["board"].state.why) == (words, why)
        assert why in shown.content.decode()


@pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/board/test_following.py::test_the_page_is_told_what_has_happened_once"
)
def test_the_page_is_told_only_what_has_changed(board, lead, lights, alice):
    seen = board().context["seen"]
    url = reverse("board_live", args=[lights.slug])
    assert lead.get(url, {"seen": seen}).status_code == 204
    work(Worker(alice, lights), now=NOON)
    bring_up_to_date(lights)
    changed = lead.get(url, {"seen": seen})
    assert changed.status_code == 200
    assert lead.get(url, {"seen": changed["X-Goldfinch-Seen"]}).status_code == 204


def saved(lead, project, key: str, **part: str) -> list[list[str]]:
    """The lines of a card's CSV."""
    answer = lead.get(reverse("board_csv", args=[project.slug, key]), part)
    assert answer["Content-Disposition"] == f'attachment; filename="{project.slug}-{key}.csv"'
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_pay_an_hour_says_so_while_nobody_has_been_there_for_ten_minutes(board, lights, alice):
    lights.config["pay"] = "12.60 EUR an hour"
    lights.save()
    assert "Nobody has been here for ten minutes yet." in words(board())
    work(Worker(alice, lights), now=NOON, seconds=60)
    assert "Nobody has been here for ten minutes yet." in words(board(now=NOON + timedelta(minutes=5)))


def test_each_picture_can_be_saved_with_its_numbers(lead, alice, tmp_path):
    nq = project("pictures")
    open_with(nq, tmp_path, questions(3))
    join(nq, "alice")
    join(nq, "lena", Role.LEAD)
    for minutes, seconds in ((0, 60), (5, 100)):
        work(Worker(alice, nq), now=NOON + timedelta(minutes=minutes), seconds=seconds)
    bring_up_to_date(nq)
    keys = [one.key for one in lead.get(reverse("project", args=[nq.slug])).context["board"].cards]
    assert keys == ["progress", "work", "time", "skips"]
    assert [row[1:3] for row in saved(lead, nq, "progress")[1:3]] == [["0", "0"], ["2", "2"]]
    assert saved(lead, nq, "work")[1][:2] == [str(NOON.date()), "2"]
    [whole] = saved(lead, nq, "time")[1:]
    timed = dict(zip(saved(lead, nq, "time")[0], whole, strict=True))
    assert timed["published_mean"] == "80"
    assert (timed["mean"], timed["mean_low"]) == ("80.0", "")
    assert timed["no_interval"].startswith("too few for an interval")
    assert "(too few for an interval" in words(lead.get(reverse("project", args=[nq.slug])))
    assert whole[4:5] == ["80.0"]
    for key in ("progress", "work", "time"):
        picture = lead.get(reverse("board_svg", args=[nq.slug, key])).content.decode()
        assert picture.startswith("<svg xmlns=")
        assert "<title>" in picture
    assert lead.get(reverse("board_svg", args=[nq.slug, "skips"])).status_code == 404


def test_the_time_of_a_person_includes_amendments_and_the_hours_measured_do_not(board, lead, lights, alice, bob):
    work(Worker(alice, lights), now=NOON, seconds=720)
    tomorrow = NOON + timedelta(days=1)
    for person, minutes in ((alice, 30), (alice, -1), (bob, 10)):
        amend(lights, by=person, day=tomorrow.date(), minutes=minutes, now=tomorrow)
    bring_up_to_date(lights, now=tomorrow)

    def times(**query):
        return {
            one.did.code: (one.did.paid / 60, one.did.last)
            for one in board(now=tomorrow, **query).context["board"].people
        }

    assert times() == {alice.worker_code: (41, tomorrow.date()), bob.worker_code: (10, tomorrow.date())}
    assert times(person=alice.worker_code) == {alice.worker_code: (41, tomorrow.date())}
    assert times(until=str(NOON.date())) == {alice.worker_code: (12, NOON.date())}
    split = Assignment.objects.get().task.split
    assert times(split=split) == {alice.worker_code: (12, NOON.date())}
    assert card(board(now=tomorrow, person=alice.worker_code), "work").notes[0].bold == "0.2 hours"
    shown = words(lead.get(reverse("person", args=[lights.slug, alice.worker_code])))
    assert '<dt>Time</dt><dd class="num">41 min</dd>' in shown
    ledger = lead.get(reverse("project_time_csv", args=[lights.slug])).content.decode("utf-8-sig")
    paid = [row for row in csv.DictReader(io.StringIO(ledger)) if row["person"] == alice.worker_code]
    assert sum(int(row["paid_seconds"]) for row in paid) == 41 * 60


def test_people_and_their_amendments_take_no_more_queries(board, lights, alice, bob, carol):
    def queries(*people) -> int:
        for person in people:
            work(Worker(person, lights), now=NOON)
            amend(lights, by=person, day=NOON.date(), minutes=5, now=NOON + timedelta(hours=1))
        bring_up_to_date(lights)
        with CaptureQueriesContext(connection) as asked:
            board()
        return len(asked)

    assert queries(alice) == queries(bob, carol)
