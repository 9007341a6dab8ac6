"""A lead can keep the ledger of a project, and sees what an hour brings, waiting and idle time included."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import randomness
from annotation.worktime import totals
from tests.boards import bring_up_to_date
from tests.builders import BAD, Worker, open_with, project, questions, spend
from tests.people import NOON, join


@pytest.fixture
def lights(db, tmp_path):
    made = project(pay="12.00 EUR an hour")
    open_with(made, tmp_path, questions(4))
    return made


@pytest.fixture
def lead(lights):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(join(lights, "lena", "lead"))
    return client


def work(worker: Worker, *, minutes: int, active: int) -> None:
    """A bad question that was visible for so many minutes, with input in the first ones."""
    held = worker.claim(now=NOON)
    at = NOON + timedelta(minutes=minutes)
    spend(held, now=at, ms=minutes * 60_000, active=active * 60_000)
    worker.commit(held, "question", BAD, now=at)


@pytest.fixture
def worked(lights):
    ada, ben = join(lights, "ada"), join(lights, "ben")
    work(Worker(ada, lights), minutes=15, active=15)
    work(Worker(ben, lights), minutes=20, active=9)
    totals.amend(
        lights,
        by=ada,
        day=NOON.date(),
        minutes=5,
        note="Read it.",
        key=randomness.handle(),
        now=NOON + timedelta(hours=2),
    )
    bring_up_to_date(lights, now=NOON + timedelta(hours=2))
    return ada, ben


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


@pytest.fixture
def said_of_an_hour(db, tmp_path):
    """What the board and the page of time say of the pay of so many people, of whom each is slower than the last."""

    def said(people: int):
        made = project(pay="12.00 EUR an hour", activities={"annotate": {"overlap": {"train": people}}})
        open_with(made, tmp_path, questions(people))
        for place in range(people):
            work(Worker(join(made, f"ann-{place}"), made), minutes=20 + place, active=15)
        bring_up_to_date(made, now=NOON + timedelta(hours=1))
        client = Client(SERVER_NAME="127.0.0.1")
        client.force_login(join(made, "lena", "lead"))
        pages = (client.get(reverse(name, args=[made.slug])) for name in ("project", "project_time"))
        return [" ".join(page.content.decode().split()) for page in pages]

    return said


def test_one_person_has_no_percentiles(said_of_an_hour):
    board, time = said_of_an_hour(1)
    assert ' EUR</b> <span class="quiet">is what one person is paid for an hour.</span>' in board
    assert "the 10th and" not in board
    assert "10th percentile" not in time
    assert '<th scope="col" class="r">One person</th> </tr>' in time


def test_of_two_to_four_people_the_lowest_and_the_highest_are_given(said_of_an_hour):
    board, time = said_of_an_hour(4)
    assert re.search(r"<b>8\.\d\d EUR</b> <span class=\"quiet\">is the lowest, 9\.\d\d the highest;", board)
    assert '<th scope="col" class="r">Lowest</th><th scope="col" class="r">Highest</th> </tr>' in time
    assert "percentile</th>" not in time


def test_from_five_people_on_there_are_percentiles(said_of_an_hour):
    board, time = said_of_an_hour(5)
    assert re.search(r"is the median, \d+\.\d\d the 10th and \d+\.\d\d the 90th percentile\.", board)
    for heading in ("10th percentile", "Median", "90th percentile"):
        assert f'<th scope="col" class="r">{heading}</th>' in time
