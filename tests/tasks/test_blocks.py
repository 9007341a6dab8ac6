"""Paper blocks and asking: what one lease covers, what stays when it ends, who may not do both."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest

from annotation import search
from annotation.engine.drafts import PageLoad
from annotation.errors import AlreadyClosed, NotEligible, WrongMove
from annotation.models import Draft, Item, Response
from tasks import corrections
from tasks.engine import assignments, claiming, leases, queues, similarity, skip_and_return, submitting
from tasks.engine.no_work import NoWork
from tasks.models import Assignment, ItemSimilarity, Lease, Queue, Task
from tasks.models.states import AssignmentState, TaskState
from tasks.setup import opening
from tests.builders import Worker, open_papers, reload
from tests.factories.papers_once import papers, papers_once
from tests.people import NOON, join

__all__ = ["papers", "papers_once"]

pytestmark = pytest.mark.on_both_databases

LATER = NOON + timedelta(hours=5)
UNANSWERABLE = {"kind": "unanswerable"}


def asked(*texts: str) -> dict:
    return {
        "nlp_background": "two",
        "topic_background": "familiar",
        "paper_read": "no",
        "search_query": "",
        "questions": [{"text": text, "answerable_from_abstract": False} for text in texts],
    }


@pytest.fixture
def block(wendy, adam):
    """Adam's block of three questions about one paper."""
    card = wendy.claim()
    wendy.commit(card, "questions", asked("Which corpus was it?", "How many people took part?", "Is the code open?"))
    return adam.claim(now=NOON + timedelta(minutes=1))


def test_finished_asking_creates_a_question_of_each_line_in_their_order(wendy, papers):
    wendy.commit(wendy.claim(), "questions", asked("Which corpus was it?", "How many people took part?"))
    made = Item.objects.filter(kind="question").order_by("pk")
    assert [item.payload["question"] for item in made] == ["Which corpus was it?", "How many people took part?"]
    assert {item.root.kind for item in made} == {"paper"}
    assert {item.made_from.author for item in made} == {wendy.user}


def test_leads_find_a_question_by_its_words_and_by_its_id(wendy, papers):
    wendy.commit(wendy.claim(), "questions", asked("Which corpus was it?", "How many people took part?"))
    first, _second = Item.objects.filter(kind="question").order_by("pk")
    for words in ("corpus Which", first.external_id):
        assert list(search.with_words(papers.items.all(), words)) == [first]


def test_questions_that_are_open_without_a_free_slot_are_repaired_and_not_given(db):
    twice = open_papers("twice", activities={"answer": {"overlap": {"train": 2}}})
    writer = Worker(join(twice, "wim"), twice, "ask")
    writer.commit(writer.claim(), "questions", asked("Which corpus was it?", "How many people took part?"))
    for name in ("ada", "ben"):
        assert Worker(join(twice, name), twice, "answer").claim().lease.assignments.count() == 2
    found = Task.objects.filter(queue__project=twice, activity="answer")
    assert {task.state for task in found} == {TaskState.FULL}
    found.update(state=TaskState.OPEN)
    assert Worker(join(twice, "cleo"), twice, "answer").claim().reason == "others_hold"
    assert {task.state for task in found.all()} == {TaskState.FULL}


def test_a_block_holds_all_questions_of_one_paper_under_one_lease(block):
    assert block.lease.assignments.count() == 3
    assert Task.objects.filter(activity="answer", state=TaskState.FULL).count() == 3


