"""A second version of a submitted answer replaces the first if a lead could re-open it for its author."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import randomness
from annotation.engine import exclusion
from annotation.errors import AlreadyClosed, KeyReused, PayloadInvalid, StalePage
from annotation.models import Event, Project, Response
from tasks import corrections
from tasks.engine import assignments
from tasks.models.states import AssignmentState, TaskState
from tests.builders import BAD, GOOD, NO_ANSWER, Worker, open_with, project, questions, reload
from tests.people import NOON
from tests.tasks.test_blocks import UNANSWERABLE, asked

SOON = NOON + timedelta(minutes=2)
SPREAD = {"kind": "none", "reason": "spread"}


@pytest.fixture(scope="module")
def nq_once(shared_rows, tmp_path_factory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(3))
    return made.pk


@pytest.fixture
def nq(nq_once, db) -> Project:
    """Three questions, made once for all tests of the module."""
    return Project.objects.get(pk=nq_once)


@pytest.fixture
def worker(nq, alice):
    return Worker(alice, nq)


@pytest.fixture
def done(worker):
    """An answer by alice: the question is good, the page has no answer."""
    return worker.finish_without_answer()


def replace(worker, assignment, stage, payload, *, now=SOON, **fence):
    fresh = reload(assignment)
    fence = {"key": randomness.handle(), "seen": assignments.work_of(fresh).seen} | fence
    return corrections.replace(fresh, stage, payload, by=worker.user, now=now, **fence)


def reasons(assignment):
    rows = Response.objects.filter(annotation=assignment.annotation, stage="long_answer").order_by("pk")
    return [(row.revision, row.payload["reason"]) for row in rows]


def test_replacing_creates_a_superseding_version_and_erases_nothing(worker, done):
    assert replace(worker, done, "long_answer", SPREAD).next_step is None
    fresh = reload(done)
    assert reasons(done) == [(1, "page"), (2, "spread")]
    assert (fresh.state, fresh.task.state) == (AssignmentState.SUBMITTED, TaskState.DONE)
    assert fresh.annotation.completed_at == NOON
    assert fresh.lease.closed_at == SOON


def test_the_next_piece_of_work_stays_held(worker, done):
    following = worker.claim(now=SOON)
    replace(worker, done, "long_answer", SPREAD)
    assert worker.claim(now=SOON) == following
    assert reload(done).state == AssignmentState.SUBMITTED


def test_a_second_version_that_is_not_the_last_stage_opens_the_work_again(worker, done):
    box = {"kind": "box", "candidate": 0, "quote": ""}
    with pytest.raises(PayloadInvalid):
        replace(worker, done, "long_answer", box)
    assert reload(done).state == AssignmentState.SUBMITTED
    excerpt = assignments.work_of(done).sheet("long_answer").boxes[0].excerpt
    outcome = replace(worker, done, "long_answer", box | {"quote": excerpt[:200]})
    assert outcome.next_step == "short_answer"
    assert worker.claim(now=SOON) == done


def test_repeated_under_its_key_it_is_one_version(worker, done):
    key = randomness.handle()
    for _ in range(2):
        outcome = replace(worker, done, "long_answer", SPREAD, key=key)
    assert outcome.replayed
    assert len(reasons(done)) == 2
    assert reload(done).state == AssignmentState.SUBMITTED
    with pytest.raises(KeyReused):
        replace(worker, done, "long_answer", NO_ANSWER, key=key)
    assert reload(done).state == AssignmentState.SUBMITTED


def test_a_first_version_that_was_changed_meanwhile_is_not_replaced_unseen(worker, done):
    replace(worker, done, "long_answer", SPREAD)
    with pytest.raises(StalePage):
        replace(worker, done, "long_answer", NO_ANSWER, seen=2)
    assert len(reasons(done)) == 2
    assert reload(done).state == AssignmentState.SUBMITTED


def test_a_sealed_verdict_is_not_replaced_by_its_author(worker):
    bad = worker.finish_bad()
    with pytest.raises(AlreadyClosed):
        replace(worker, bad, "question", GOOD)
    assert Response.objects.get().payload["verdict"] == BAD["verdict"]


@pytest.mark.parametrize("what", ["too late", "excluded", "skipped"])
def test_what_could_not_be_re_opened_is_not_replaced(worker, done, nq, what):
    now = SOON + timedelta(minutes=done.lease.queue.lease_minutes) if what == "too late" else SOON
    if what == "excluded":
        exclusion.exclude(nq, uuids=[done.annotation.uuid], by=None, reason="test", now=SOON)
    if what == "skipped":
        type(done).objects.update(state=AssignmentState.SKIPPED)
    with pytest.raises(AlreadyClosed):
        replace(worker, done, "long_answer", SPREAD, now=now)
    assert len(reasons(done)) == 1


def test_the_history_says_that_its_author_opened_it_and_no_lead_is_mentioned(worker, done):
    replace(worker, done, "long_answer", SPREAD)
    event = Event.objects.get(kind="annotation.reopened")
    assert (event.by, event.data["reason"]) == (worker.user.pk, corrections.REASON)
    assert corrections.last_reopening(reload(done)) is None


def test_the_history_has_the_re_opening_before_what_followed_from_it(worker, done):
    before = Event.objects.latest("pk").pk
    replace(worker, done, "long_answer", SPREAD)
    events = Event.objects.filter(pk__gt=before).order_by("pk").values_list("kind", flat=True)
    assert list(events) == [
        "assignment.leased", "task.open", "task.full", "annotation.reopened", "assignment.submitted", "task.done"
    ]  # fmt: skip


def test_in_an_open_block_it_is_a_revision(wendy, adam):
    wendy.commit(wendy.claim(), "questions", asked("Which corpus was it?", "How many people took part?"))
    one = adam.claim()
    adam.commit(one, "answer", UNANSWERABLE)
    fresh = reload(one)
    corrections.replace(fresh, "answer", UNANSWERABLE, by=adam.user, key=randomness.handle(), seen=1, now=SOON)
    assert [row.revision for row in Response.objects.filter(annotation=one.annotation).order_by("pk")] == [1, 2]
    assert not Event.objects.filter(kind="annotation.reopened").exists()


def test_questions_that_others_are_answering_are_not_replaced(wendy):
    card = wendy.claim()
    wendy.commit(card, "questions", asked("Which corpus was it?"))
    with pytest.raises(AlreadyClosed):
        replace(wendy, card, "questions", asked("Another one, is it?"))
