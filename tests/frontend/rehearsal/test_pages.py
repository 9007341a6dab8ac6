"""A lead asks for a rehearsal, sees how far it is, stops it, and reads what it found; nobody else sees any of it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Event, Job, Role
from frontend.rehearsal.job import KIND
from tasks.background import long_jobs
from tests.builders import load, open_with, project, questions, write_lines
from tests.people import join


@pytest.fixture
def lights(db, tmp_path):
    made = project("rehearsed-pages", pay="12.60 EUR an hour")
    open_with(made, tmp_path, questions(3))
    return made


@pytest.fixture
def lead(lights, client):
    client.force_login(join(lights, "lena-rehearses", Role.LEAD))
    return client


SENT = {"items": "3", "wrong": "15", "late": "2", "abandoned": "3", "returned": "5"}
FOUND = {
    "items": 3, "people": 5, "taken": 12, "courses": {"in_time": 9, "late": 1, "abandoned": 1, "returned": 1},
    "careless": 2, "sent": 27, "cut": 3, "lost": 0, "refused": "",
    "activities": [{"activity": "annotate", "done": 3, "disputed": 0, "open": 0}],
    "formats": [{"format": "nq", "why": "", "items": 3}],
}  # fmt: skip


def asked(lead, lights, **other):
    """The answer to the form."""
    return lead.post(reverse("rehearsals", args=[lights.slug]), SENT | other, follow=True)


def ended(lights, **found):
    """The rehearsal has found this."""
    job = lights.jobs.get(kind="rehearsal")
    Job.objects.filter(pk=job.pk).update(
        state="done", finished_at=clock.now(), report=job.report | {"result": FOUND | found}
    )
    return reverse("rehearsal", args=[lights.slug, job.pk])


def test_it_waits_for_its_turn_says_so_and_is_in_the_history_of_the_project(lead, lights):
    form = lead.get(reverse("rehearsals", args=[lights.slug])).content.decode()
    assert 'value="3"' in form
    assert "Waiting to begin" in asked(lead, lights).content.decode()
    assert "Another rehearsal comes first." in asked(lead, lights).content.decode()
    [first, _second] = Event.objects.filter(kind="job.queued", project_id=lights.pk).order_by("pk")
    assert first.data["asked"] == {
        "items": 3, "rates": {"wrong": 0.15, "late": 0.02, "abandoned": 0.03, "returned": 0.05}
    }  # fmt: skip


def test_while_every_place_is_taken_it_says_what_it_waits_for_and_its_place(lead, lights):
    lena = lights.memberships.get(user__username="lena-rehearses").user
    others = [project(f"other-{number}") for number in range(long_jobs.LONG_AT_ONCE + 1)]
    for place, other in enumerate(others):
        job = long_jobs.ask(other, KIND, subject="3", asked={}, by=lena, now=clock.now())
        Job.objects.filter(pk=job.pk).update(state="running" if place else "queued")
    waits = f"It waits for one of {long_jobs.LONG_AT_ONCE} jobs of this site to end; 1 other comes before it."
    assert waits in asked(lead, lights).content.decode()


def test_it_is_stopped(lead, lights):
    page = asked(lead, lights)
    url = page.redirect_chain[-1][0]
    stopped = lead.post(f"{url}cancel/", follow=True).content.decode()
    assert "Nothing was rehearsed" in stopped
    assert "Cancelled" in stopped


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"items": "0"}, "Give at least one."),
        ({"items": "9999"}, "Give 200 at most"),
        ({"late": "60", "returned": "60"}, "more than 100 % together"),
    ],
)
def test_impossible_numbers_are_refused_with_a_sentence(lead, lights, wrong, said):
    answer = asked(lead, lights, **wrong)
    assert (answer.status_code, lights.jobs.filter(kind="rehearsal").count()) == (422, 0)
    assert said in answer.content.decode()


def test_what_it_found_is_said_with_what_the_work_will_take(lead, lights):
    asked(lead, lights)
    page = lead.get(ended(lights)).content.decode()
    for words in ("It works", "<b>27 answers</b>", "Finished in time", "Natural Questions, original", "Hours of work"):
        assert words in page


def test_before_the_first_queue_is_open_everything_is_estimated(db, client, tmp_path):
    made = project("rehearsed-unopened", pay="12.60 EUR an hour")
    load(made, write_lines(tmp_path / "lights.jsonl", questions(90, split="dev")))
    client.force_login(join(made, "lena-rehearses", Role.LEAD))
    asked(client, made)
    page = client.get(ended(made)).content.decode()
    assert '<dd class="num">450</dd>' in page
    assert '<dd class="num">10</dd>' in page, "hours: 450 annotations of 80 s"


def days(client, url, **query):
    """The working days that the page of a rehearsal shows, with their interval."""
    page = client.get(url, query).content.decode()
    rest = page.split("<dt>Working days</dt>")[1].split("</div>")[0]
    value, *interval = [" ".join(each.split()) for each in re.findall("<dd[^>]*>([^<]*)</dd>", rest)]
    return unescape(value) + "".join(f" ({each})" for each in interval)


def test_for_people_and_hours_a_day_it_says_how_many_working_days_the_work_takes(db, client, tmp_path):
    made = project("rehearsed-pace")
    load(made, write_lines(tmp_path / "lights.jsonl", questions(90, split="dev")))
    lead = join(made, "lena-rehearses", Role.LEAD)
    join(made, "dora"), join(made, "emil")
    client.force_login(lead)
    asked(client, made)
    url = ended(made)
    assert days(client, url) == "1.3 (0.8 to 1.9)", "10 hours: two people who may work, four hours a day"
    assert days(client, url, people="5", hours="0.5") == "4.0 (2.7 to 6.0)"
    assert days(client, url, people="6", hours="4") == "< 1"
    page = client.get(url, {"people": "none", "hours": "2"}).content.decode()
    assert "Give a whole number of people." in page
    assert "Working days" not in page


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"lost": 2}, "2 answers that were sent are not in the record"),
        ({"refused": "/work/1/ answered 409"}, "A work page refused an answer"),
        ({"formats": [{"format": "nq", "why": "A span is empty.", "items": None}]}, "A span is empty."),
    ],
)
def test_what_has_to_be_mended_before_anybody_works_is_said_in_words(lead, lights, found, said):
    asked(lead, lights)
    page = lead.get(ended(lights, **found)).content.decode()
    assert "Don’t begin yet" in page
    assert said in page


def test_what_nobody_could_finish_is_said(lead, lights):
    asked(lead, lights)
    left = [{"activity": "annotate", "done": 1, "disputed": 0, "open": 2}]
    page = lead.get(ended(lights, activities=left)).content.decode()
    assert "Something to look at" in page
    assert "2 of the questions could not be finished" in page