def test_a_block_includes_what_a_second_writer_asked_a_moment_ago(db):
    found = open_papers("twice", activities={"ask": {"overlap": {"train": 2}}})
    first, second, adam = (
        Worker(join(found, name), found, activity)
        for name, activity in (("wendy", "ask"), ("walter", "ask"), ("adam", "answer"))
    )
    card = first.claim()
    first.commit(card, "questions", asked("Which corpus was it?"))
    queues.fill(Queue.objects.get(project=found, activity="answer"), now=NOON)
    again = claiming.claim(found, "ask", by=second.user, now=NOON, item=card.task.item)
    second.commit(again, "questions", asked("Is it open?"))
    tasks = Task.objects.filter(queue__project=found, activity="answer")
    assert tasks.count() == 1, "the queue was filled since, which proves nothing"
    mine = adam.claim(now=NOON + timedelta(minutes=1))
    assert sorted(row.task.item.payload["question"] for row in mine.lease.assignments.all()) == [
        "Is it open?",
        "Which corpus was it?",
    ]


def test_claiming_again_resumes_the_block(block, adam):
    assert adam.claim(now=NOON + timedelta(hours=1)).lease == block.lease


def test_each_commit_submits_its_own_question_and_the_last_ends_the_block(block, adam):
    rows = list(block.lease.assignments.order_by("pk"))
    for row in rows[:-1]:
        adam.commit(row, "answer", UNANSWERABLE)
        assert Lease.objects.get(pk=block.lease_id).closed_at is None
    assert adam.commit(rows[-1], "answer", UNANSWERABLE).next_step is None
    assert Lease.objects.get(pk=block.lease_id).closed_at is not None
    assert Task.objects.filter(activity="answer", state=TaskState.DONE).count() == 3


def test_a_task_does_not_settle_while_its_block_is_open(block, adam):
    adam.commit(block, "answer", UNANSWERABLE)
    assert reload(block).task.state == TaskState.FULL


def test_a_task_waits_for_whoever_may_still_revise_an_answer_in_an_open_block(db):
    found = open_papers("twice", activities={"answer": {"overlap": {"train": 2}}})
    wendy, adam, olga = (
        Worker(join(found, name), found, activity)
        for name, activity in (("wendy", "ask"), ("adam", "answer"), ("olga", "answer"))
    )
    wendy.commit(wendy.claim(), "questions", asked("Which corpus was it?", "Is it open?"))
    held = adam.claim()
    adam.commit(held, "answer", UNANSWERABLE)
    for row in olga.claim().lease.assignments.order_by("pk"):
        olga.commit(row, "answer", UNANSWERABLE)
    assert reload(held).task.state == TaskState.FULL
    for row in held.lease.assignments.exclude(pk=held.pk):
        adam.commit(row, "answer", UNANSWERABLE)
    tasks = Task.objects.filter(queue__project=found, activity="answer")
    assert set(tasks.values_list("state", flat=True)) == {TaskState.DONE}


def test_a_committed_answer_may_be_revised_while_the_block_is_open(block, adam):
    adam.commit(block, "answer", UNANSWERABLE)
    adam.commit(block, "answer", {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True})
    said = assignments.work_of(reload(block)).answers
    assert [entry.payload.kind for entry in said] == ["yes_no"]
    assert Response.objects.filter(annotation=block.annotation).count() == 2


def test_the_draft_of_a_revision_is_kept_while_the_block_is_open(block, adam):
    adam.commit(block, "answer", UNANSWERABLE)
    found, draft = {"kind": "free_form", "text": "A corpus of radio talks"}, Draft.objects.filter(author=adam.user)
    saved = {"by": adam.user, "tab": PageLoad(uuid.uuid4()), "seq": 1, "seen": 1, "now": NOON}
    submitting.save_draft(reload(block), "answer", found, **saved)
    assert draft.get().data == found
    for row in block.lease.assignments.order_by("pk"):
        adam.commit(row, "answer", UNANSWERABLE)
    with pytest.raises(AlreadyClosed):
        submitting.save_draft(reload(block), "answer", found, **saved | {"seen": 2})


