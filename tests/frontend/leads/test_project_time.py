"""A lead sees how long stages take, whose time it is, and amendments with links to the work behind them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import randomness
from annotation.engine import recording
from annotation.models import Project, Role, User
from annotation.worktime import totals
from tests.builders import BAD, GOOD, NO_ANSWER, Worker, open_with, project, questions, spend
from tests.disagreeing import browser
from tests.people import NOON, join

TODAY = NOON.date()


def work(worker: Worker, *, minute: int, seconds: tuple[int, ...]) -> None:
    """One question from its claim on: bad with one number of seconds, good and without an answer with two."""
    begun = NOON + timedelta(minutes=minute)
    held = worker.claim(now=begun)
    at = begun + timedelta(seconds=seconds[0])
    spend(held, now=at, ms=seconds[0] * 1000, active=seconds[0] * 1000)
    worker.commit(held, "question", GOOD if seconds[1:] else BAD, now=at)
    if seconds[1:]:
        at += timedelta(seconds=seconds[1])
        spend(held, now=at, ms=seconds[1] * 1000, active=seconds[1] * 1000, stage="long_answer", n=2)
        worker.commit(held, "long_answer", NO_ANSWER, now=at)


@pytest.fixture(scope="module")
def worked_once(shared_rows, tmp_path_factory):
    """Alice has answered three questions, and bob one; lena leads."""
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(5))
    alice, bob = join(made, "alice"), join(made, "bob")
    for minute, seconds in enumerate(((10, 40), (20, 50), (60,))):
        work(Worker(alice, made), minute=10 * minute, seconds=seconds)
    work(Worker(bob, made), minute=0, seconds=(6,))
    join(made, "lena", Role.LEAD)


@pytest.fixture
def lights(worked_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def alice(lights):
    return User.objects.get(username="alice")


@pytest.fixture
def bob(lights):
    return User.objects.get(username="bob")


@pytest.fixture
def lena(lights):
    return User.objects.get(username="lena")


@pytest.fixture
def lead(lena):
    return browser(lena)


def test_medians_of_stages_are_shown_with_their_number_beside_the_mean_of_the_paper(lead, lights):
    page = lead.get(reverse("project_time", args=[lights.slug]))
    (activity,) = page.context["activities"]
    found = {str(row["title"]): (row["median"], row["n"]) for row in activity["rows"]}
    assert found == {"Question": (15, 4), "Long answer": (45, 2)}
    assert (activity["whole"]["median"], activity["whole"]["n"]) == (55, 4)
    assert activity["whole"]["mean"] == pytest.approx((50 + 70 + 60 + 6) / 4)
    assert activity["published"] == 80
    assert all(words in page.content.decode() for words in ("55 s", "45 s", "mean 80 s", "<b>3 min</b> of work by"))


def test_people_are_listed_under_their_codes(lead, lights, alice, bob):
    shown = lead.get(reverse("project_time", args=[lights.slug]))
    assert {row["code"]: (row["spent"].counts, row["pieces"]) for row in shown.context["people"]} == {
        alice.worker_code: (180, 3),
        bob.worker_code: (6, 1),
    }
    assert alice.username not in shown.content.decode()


def test_an_amendment_shows_its_note_and_leads_to_the_items_of_its_day(lead, lights, alice):
    now = NOON + timedelta(hours=6)
    key = randomness.handle()
    totals.amend(lights, by=alice, day=TODAY, minutes=12, note="Power cut at noon.", key=key, now=now)
    shown = lead.get(reverse("project_time", args=[lights.slug]))
    (amendment,) = shown.context["amendments"]
    assert (amendment["minutes"], amendment["code"]) == (12, alice.worker_code)
    assert "Power cut at noon." in shown.content.decode()
    followed = lead.get(amendment["url"])
    items = [piece["item"] for piece in followed.context["pieces"]]
    assert len(items) == 3
    assert all(reverse("item", args=[lights.slug, item]) in followed.content.decode() for item in items)
    (row,) = [row for row in shown.context["people"] if row["code"] == alice.worker_code]
    assert row["spent"].counts == 180 + 720


def test_another_day_has_none_of_it(lead, lights, alice):
    url = reverse("project_time_of", args=[lights.slug, alice.worker_code])
    assert list(lead.get(f"{url}?day=2026-11-19").context["pieces"]) == []
    assert len(lead.get(url).context["pieces"].object_list) == 3


def test_excluded_work_is_not_in_the_medians(lead, lights, lena, bob):
    recording.exclude(bob.annotations.get(), by=lena, reason="too fast", now=NOON)
    (activity,) = lead.get(reverse("project_time", args=[lights.slug])).context["activities"]
    assert activity["whole"]["n"] == 3


def test_very_fast_answers_are_listed_with_what_is_usual_and_lead_to_the_work(tmp_path, db):
    made = project("fast")
    open_with(made, tmp_path, questions(21))
    ada = join(made, "ada")
    for place, seconds in enumerate([30] * 20 + [5]):
        work(Worker(ada, made), minute=2 * place, seconds=(seconds,))
    shown = browser(join(made, "lena", Role.LEAD)).get(reverse("project_time", args=["fast"]))
    (one,) = shown.context["fast"]["rows"]
    assert (one["took"].seconds, one["took"].usual, one["code"]) == (5, 30, ada.worker_code)
    assert reverse("item", args=["fast", one["item"]]) in shown.content.decode()
    assert "Very fast answers" in shown.content.decode()


def test_without_a_very_fast_answer_they_are_not_mentioned(lead, lights):
    assert "Very fast answers" not in lead.get(reverse("project_time", args=[lights.slug])).content.decode()


def test_people_who_never_worked_here_have_no_page(lead, lights):
    carol = join(lights, "carol")
    assert lead.get(reverse("project_time_of", args=[lights.slug, carol.worker_code])).status_code == 404


def test_a_project_without_any_time_says_so(db):
    lead = browser(join(project("empty"), "lena", Role.LEAD))
    assert "No time measured yet" in lead.get(reverse("project_time", args=["empty"])).content.decode()
