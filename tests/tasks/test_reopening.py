"""Re-opened work: its author is offered it first and keeps the slot; what was submitted counts until it is replaced."""

from __future__ import annotations

import uuid
from datetime import timedelta

import orjson
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation import releases
from annotation.engine import exclusion
from annotation.engine.drafts import PageLoad
from annotation.errors import AlreadyClosed, NotFound, StageLocked, WrongMove
from annotation.models import Annotation, Event, Membership, Project
from tasks import corrections
from tasks.engine import assignments, leases, skip_and_return, submitting
from tasks.engine.no_work import NoWork
from tasks.models import Assignment
from tasks.models.states import AssignmentState, TaskState
from tests.builders import BAD, GOOD, NO_ANSWER, Worker, open_with, project, questions, reload
from tests.people import NOON

LATER = NOON + timedelta(hours=3)
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


def reopen(project, assignment, *, now=LATER, **options):
    asked = {"by": None, "reason": "look at the table again"} | options
    return corrections.reopen(project, assignment.annotation.uuid, now=now, **asked)


def released(project):
    """A release of what counts now."""
    return releases.build(project, format="nq", by=None, now=LATER, partial=True)


def responses_in(release):
    """How many responses of each annotation went into a release."""
    lines = (releases.folder_of(release) / "members.jsonl").read_bytes().splitlines()
    return [entry["responses"] for line in lines for entry in orjson.loads(line)["annotations"]]


def test_its_author_is_offered_re_opened_work_before_anything_new(nq, worker, done):
    reopen(nq, done)
    assert done.task.state == TaskState.DONE
    offered = worker.claim(now=LATER)
    assert offered == done
    assert reload(offered).state == AssignmentState.LEASED
    assert reload(offered).task.state == TaskState.FULL


def test_somebody_at_work_gets_it_next(nq, worker, done):
    other = worker.claim()
    reopen(nq, done)
    assert reload(done).lease == reload(other).lease
    assert worker.claim(now=LATER) == done
    worker.commit(done, "long_answer", NO_ANSWER, now=LATER)
    assert worker.claim(now=LATER) == other


def test_nobody_else_is_given_the_slot(nq, worker, done, bob):
    reopen(nq, done)
    others = Worker(bob, nq)
    while not isinstance(got := others.claim(now=LATER), NoWork):
        assert got.task != done.task
        others.commit(got, "question", BAD, now=LATER)


def test_the_page_opens_at_the_last_stage_with_what_was_answered(nq, worker, done, alice):
    reopen(nq, done)
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(alice)
    page = browser.post(reverse("claim", args=[nq.slug, "annotate"]), follow=True)
    assert page.context["work"].stage == "long_answer"
    assert page.context["work"].revising
    assert page.context["form"].initial["kind"] == "none"


def test_a_revision_replaces_what_counts_and_the_first_completion_stands(nq, worker, done):
    before = released(nq)
    reopen(nq, done)
    worker.commit(done, "long_answer", SPREAD, now=LATER)
    fresh = reload(done)
    assert (fresh.state, fresh.task.state) == (AssignmentState.SUBMITTED, TaskState.DONE)
    assert fresh.annotation.completed_at == NOON
    last = fresh.annotation.responses.latest("pk")
    assert (last.revision, last.created_at, last.payload["reason"]) == (2, LATER, "spread")
    assert (responses_in(before), responses_in(released(nq))) == ([2], [3])
    with pytest.raises(AlreadyClosed):
        worker.commit(done, "long_answer", NO_ANSWER, now=LATER)


def test_a_half_finished_revision_does_not_count(nq, worker, done):
    reopen(nq, done)
    sheet = assignments.work_of(reload(done)).sheet("long_answer")
    box = {"kind": "box", "candidate": 0, "quote": sheet.boxes[0].excerpt[:200]}
    assert worker.commit(done, "long_answer", box, now=LATER).next_step == "short_answer"
    assert responses_in(released(nq)) == [2]
    leases.expire_overdue(now=LATER + timedelta(days=8))
    assert reload(done).state == AssignmentState.SUBMITTED
    assert responses_in(released(nq)) == [2]


@pytest.mark.parametrize("leave", ["expire", "give_back", "skip"])
def test_re_opened_work_that_is_left_is_submitted_again_as_it_was(nq, worker, done, leave):
    reopen(nq, done)
    if leave == "expire":
        leases.expire_overdue(now=LATER + timedelta(days=8))
    elif leave == "give_back":
        skip_and_return.give_back(reload(done), by=worker.user, now=LATER)
    else:
        skip_and_return.skip(reload(done), by=worker.user, reason="other", text="", now=LATER)
    fresh = reload(done)
    assert (fresh.state, fresh.task.state) == (AssignmentState.SUBMITTED, TaskState.DONE)
    assert fresh.lease.closed_at is not None
    assert worker.claim(now=LATER + timedelta(days=9)) != done


def test_a_sealed_verdict_is_re_opened_only_if_the_page_was_not_seen(nq, worker, done):
    reopen(nq, done)
    with pytest.raises(StageLocked):
        worker.commit(done, "question", BAD, now=LATER)
    worker.commit(done, "long_answer", NO_ANSWER, now=LATER)
    bad = worker.finish_bad(now=LATER)
    reopen(nq, bad)
    assert worker.commit(bad, "question", GOOD, now=LATER).next_step == "long_answer"