def test_how_alike_answers_are_is_measured_again_when_one_of_them_is_revised(db):
    twice = open_papers("twice", activities={"answer": {"overlap": {"train": 2}}})
    writer = Worker(join(twice, "wim"), twice, "ask")
    writer.commit(writer.claim(), "questions", asked("Which corpus was it?", "How many people took part?"))
    ada, ben = (Worker(join(twice, name), twice, "answer") for name in ("ada", "ben"))
    hers, his = ada.claim(), ben.claim()
    his = his.lease.assignments.get(task=hers.task)
    for worker, held in ((ada, hers), (ben, his)):
        worker.commit(held, "answer", UNANSWERABLE)
    assert similarity.measure_due() == 1
    assert ItemSimilarity.objects.get().value == 1
    ada.commit(hers, "answer", {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True})
    assert not ItemSimilarity.objects.exists()
    for row in hers.lease.assignments.exclude(pk=hers.pk):
        ada.commit(row, "answer", UNANSWERABLE)
    assert similarity.measure_due() == 1
    assert ItemSimilarity.objects.get().value < 1


def test_a_committed_answer_cannot_be_revised_once_the_block_has_ended(block, adam):
    for row in block.lease.assignments.order_by("pk"):
        adam.commit(row, "answer", UNANSWERABLE)
    with pytest.raises(AlreadyClosed):
        adam.commit(block, "answer", UNANSWERABLE)


def test_a_block_ends_four_hours_after_the_last_input_and_at_the_latest_after_two_days(block):
    assert block.lease.expires_at == block.lease.opened_at + timedelta(hours=4)
    opened = block.lease.opened_at
    for hours in (47, 47.5):
        assert leases.renew(block.lease, now=opened + timedelta(hours=hours)) == opened + timedelta(hours=48)


def test_a_re_opened_answer_waits_a_week_and_then_its_author_has_a_whole_block_for_it(wendy, adam, papers):
    wendy.commit(wendy.claim(), "questions", asked("Which corpus was it?"))
    held = adam.claim(now=NOON + timedelta(minutes=1))
    adam.commit(held, "answer", UNANSWERABLE, now=NOON + timedelta(minutes=2))
    corrections.reopen(papers, held.annotation.uuid, by=None, reason="look again", now=NOON + timedelta(hours=1))
    opened, card = NOON + timedelta(days=3), Worker(join(papers, "walter"), papers, "ask").claim()
    assert adam.claim(now=opened) == held
    assert reload(card).lease.opened_at == NOON, "the time of others begins when it began"
    skip_and_return.give_back(reload(card), by=card.annotator, now=opened)
    seen, tab = assignments.work_of(reload(held)).seen, PageLoad(uuid.uuid4())
    submitting.save_draft(reload(held), "answer", UNANSWERABLE, by=adam.user, tab=tab, seq=1, seen=seen, now=opened)
    assert reload(held).lease.expires_at == opened + timedelta(hours=4)
    assert leases.expire_overdue(now=opened + timedelta(hours=5)) == 1
    assert reload(held).state == AssignmentState.SUBMITTED, "as it was handed in"


def test_after_a_week_a_re_opened_answer_is_as_it_was_handed_in(wendy, adam, papers):
    wendy.commit(wendy.claim(), "questions", asked("Which corpus was it?"))
    held = adam.claim(now=NOON + timedelta(minutes=1))
    adam.commit(held, "answer", UNANSWERABLE, now=NOON + timedelta(minutes=2))
    corrections.reopen(papers, held.annotation.uuid, by=None, reason="look again", now=NOON + timedelta(hours=1))
    ends = reload(held).lease.expires_at
    assert ends == NOON + timedelta(days=7, hours=1)
    assert isinstance(adam.claim(now=ends), NoWork)
    assert reload(held).state == AssignmentState.SUBMITTED


def test_a_block_whose_time_was_made_shorter_while_it_was_held_begins_anew(block, adam):
    queue = Queue.objects.get(activity="answer")
    opening.change(queue, numbers=opening.QueueSettings(30, None), by=None, now=NOON + timedelta(minutes=2))
    assert adam.claim(now=NOON + timedelta(minutes=45)) == block
    assert reload(block).lease.expires_at == NOON + timedelta(minutes=75)
    adam.claim(now=NOON + timedelta(minutes=60))
    assert reload(block).lease.expires_at == NOON + timedelta(minutes=75)


