"""What a person did on a screen comes with saves and commits, is kept once, in bounds, and never costs an answer."""

from __future__ import annotations

import json
import uuid
from random import Random

import pytest
from django.urls import resolve, reverse

from annotation.models import Draft, Event, Project, Response
from annotation.worktime import traces
from frontend.bots.bot import Bot
from tests.builders import BAD as BAD_QUESTION
from tests.builders import open_with, project, questions
from tests.people import join

HERE, ELSEWHERE = uuid.UUID(int=1), uuid.UUID(int=2)
"""Two page loads."""
LINES = [[10, "section", {"at": "2", "ms": 1200}, "mouse"], [20, "evidence_changed", {"added": ["0.1"]}, "keyboard"]]


@pytest.fixture(scope="module")
def lights_once(shared_rows, tmp_path_factory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(3))
    return made.pk


@pytest.fixture
def alice(lights_once, db):
    return Bot(join(Project.objects.get(pk=lights_once), "alice"), Random(1))


@pytest.fixture
def page(alice):
    return alice.claim(project_of(alice), "annotate")


def project_of(bot):
    return bot.user.memberships.get().project


def batches(*numbers, lines=LINES):
    return json.dumps([{"n": n, "lines": lines} for n in numbers])


def save(bot, page, trace, *, client=HERE, **fields):
    url = reverse("draft", args=[resolve(page).kwargs["uuid"], "question"])
    return bot.client.post(url, {"client": str(client), "seen": "0", "trace": trace} | fields)


def kept():
    return list(Event.objects.filter(kind=traces.TRACED).order_by("pk"))


def test_a_save_brings_its_traces_along(alice, page):
    assert save(alice, page, batches(1), data="{}", seq=1).status_code == 200
    (event,) = kept()
    assert event.by == alice.user.pk
    assert event.subject == f"assignment:{resolve(page).kwargs['uuid']}"
    assert event.project_id == project_of(alice).pk
    assert (event.data["stage"], event.data["n"], event.data["lines"]) == ("question", 1, LINES)


def test_every_event_of_a_piece_of_work_has_its_project(alice, page):
    save(alice, page, batches(1), data="{}", seq=1)
    while page is not None:
        page = alice.answer(page)
    alice.client.post(reverse("skip", args=[resolve(alice.claim(project_of(alice), "annotate")).kwargs["uuid"]]))
    rows = Event.objects.filter(subject__startswith="assignment:").values_list("kind", "project_id")
    assert {kind for kind, _ in rows} >= {"assignment.claimed", traces.TRACED, "assignment.submitted"}
    assert {project for _, project in rows} == {project_of(alice).pk}


def test_traces_without_a_change_save_no_draft(alice, page):
    assert save(alice, page, batches(1)).json() == {"kept": 1}
    assert not Draft.objects.exists()


def test_a_repeated_batch_is_kept_once_for_each_page_load(alice, page):
    for trace in (batches(1), batches(1, 2), batches(1, 2)):
        save(alice, page, trace)
    save(alice, page, batches(1), client=ELSEWHERE)
    assert [event.data["n"] for event in kept()] == [1, 2, 1]


def test_a_commit_and_a_skip_bring_them_too(alice, page):
    held = resolve(page).kwargs["uuid"]
    url, fields = alice.filled(page, held, "nq", "question", BAD_QUESTION)
    alice.client.post(url, fields | {"trace": batches(1), "client": str(HERE)})
    assert Response.objects.count() == 1
    following = alice.claim(project_of(alice), "annotate")
    skip = reverse("skip", args=[resolve(following).kwargs["uuid"]])
    fields = {"reason": "hard", "trace": batches(1), "client": str(HERE), "stage": "question"}
    alice.client.post(skip, fields)
    assert [event.subject for event in kept()] == [
        f"assignment:{resolve(each).kwargs['uuid']}" for each in (page, following)
    ]


BAD = {
    "no JSON": "nonsense",
    "another shape": '{"n": 1}',
    "no lines": batches(1, lines=[]),
    "too many lines": batches(1, lines=LINES * 200),
    "a word that is none": batches(1, lines=[[1, "No Word", {}, ""]]),
    "a long string": batches(1, lines=[[1, "found", {"query": "x" * 201}, ""]]),
    "nested": batches(1, lines=[[1, "found", {"query": {"a": 1}}, ""]]),
    "too long": batches(*range(1, 40), lines=[[1, "found", {"query": "x" * 200}, ""]] * 10),
    "negative": batches(1, lines=[[-1, "found", {}, ""]]),
    "another way of input": batches(1, lines=[[1, "found", {}, "telepathy"]]),
    "not a number": "[NaN]",
}


def test_malformed_traces_are_dropped_and_the_draft_is_saved(alice, page):
    for seq, (why, trace) in enumerate(BAD.items(), start=1):
        assert save(alice, page, trace, data="{}", seq=seq).json()["seq"] == seq, why
        assert kept() == [], why
        assert Draft.objects.count() == 1, why


def test_the_traces_of_one_piece_of_work_are_bounded(alice, page, monkeypatch):
    monkeypatch.setattr(traces, "MOST_BATCHES", 3)
    for n in range(1, 6):
        save(alice, page, batches(n))
    assert [event.data["n"] for event in kept()] == [1, 2, 3]


def test_nobody_leaves_traces_on_the_work_of_others(alice, page):
    bob = Bot(join(project_of(alice), "bob"), Random(2))
    assert save(bob, page, batches(1)).status_code == 404
    assert kept() == []
