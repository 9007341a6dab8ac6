"""A lead can keep the ledger of a project, and sees what an hour brings, waiting and idle time included."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import randomness
from annotation.models import Project, Role, User
from annotation.worktime import totals
from tests.boards import bring_up_to_date
from tests.builders import BAD, Worker, open_with, project, questions, spend
from tests.disagreeing import browser
from tests.people import NOON, join


def work(worker: Worker, *, minutes: int, active: int) -> None:
    """A bad question that was visible for so many minutes, with input in the first ones."""
    held = worker.claim(now=NOON)
    at = NOON + timedelta(minutes=minutes)
    spend(held, now=at, ms=minutes * 60_000, active=active * 60_000)
    worker.commit(held, "question", BAD, now=at)


@pytest.fixture(scope="module")
def worked_once(shared_rows, tmp_path_factory):
    """Ada and ben have worked, ada also on paper; lena leads."""
    made = project(pay="12.00 EUR an hour")
    open_with(made, tmp_path_factory.mktemp("lights"), questions(4))
    ada, ben = join(made, "ada"), join(made, "ben")
    work(Worker(ada, made), minutes=15, active=15)
    work(Worker(ben, made), minutes=20, active=9)
    later = NOON + timedelta(hours=2)
    totals.amend(made, by=ada, day=NOON.date(), minutes=5, note="Read it.", key=randomness.handle(), now=later)
    bring_up_to_date(made, now=later)
    join(made, "lena", Role.LEAD)


@pytest.fixture
def lights(worked_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def worked(worked_once, db):
    return User.objects.get(username="ada"), User.objects.get(username="ben")


@pytest.fixture
def lead(worked_once, db):
    return browser(User.objects.get(username="lena"))


def lines(lead, address: str) -> dict[str, dict[str, str]]:
    rows = csv.DictReader(io.StringIO(lead.get(address).content.decode("utf-8-sig")))
    return {row["person"]: row for row in rows}


def test_the_ledger_has_each_day_of_everybody_under_codes(lead, lights, worked):
    ada, ben = worked
    found = lines(lead, reverse("project_time_csv", args=[lights.slug]))
    assert set(found) == {ada.worker_code, ben.worker_code}
    mine = found[ada.worker_code]
    assert (mine["day"], mine["finished"]) == (str(NOON.date()), "1")
    assert (mine["counted_seconds"], mine["amended_seconds"], mine["paid_seconds"]) == ("900", "300", "1200")
    assert (mine["pay"], mine["currency"]) == ("4.00", "EUR")
    assert int(found[ben.worker_code]["idle_seconds"]) > 0


def test_pay_an_hour_is_lower_for_somebody_with_idle_time_and_is_on_the_board(lead, lights, worked):
    ada, ben = worked
    board = lead.get(reverse("project", args=[lights.slug])).context["board"]
    [card] = [one for one in board.cards if one.key == "pay"]
    hourly = {row[0]: row[4] for row in card.rows}
    assert hourly[ada.worker_code] == 12
    assert 0 < hourly[ben.worker_code] < 12
    shown = lead.get(reverse("project_time", args=[lights.slug]))
    pieces, pay = shown.context["an_hour"]
    assert (pieces.n, pay.unit) == (2, "EUR")
    assert pay.figures == [pytest.approx(hourly[ben.worker_code], abs=0.01), 12]


def test_without_a_rate_nothing_is_said_of_pay(lead, lights, worked):
    lights.config = lights.config | {"pay": "As agreed"}
    lights.save()
    assert "pay" not in [one.key for one in lead.get(reverse("project", args=[lights.slug])).context["board"].cards]
    assert len(lead.get(reverse("project_time", args=[lights.slug])).context["an_hour"]) == 1


def test_an_hour_is_told_of_one_person_of_a_few_and_of_five(db, tmp_path):
    """Of one there are no percentiles, of two to four the lowest and the highest, from five on percentiles."""
    made = project("paid", pay="12.00 EUR an hour", activities={"annotate": {"overlap": {"train": 5}}})
    open_with(made, tmp_path, questions(5))
    lead = browser(join(made, "lena", Role.LEAD))

    def after(*places: int) -> list[str]:
        """What the board and the page of time say after these have worked, each more slowly than the last."""
        for place in places:
            work(Worker(join(made, f"ann-{place}"), made), minutes=20 + place, active=15)
        bring_up_to_date(made, now=NOON + timedelta(hours=1))
        pages = (lead.get(reverse(name, args=[made.slug])) for name in ("project", "project_time"))
        return [" ".join(page.content.decode().split()) for page in pages]

    board, time = after(0)
    assert ' EUR</b> <span class="quiet">is what one person is paid for an hour.</span>' in board
    assert "the 10th and" not in board
    assert "10th percentile" not in time
    assert '<th scope="col" class="r">One person</th> </tr>' in time
    board, time = after(1, 2, 3)
    assert re.search(r"<b>8\.\d\d EUR</b> <span class=\"quiet\">is the lowest, 9\.\d\d the highest;", board)
    assert '<th scope="col" class="r">Lowest</th><th scope="col" class="r">Highest</th> </tr>' in time
    assert "percentile</th>" not in time
    board, time = after(4)
    assert re.search(r"is the median, \d+\.\d\d the 10th and \d+\.\d\d the 90th percentile\.", board)
    for heading in ("10th percentile", "Median", "90th percentile"):
        assert f'<th scope="col" class="r">{heading}</th>' in time