def test_when_a_block_expires_what_was_committed_stays_and_the_rest_is_free(block, adam, papers):
    adam.commit(block, "answer", UNANSWERABLE)
    leases.expire_overdue(now=LATER)
    states = sorted(row.state for row in Assignment.objects.filter(lease=block.lease))
    assert states == [AssignmentState.EXPIRED, AssignmentState.EXPIRED, AssignmentState.SUBMITTED]
    assert reload(block).task.state == TaskState.DONE
    other = Worker(join(papers, "olga"), papers, "answer").claim(now=LATER)
    assert other.lease.assignments.count() == 2


def test_returning_a_block_frees_the_rest_and_offers_it_to_the_returner_first(block, adam):
    rows = list(block.lease.assignments.order_by("pk"))
    adam.commit(rows[0], "answer", UNANSWERABLE)
    skip_and_return.give_back(reload(rows[1]), by=adam.user, now=NOON)
    assert sorted(row.state for row in Assignment.objects.filter(lease=block.lease)) == [
        AssignmentState.RETURNED, AssignmentState.RETURNED, AssignmentState.SUBMITTED
    ]  # fmt: skip
    assert adam.claim(now=LATER).lease.assignments.count() == 2


def test_skipping_one_question_leaves_the_others_in_the_block(block, adam):
    skip_and_return.skip(reload(block), by=adam.user, reason="hard", text="", now=NOON)
    assert assignments.next_in_block(reload(block)) is not None
    assert Lease.objects.get(pk=block.lease_id).closed_at is None


def test_two_answerers_never_get_the_same_question(block, papers):
    other = Worker(join(papers, "olga"), papers, "answer").claim(now=NOON + timedelta(minutes=2))
    assert isinstance(other, NoWork)


def test_people_who_ask_in_this_project_never_answer_in_it(wendy, adam, papers, block):
    with pytest.raises(NotEligible) as refused:
        Worker(wendy.user, papers, "answer").claim()
    assert refused.value.reason == "other_pool"
    with pytest.raises(NotEligible):
        Worker(adam.user, papers, "ask").claim()


def test_the_questions_of_a_block_come_in_random_order(db):
    found = open_papers("drawn")
    for name in ("wendy", "walter"):
        writer = Worker(join(found, name), found, "ask")
        texts = [f"Which corpus is number {number}?" for number in range(6)]
        writer.commit(writer.claim(), "questions", asked(*texts))
    blocks = [Worker(join(found, name), found, "answer").claim().lease for name in ("ada", "ben")]
    orders = [list(block.assignments.order_by("pk").values_list("task__order", flat=True)) for block in blocks]
    assert any(order != sorted(order) for order in orders)


def test_a_chosen_paper_is_the_one_that_is_given(wendy, papers):
    chosen = Item.objects.filter(kind="paper").order_by("pk")[7]
    assert claiming.claim(papers, "ask", by=wendy.user, now=NOON, item=chosen).task.item == chosen


def test_questions_that_others_are_answering_cannot_be_re_opened_but_an_answer_can(block, adam, wendy, papers):
    adam.commit(block, "answer", UNANSWERABLE, now=NOON + timedelta(minutes=2))
    leases.expire_overdue(now=NOON + timedelta(days=3))
    written = Item.objects.filter(kind="question").first().made_from
    with pytest.raises(WrongMove, match="other people may be working on them"):
        corrections.reopen(papers, written.uuid, by=None, reason="test", now=LATER)
    opened = corrections.reopen(papers, block.annotation.uuid, by=None, reason="test", now=LATER)
    assert adam.claim(now=LATER) == opened == block
    adam.commit(block, "answer", UNANSWERABLE, now=LATER)
    assert reload(block).state == AssignmentState.SUBMITTED
    assert reload(block).annotation.responses.count() == 2