def test_it_waits_for_a_week_and_then_as_long_as_any_lease(nq, worker, done):
    opened = reopen(nq, done)
    assert opened.lease.expires_at == LATER + timedelta(days=corrections.DAYS)
    worker.claim(now=LATER)
    assert reload(done).lease.expires_at < LATER + timedelta(days=1)


def test_the_history_says_who_re_opened_it_and_why(nq, done, lena):
    call_command("reopen", nq.slug, str(done.annotation.uuid), reason="look again", by="lena")
    event = Event.objects.get(kind="annotation.reopened")
    assert (event.by, event.data, event.subject) == (
        lena.pk, {"reason": "look again"}, f"annotation:{done.annotation.uuid}",
    )  # fmt: skip


def test_what_cannot_be_re_opened(nq, worker, done):
    begun = worker.claim()
    with pytest.raises(WrongMove, match="that a member of this project has finished"):
        reopen(nq, begun)
    with pytest.raises(WrongMove, match="Give a reason"):
        reopen(nq, done, reason=" ")
    with pytest.raises(NotFound):
        corrections.reopen(nq, uuid.uuid4(), by=None, reason="test", now=LATER)
    exclusion.exclude(nq, uuids=[done.annotation.uuid], by=None, reason="test", now=LATER)
    with pytest.raises(WrongMove, match="restore it first"):
        reopen(nq, done)
    with pytest.raises(CommandError, match="no annotation"):
        call_command("reopen", nq.slug, str(uuid.uuid4()), reason="test")
    assert Assignment.objects.get(state=AssignmentState.LEASED) == begun


def test_work_of_a_former_member_stays_closed(nq, done):
    Membership.objects.update(ended_at=LATER)
    with pytest.raises(WrongMove, match="no longer an annotator"):
        reopen(nq, done)


def test_a_second_re_opening_of_open_work_is_refused(nq, done):
    reopen(nq, done)
    with pytest.raises(WrongMove):
        reopen(nq, done)
    assert Annotation.objects.filter(completed_at__isnull=False).count() == 1


def test_a_re_opening_is_taken_back_as_if_it_had_never_been_and_the_history_says_why(nq, worker, done, lena):
    reopen(nq, done)
    corrections.take_back_reopening(nq, done.annotation.uuid, by=lena, reason="the wrong one", now=LATER)
    fresh = reload(done)
    assert (fresh.state, fresh.task.state) == (AssignmentState.SUBMITTED, TaskState.DONE)
    assert responses_in(released(nq)) == [2]
    event = Event.objects.get(kind=corrections.NOT_REOPENED)
    assert (event.by, event.data) == (lena.pk, {"reason": "the wrong one"})
    assert worker.claim(now=LATER) != done
    reopen(nq, done)
    assert reload(done).state == AssignmentState.LEASED


def test_a_re_opening_stays_once_its_author_has_saved_or_sent_something(nq, worker, done, lena):
    taken_back = {"by": lena, "reason": "the wrong one", "now": LATER + timedelta(hours=1)}
    reopen(nq, done)
    tab = PageLoad(client=uuid.uuid4())
    submitting.save_draft(reload(done), "long_answer", SPREAD, by=worker.user, tab=tab, seq=1, seen=2, now=LATER)
    with pytest.raises(WrongMove, match="has begun to change it"):
        corrections.take_back_reopening(nq, done.annotation.uuid, **taken_back)
    worker.commit(done, "long_answer", SPREAD, now=LATER)
    with pytest.raises(WrongMove):
        corrections.take_back_reopening(nq, done.annotation.uuid, **taken_back)
    assert responses_in(released(nq)) == [3]


def test_what_its_author_has_in_hand_besides_stays_theirs_when_a_re_opening_is_taken_back(nq, worker, done, lena):
    other = worker.claim()
    reopen(nq, done)
    corrections.take_back_reopening(nq, done.annotation.uuid, by=lena, reason="the wrong one", now=LATER)
    assert worker.claim(now=LATER) == other
    worker.commit(other, "question", BAD, now=LATER)
    assert {reload(row).task.state for row in (done, other)} == {TaskState.DONE}


@pytest.mark.parametrize("ends", ["changed", "skipped"])
def test_re_opened_work_is_settled_while_its_author_has_other_work_in_hand(nq, worker, done, ends):
    other = worker.claim()
    reopen(nq, done)
    if ends == "changed":
        worker.commit(done, "long_answer", SPREAD, now=LATER)
    else:
        skip_and_return.skip(reload(done), by=worker.user, reason="other", text="", now=LATER)
    assert (reload(done).task.state, reload(other).task.state) == (TaskState.DONE, TaskState.FULL)


def test_no_re_opening_is_taken_back_that_is_not_there(nq, worker, done, lena):
    for named in (done.annotation.uuid, worker.claim().annotation.uuid):
        with pytest.raises(WrongMove):
            corrections.take_back_reopening(nq, named, by=lena, reason="test", now=LATER)
    with pytest.raises(NotFound):
        corrections.take_back_reopening(nq, uuid.uuid4(), by=lena, reason="test", now=LATER)
