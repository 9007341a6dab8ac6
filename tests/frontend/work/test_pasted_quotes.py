"""One endpoint locates pasted quotes, for every protocol, and only for somebody who may read the text now."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import User
from tasks.engine import assignments
from tests.builders import GOOD, Worker, open_papers, open_with, questions, reload
from tests.people import join
from tests.tasks.test_blocks import asked

QUOTE = "Anna Berg’s"
PAGE = "<p>Anna Berg's light, and the fog. Anna Berg's boat.</p><p>Anna Berg’s tower.</p>"


@pytest.fixture
def at_the_box(nq, alice, client, tmp_path):
    """Alice selecting in a paragraph that has the phrase twice, with other quotation marks than she pastes."""
    open_with(nq, tmp_path, questions(1, page=PAGE))
    worker = Worker(alice, nq)
    mine = worker.claim()
    client.force_login(alice)
    worker.commit(mine, "question", GOOD)
    box = assignments.work_of(reload(mine)).sheet("long_answer").boxes[0]
    worker.commit(mine, "long_answer", {"kind": "box", "candidate": box.index, "quote": box.excerpt[:200]})
    return mine


def ask(client, assignment, stage, text):
    return client.get(reverse("find_quote", args=[assignment.uuid, stage]), {"text": text})


def test_in_a_box_it_gives_the_tokens_of_each_place_and_nothing_of_the_rest_of_the_page(at_the_box, client):
    matches = ask(client, at_the_box, "short_answer", QUOTE).json()["matches"]
    text = assignments.work_of(reload(at_the_box)).record.documents[0].rendering()
    assert [text.quote(match["start"], match["end"]) for match in matches] == ["Anna Berg's", "Anna Berg's"]
    assert ask(client, at_the_box, "short_answer", "tower").json() == {"matches": []}


def test_of_an_overlong_quote_no_prefix_is_taken_instead(at_the_box, client):
    spaced = QUOTE + " " * 2000
    assert ask(client, at_the_box, "short_answer", spaced[:2000]).json()["matches"]
    assert ask(client, at_the_box, "short_answer", spaced + "tower").json() == {"matches": []}


@pytest.mark.parametrize("stage", ["question", "long_answer"])
def test_stages_without_words_to_mark_have_no_such_endpoint(at_the_box, client, stage):
    assert ask(client, at_the_box, stage, "Anna").status_code == 404


@pytest.fixture
def papers(db):
    return open_papers()


@pytest.fixture
def wendy(papers, client):
    client.force_login(join(papers, "wendy"))
    return Worker(User.objects.get(username="wendy"), papers, "ask")


def test_in_a_paper_it_gives_the_code_points_of_whole_words_in_its_paragraphs(papers, wendy, client):
    wendy.commit(wendy.claim(), "questions", asked("Which corpus was it?"))
    adam = Worker(join(papers, "adam"), papers, "answer")
    mine = adam.claim().lease.assignments.get()
    client.force_login(adam.user)
    paragraphs = assignments.work_of(reload(mine)).sheet("answer").passages
    place, text = next((place, text) for place, text in enumerate(paragraphs) if len(text.split()) > 12)
    words = text.split()[2:9]
    matches = ask(client, mine, "answer", "\n ".join(words).upper()).json()["matches"]
    assert [match["text"] for match in matches] == [place]
    assert text[matches[0]["start"] : matches[0]["end"]].split() == words
    assert ask(client, mine, "answer", "xyzzy").json() == {"matches": []}


def test_somebody_asking_about_a_paper_cannot_look_for_words_in_it(wendy, client):
    mine = wendy.claim()
    assert ask(client, mine, "questions", "the").status_code == 404
    assert ask(client, mine, "answer", "the").status_code == 404
