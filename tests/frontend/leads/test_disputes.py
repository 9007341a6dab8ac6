"""Two answers differ on whether a question about a paper can be answered: the lead sees it, and both stay."""

from __future__ import annotations

import html
import json

import pytest
from django.urls import reverse

from annotation import clock, releases
from annotation.models import Item, Project, User
from tasks.engine import queues
from tasks.models import Task
from tests.builders import Worker, open_papers
from tests.disagreeing import browser
from tests.people import NOON, join

ASKED = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
UNANSWERABLE = {"kind": "unanswerable"}
NO = {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True}


@pytest.fixture(scope="module")
def opened_once(shared_rows):
    """Papers whose questions get two answers each; nobody has asked about them. Lena leads."""
    join(open_papers(opened=("ask",), activities={"answer": {"overlap": {"train": 2}}}), "lena", "lead")


@pytest.fixture
def papers(opened_once, db):
    return Project.objects.get()


@pytest.fixture
def lead(papers):
    return browser(User.objects.get(username="lena"))


def answered(papers, *answers, least_agreement):
    """A question with these answers, each by another person."""
    queues.open_queue(papers, "answer", by=None, now=NOON, least_agreement=least_agreement)
    writer = Worker(join(papers, "wendy"), papers, "ask")
    question = {"text": "Is the code open?", "answerable_from_abstract": False}
    writer.commit(writer.claim(), "questions", ASKED | {"questions": [question]})
    for number, answer in enumerate(answers):
        worker = Worker(join(papers, f"annotator-{number}"), papers, "answer")
        worker.commit(worker.claim(), "answer", answer)
    return Item.objects.get(kind="question")


def shown(lead, item) -> tuple[str, str]:
    """The list of the project's questions and the page of this one, as the lead reads them."""
    pages = [reverse("items", args=[item.project.slug]), reverse("item", args=[item.project.slug, item.pk])]
    return tuple(html.unescape(lead.get(page).content.decode()) for page in pages)


def references(papers) -> list[bool]:
    """For each answer in a release, whether it says that the question can't be answered."""
    release = releases.build(papers, format="qasper", by=None, now=NOON)
    [paper] = json.loads(releases.folder_of(release).joinpath("qasper-train-v0.3.json").read_bytes()).values()
    return sorted(one["answer"]["unanswerable"] for one in paper["qas"][0]["answers"])


def test_answers_that_differ_in_answerability_are_disputed_if_the_queue_requires_agreement(lead, papers):
    item = answered(papers, UNANSWERABLE, NO, least_agreement=0.01)
    listed, page = shown(lead, item)
    assert '<span class="badge bad">disputed</span>' in listed
    board = lead.get(reverse("project", args=[papers.slug]))
    found = board.context["board"]
    assert found.numbers.progress.done == sum(row.progress.done for row in found.parts) == 2
    assert "1 dispute is open" in board.content.decode()
    assert "Agreement was 0.00 when all annotations were in; the queue wants at least 0.01" in page
    assert references(papers) == [False, True]


ALSO_AGREE = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/test_disputes.py::test_agreeing_answers_or_a_queue_without_a_threshold_are_done"
)
DONE = [
    ((UNANSWERABLE, NO), None),
    ((NO, NO), 0.01),
    pytest.param((UNANSWERABLE, UNANSWERABLE), 0.01, marks=ALSO_AGREE),
]


@pytest.mark.parametrize(("answers", "least"), DONE)
def test_agreeing_answers_or_a_queue_without_a_threshold_are_done(lead, papers, answers, least):
    item = answered(papers, *answers, least_agreement=least)
    listed, page = shown(lead, item)
    assert Task.objects.get(item=item).get_state_display() == "Done"
    assert "disputed</span>" not in listed
    assert "Disputed" not in page
    assert references(papers) == sorted(answer is UNANSWERABLE for answer in answers)


def test_somebody_who_holds_several_questions_is_one_person_at_work(lead, papers, monkeypatch):
    queues.open_queue(papers, "answer", by=None, now=NOON)
    writer = Worker(join(papers, "wendy"), papers, "ask")
    asked = [{"text": f"Is part {number} open?", "answerable_from_abstract": False} for number in range(3)]
    writer.commit(writer.claim(), "questions", ASKED | {"questions": asked})
    Worker(join(papers, "arne"), papers, "answer").claim()
    monkeypatch.setattr(clock, "now", lambda: NOON)
    board = lead.get(reverse("project", args=[papers.slug])).context["board"]
    assert sum(row.held for row in board.parts) == 3
    assert board.numbers.at_work == 1
