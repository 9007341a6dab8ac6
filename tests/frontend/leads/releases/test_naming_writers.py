"""Whoever wrote the questions of a project is named in a release only if a lead asks for it."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from annotation import releases
from annotation.models import Release, Role
from tests.builders import Worker, open_papers
from tests.frontend.leads.releases.conftest import Lead
from tests.people import join


@pytest.fixture
def papers(db):
    """Wendy has written a question about a paper, and adam has answered it."""
    made = open_papers()
    wendy = Worker(join(made, "wendy"), made, "ask")
    background = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    written = [{"text": "Which corpus was it?", "answerable_from_abstract": False}]
    wendy.commit(wendy.claim(), "questions", background | {"questions": written})
    adam = Worker(join(made, "adam"), made, "answer")
    adam.commit(adam.claim().lease.assignments.get(), "answer", {"kind": "unanswerable"})
    return made


@pytest.fixture
def leading(papers):
    lena = join(papers, "lena", Role.LEAD)
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lena)
    return Lead(client, papers, lena)


def test_the_form_asks_where_something_was_written_and_the_recipe_keeps_it(leading):
    assert 'name="name_writers"' in leading.get("new_release").content.decode()
    leading.build(format="qasper", partial="on")
    leading.build(format="qasper", partial="on", name_writers="on")
    first, second = Release.objects.order_by("version")
    assert [writers_in(first), "name_writers" in first.recipe] == [[""], False]
    [name] = writers_in(second)
    assert (len(name), second.recipe["name_writers"]) == (40, True)
    said = [leading.get("release", one.version).content.decode() for one in (first, second)]
    assert ["Whoever wrote something here is named by a pseudonym." in page for page in said] == [False, True]
    assert all("were written here by 1 person." in page for page in said)


def writers_in(release):
    text = (releases.folder_of(release) / "qasper-train-v0.3.json").read_bytes()
    return [one["question_writer"] for paper in json.loads(text).values() for one in paper["qas"]]


def test_the_choice_goes_from_the_count_to_the_build(leading):
    page = leading.get("new_release", query={"format": "qasper", "split": ["train"], "name_writers": "on"})
    assert page.content.decode().count('name="name_writers"') == 2
    assert "name_writers=on" in page.context["query"]


def test_a_project_in_which_nobody_writes_items_does_not_ask(lead, lights):
    assert "name_writers" not in lead.get("new_release").content.decode()
