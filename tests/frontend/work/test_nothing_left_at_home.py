"""The home page offers available work, says why there is none elsewhere, and has no Start that leads nowhere."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Job, Project
from frontend.bots.bot import Bot
from tasks.engine import eligibility, queues
from tasks.models import Task
from tasks.setup import opening
from tests.builders import Worker, load, open_papers, open_with, project, questions, write_lines
from tests.people import NOON, join


@pytest.fixture(scope="module")
def lights_once(shared_rows, tmp_path_factory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(1))
    return made.pk


@pytest.fixture
def nq(lights_once, db):
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def lights(nq):
    return nq


def home(bot):
    return bot.client.get(reverse("home")).content.decode()


def test_somebody_who_has_done_all_they_may_is_told_so_and_offered_no_start(lights):
    alice = Bot(join(lights, "alice"), Random(1))
    assert "Start" in home(alice)
    while alice.finish_one(lights, "annotate"):
        pass
    text = home(alice)
    assert "Start" not in text
    assert "The rest is for other people" in text or "all the answers it needs" in text
    assert "Look again" in text


def test_what_others_hold_is_mentioned_and_held_work_continues(lights):
    alice, bob = (Bot(join(lights, name), Random(1)) for name in ("alice", "bob"))
    alice.claim(lights, "annotate")
    assert "Other people are working on everything that is left." in home(bob)
    assert "Start" not in home(bob)
    assert "Go on" in home(alice)
    assert "Look again" not in home(alice)


def test_available_work_comes_before_what_is_not_available(lights, tmp_path):
    alice = Bot(join(lights, "alice"), Random(1))
    while alice.finish_one(lights, "annotate"):
        pass
    other = project("shores")
    open_with(other, tmp_path, questions(2, start=10))
    join(other, "alice")
    text = home(alice)
    assert text.index("Shores") < text.index("Lights")
    assert text.count("Start") == 1


@pytest.fixture(scope="module")
def harbours_once(shared_rows, tmp_path_factory) -> int:
    texts = ["who tended the light"] * 3 + ["who lit it"] * 2 + ["who built it"]
    made = project("harbours")
    lines = [line | {"question_text": text} for line, text in zip(questions(6), texts, strict=True)]
    open_with(made, tmp_path_factory.mktemp("harbours"), lines)
    return made.pk


@pytest.fixture
def harbours(harbours_once, db):
    """Six items, of which three ask one question and two another."""
    return Project.objects.get(pk=harbours_once)


def test_the_rest_counts_a_question_once_however_many_pages_it_has(harbours):
    alice = Bot(join(harbours, "alice"), Random(1))
    assert "3 questions left" in home(alice)
    alice.claim(harbours, "annotate")
    assert "2 questions left" in home(alice)


def test_a_single_one_is_counted_in_the_singular(nq, alice):
    assert "1 question left" in home(Bot(alice, Random(1)))


@pytest.mark.parametrize(
    ("counted", "said"), [(1, "more than 1 question left"), (2, "more than 2 questions left"), (3, "3 questions left")]
)
def test_the_rest_is_counted_up_to_a_limit_only(harbours, monkeypatch, counted, said):
    """The six items ask three questions, three items the same one: to find that out, counting goes beyond the first."""
    monkeypatch.setattr(eligibility, "COUNTED", counted)
    text = home(Bot(join(harbours, "alice"), Random(1)))
    assert said in text
    assert ("more than" in text) == ("more than" in said)


def asked(*texts: str) -> dict:
    """What somebody sends who asks these questions about a paper."""
    said = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    return said | {"questions": [{"text": text, "answerable_from_abstract": False} for text in texts]}


@pytest.fixture(scope="module")
def papers_once(shared_rows) -> int:
    return open_papers("otters").pk


@pytest.fixture
def papers(papers_once, db):
    """Papers with a queue for asking and one for answering, both filled: no question has been asked yet."""
    return Project.objects.get(pk=papers_once)


def at_home(user) -> str:
    """The home page as they see it, which changes nothing in the queues."""
    before = Task.objects.count()
    text = home(Bot(user, Random(1)))
    assert Task.objects.count() == before
    return text


def test_questions_asked_a_moment_ago_are_offered_before_they_are_in_the_queue(papers):
    adam, wendy = join(papers, "adam"), join(papers, "wendy")
    assert "Look again" in at_home(adam)
    asking = Worker(wendy, papers, "ask")
    asking.commit(asking.claim(), "questions", asked("Which corpus was it?", "Is the code open?"))
    assert not Task.objects.filter(activity="answer").exists()
    assert "2 questions left" in at_home(adam)
    held = Worker(adam, papers, "answer").claim()
    assert held.lease.assignments.count() == 2


def test_questions_about_a_paper_that_one_has_asked_about_are_not_offered(db):
    papers = open_papers("pools", separate_pools=False)
    wendy = join(papers, "wendy")
    asking = Worker(wendy, papers, "ask")
    asking.commit(asking.claim(), "questions", asked("Which corpus was it?"))
    text = at_home(wendy)
    assert "questions left" not in text
    assert "question left" not in text
    assert "Look again" in text


def test_what_an_import_has_just_brought_is_offered_before_it_is_in_the_queue(nq, alice, tmp_path):
    Worker(alice, nq).finish_bad()
    assert "Look again" in at_home(alice)
    load(nq, write_lines(tmp_path / "more.jsonl", questions(3, start=10)))
    assert "3 questions left" in at_home(alice)
    assert Worker(alice, nq).claim().task.item.external_id


def test_a_queue_that_has_been_full_for_long_is_noted_as_full_and_finds_what_comes_then(papers):
    adam, wendy = join(papers, "adam"), join(papers, "wendy")
    full = clock.now() + timedelta(days=1)
    for queue in papers.queues.all():
        for minutes, noted in ((0, 0), (59, 0), (60, 60), (119, 60)):
            assert queues.fill(queue, now=full + timedelta(minutes=minutes)) == 0
            queue.refresh_from_db()
            assert queue.filled_at == full + timedelta(minutes=noted)
    asking, later = Worker(wendy, papers, "ask"), full + timedelta(minutes=120)
    asking.commit(asking.claim(now=later), "questions", asked("Which corpus was it?"), now=later)
    assert "1 question left" in at_home(adam)


def test_nothing_is_offered_of_a_queue_that_is_not_open_or_an_import_that_is_not_done(nq, alice, lena, tmp_path):
    Worker(alice, nq).finish_bad()
    load(nq, write_lines(tmp_path / "more.jsonl", questions(3, start=10)))
    Job.objects.update(state=Job.State.RUNNING)
    assert "Look again" in at_home(alice)
    Job.objects.update(state=Job.State.DONE)
    opening.pause(nq, "annotate", by=lena, now=NOON)
    assert "questions left" not in at_home(alice)
