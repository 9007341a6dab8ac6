"""Home before one begins: what work takes and pays, what is kept for one, that guidelines changed, whom to write to."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock, projects
from annotation.models import GuidelineVersion, Project
from annotation.setup import changes
from tasks.engine import skip_and_return
from tests.boards import bring_up_to_date
from tests.builders import BAD, Worker, open_with, project, questions, reload, spend
from tests.people import NOON, join

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture(scope="module")
def lights_once(shared_rows, tmp_path_factory) -> int:
    made = project(pay="12.60 EUR an hour")
    open_with(made, tmp_path_factory.mktemp("lights"), questions(6))
    return made.pk


@pytest.fixture
def lights(lights_once, db):
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def ada(lights):
    return Worker(join(lights, "ada"), lights)


@pytest.fixture
def home(client, ada, monkeypatch):
    """Her home page, in words, at some time."""
    client.force_login(ada.user)

    def text(now=NOON):
        monkeypatch.setattr(clock, "now", lambda: now)
        return " ".join(client.get(reverse("home")).content.decode().split())

    return text


def finish(worker, *, minutes, times):
    """So many bad questions, each with input for so long."""
    ends = [NOON + (n + 1) * minutes * MINUTE for n in range(times)]
    for end in ends:
        held = worker.claim(now=end - minutes * MINUTE)
        spend(held, now=end, ms=minutes * 60_000, active=minutes * 60_000)
        worker.commit(held, "question", BAD, now=end)
    bring_up_to_date(worker.project, now=ends[-1])


def test_each_task_says_what_an_hour_pays(home):
    assert '<b dir="auto">12.60 EUR an hour</b>' in home()


@pytest.mark.parametrize(("done", "said"), [(4, "about 80 s per question"), (5, "about 3 min per question")])
def test_the_usual_time_is_the_published_one_until_five_pieces_of_work_give_a_median(home, ada, done, said):
    finish(ada, minutes=3, times=done)
    assert said in home()


def test_returned_work_is_kept_on_its_task_for_a_day_with_what_it_is_about(home, ada):
    held = ada.claim()
    skip_and_return.give_back(reload(held), by=ada.user, now=NOON)
    text = home(NOON + MINUTE)
    assert "21 November, 12:00" in text.partition("Kept for you until")[2][:200]
    assert held.task.item.payload["question_text"] in text
    assert "Go on" in text
    assert "Kept for you" in home(NOON + DAY - MINUTE)
    assert "Kept for you" not in home(NOON + DAY)


def test_what_one_holds_is_not_also_kept(home, ada):
    ada.claim()
    assert "Kept for you" not in home()


def test_there_is_one_way_to_write_to_a_lead_also_with_two_projects(home, ada, tmp_path):
    assert home().count("Write to a lead") == 1
    other = project("other")
    open_with(other, tmp_path, questions(2))
    join(other, "ada")
    text = home()
    assert text.count("Write to a lead") == 1
    for slug in ("lights", "other"):
        assert reverse("messages", args=[slug]) in text


def publish(lights, kind):
    last = projects.guidelines_of(lights)
    new = {"text": f"{last.text} More.", "kind": kind, "fast_share": 0.2, "seen": last.number}
    changes.publish_guidelines(lights, **new, by=None, now=NOON + DAY)


CHANGED = "The guidelines of Lights have changed"
SEMANTIC, EDITORIAL = GuidelineVersion.Kind.SEMANTIC, GuidelineVersion.Kind.EDITORIAL


def test_a_semantic_change_is_said_until_one_begins_work_under_it(home, lights, ada):
    ada.finish_bad()
    assert CHANGED not in home()
    publish(lights, SEMANTIC)
    publish(lights, EDITORIAL)
    assert CHANGED in home(NOON + 2 * DAY)
    ada.claim(now=NOON + 2 * DAY)
    assert CHANGED not in home(NOON + 2 * DAY)


def test_an_editorial_change_is_not_said(home, lights, ada):
    ada.finish_bad()
    publish(lights, EDITORIAL)
    assert CHANGED not in home(NOON + 2 * DAY)


def test_who_has_not_begun_reads_the_new_guidelines_anyway(home, lights):
    publish(lights, SEMANTIC)
    assert CHANGED not in home(NOON + 2 * DAY)
