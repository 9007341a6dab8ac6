"""The edge cases of answering from papers, one test per case."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from django.urls import reverse

from annotation.engine import loading
from annotation.models import Annotation, Flag, Response
from annotation.protocols.qasper import demo
from frontend.bots.bot import Bot
from tasks.engine import assignments, claiming, leases, queues, skip_and_return
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState, TaskState
from tests.builders import Worker, load, open_papers, project, reload
from tests.people import NOON, join
from tests.protocols.qasper.test_releases import KELP, answers
from tests.tasks.test_blocks import LATER, UNANSWERABLE, asked


@pytest.fixture(scope="module")
def held(shared_rows):
    """A project, and an answerer who holds three questions about one paper, the keys of whose work are returned too."""
    papers = open_papers()
    writer = Worker(join(papers, "wendy"), papers, "ask")
    three = asked("Which corpus was it?", "How many people took part?", "Is the code open?")
    writer.commit(writer.claim(), "questions", three)
    adam = Worker(join(papers, "adam"), papers, "answer")
    return papers, adam, list(adam.claim().lease.assignments.order_by("pk").values_list("pk", flat=True))


@pytest.fixture
def papers(held, db):
    return held[0]


@pytest.fixture
def adam(held, db):
    return held[1]


@pytest.fixture
def block(held, db):
    return list(Assignment.objects.filter(pk__in=held[2]).order_by("pk"))


def states(block):
    return [reload(row).state for row in block]


def test_of_a_figure_whose_image_is_missing_the_caption_only_is_shown_and_it_can_be_reported(db, tmp_path):
    found = project("bare", "qasper")
    path = tmp_path / "papers.json"
    path.write_bytes(Path(demo.PAPERS).read_bytes())  # without the images beside it
    load(found, path, split="train")
    for activity in ("ask", "answer"):
        queues.open_queue(found, activity, by=None, now=NOON)
    writer = Worker(join(found, "wilma"), found, "ask")
    queues.fill(found.queues.get(activity="ask"), now=NOON)
    tasks = Task.objects.filter(queue__project=found, activity="ask").select_related("item")
    items = [task.item for task in tasks]
    pictured = next(
        item for item in items if b'"figures_and_tables":[{' in loading.item_record(item).documents[0].source
    )
    card = claiming.claim(found, "ask", by=writer.user, now=NOON, item=pictured)
    writer.commit(card, "questions", asked("Which corpus was it?"))
    bot = Bot(join(found, "arne"), Random(1))
    page = bot.claim(found, "answer")
    shown = bot.client.get(page).content.decode()
    assert "Its caption can still be evidence" in shown
    assert "/image/" not in re.sub(r"data-url-\S+", "", shown)
    bot.post(page + "report/", {"reason": "broken", "text": "Figure 1 is missing."})
    assert Flag.objects.get().text == "Figure 1 is missing."


def test_a_defect_of_the_text_is_reported_with_the_paragraph(adam, block):
    bot = Bot(adam.user, Random(1))
    page = reverse("work", args=[block[0].uuid])
    assert 'name="where"' in bot.client.get(page).content.decode()
    bot.post(page + "report/", {"reason": "broken", "where": "Method, paragraph 3", "text": "words run together"})
    assert Flag.objects.get().text == "Method, paragraph 3: words run together"


def test_a_question_answered_in_the_abstract_is_allowed_and_tagged(adam, block, papers):
    page = assignments.work_of(block[0]).sheet("answer")
    sentence = next(p for section in page.sections for p in section.paragraphs if p.sentences)
    unit = {
        "kind": "sentences",
        "paragraph": sentence.index,
        "start": 0,
        "end": 1,
        "quote": sentence.sentences[0].text,
    }
    payload = {"kind": "abstractive", "text": "the same", "evidence": [unit], "in_abstract": True}
    adam.commit(block[0], "answer", payload)
    assert Response.objects.get(stage="answer").payload["in_abstract"] is True


def test_when_expertise_is_too_low_mid_block_the_rest_is_returned_and_committed_ones_stay_valid(adam, block):
    adam.commit(block[0], "answer", UNANSWERABLE)
    skip_and_return.give_back(reload(block[1]), by=adam.user, now=NOON)
    assert states(block) == [AssignmentState.SUBMITTED, AssignmentState.RETURNED, AssignmentState.RETURNED]
    assert Annotation.objects.filter(completed_at__isnull=False, activity="answer", excluded_at=None).count() == 1


def test_when_a_block_expires_half_done_committed_answers_fill_their_own_slots_and_only_the_rest_re_opens(adam, block):
    adam.commit(block[0], "answer", UNANSWERABLE)
    leases.expire_overdue(now=LATER)
    assert states(block) == [AssignmentState.SUBMITTED, AssignmentState.EXPIRED, AssignmentState.EXPIRED]
    assert [reload(row).task.state for row in block] == [TaskState.DONE, TaskState.OPEN, TaskState.OPEN]


@pytest.mark.parametrize("taken", [False, True], ids=["still open", "taken and begun"])
def test_late_answers_to_re_opened_questions_are_adopted_or_surplus_and_never_lost(adam, block, papers, taken):
    leases.expire_overdue(now=LATER)
    if taken:
        other = Worker(join(papers, "olga"), papers, "answer")
        for row in other.claim(now=LATER).lease.assignments.all():
            other.commit(row, "answer", UNANSWERABLE, now=LATER)
    adam.commit(block[0], "answer", UNANSWERABLE, now=LATER)
    assert reload(block[0]).state == (AssignmentState.LATE if taken else AssignmentState.SUBMITTED)
    assert block[0].annotation.responses.count() == 1
    assert reload(block[0]).annotation.exclusion_reason == ("late" if taken else "")


def test_two_answers_that_differ_in_answerability_both_stay_as_references():
    found = answers({"kind": "unanswerable"}, {"kind": "abstractive", "text": "kelp", "evidence": [KELP]})
    assert [answer["unanswerable"] for answer in found] == [True, False]
    assert [answer["free_form_answer"] for answer in found] == ["", "kelp"]
