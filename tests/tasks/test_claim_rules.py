"""The numbered rules of `eligibility.free_tasks`, and what a claim says when there is no work."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import membership
from annotation.errors import NotEligible, NotFound
from annotation.models import Role
from tasks.engine import claiming, eligibility, leases, skip_and_return
from tasks.engine.no_work import NoWork
from tasks.models import Task
from tasks.models.states import AssignmentState, TaskState
from tests.builders import Worker, open_with, project, questions, reload
from tests.factories.people import MembershipFactory
from tests.people import NOON, join

pytestmark = pytest.mark.on_both_databases


@pytest.fixture
def lights(nq, tmp_path):
    open_with(nq, tmp_path, questions(3))
    return nq


def test_alice_gets_an_open_task_of_the_queue(lights, alice):
    claimed = Worker(alice, lights).claim()
    assert claimed.state == AssignmentState.LEASED
    assert claimed.task.queue.project == lights


def test_work_of_a_paused_queue_is_not_given_out(lights, alice):
    lights.queues.update(state="paused")
    assert Worker(alice, lights).claim() == NoWork("not_open")


def test_alice_gets_the_same_work_again_until_it_is_done(lights, alice):
    first = Worker(alice, lights).claim()
    assert Worker(alice, lights).claim(now=NOON + timedelta(minutes=5)) == first


def test_a_full_task_is_not_given_to_bob(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).claim()
    assert Worker(bob, nq).claim().reason == "others_hold"


def test_bob_is_told_when_the_work_that_others_hold_may_be_free(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).claim()
    assert Worker(bob, nq).claim().next_at == NOON + timedelta(minutes=20)


def test_an_overdue_lease_is_expired_before_bob_is_sent_away(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    hers = Worker(alice, nq).claim()
    last = NOON + timedelta(minutes=20)
    assert leases.expire_overdue(now=last - timedelta(seconds=1)) == 0
    his = Worker(bob, nq).claim(now=last)
    assert his.task == hers.task
    assert reload(hers).state == AssignmentState.EXPIRED


def test_only_overdue_leases_of_the_project_and_activity_are_expired_if_they_are_given(nq, papers, wendy):
    card = wendy.claim()
    overdue = NOON + timedelta(days=30)
    for other, activity in ((nq, "annotate"), (papers, "answer")):
        assert leases.expire_overdue(now=overdue, project=other, activity=activity) == 0
    assert reload(card).state == AssignmentState.LEASED
    assert leases.expire_overdue(now=overdue, project=papers, activity="ask") == 1


def test_alice_never_gets_an_item_again_that_she_answered(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(3, split="dev"))
    mine = [Worker(alice, nq).finish_bad().task.item_id for _ in range(3)]
    assert len(set(mine)) == 3
    assert Worker(alice, nq).claim() == NoWork("done_all_you_may")


def test_a_skipped_item_never_comes_back_to_the_same_person(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    skipped = Worker(alice, nq).claim()
    skip_and_return.skip(skipped, by=alice, reason="hard", text="", now=NOON)
    assert Worker(alice, nq).claim() == NoWork("done_all_you_may")
    assert Worker(bob, nq).claim().task == skipped.task


def test_a_returned_item_is_offered_first_to_whoever_returned_it(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(9))
    begun = Worker(alice, nq).claim()
    skip_and_return.give_back(begun, by=alice, now=NOON)
    again = Worker(alice, nq).claim()
    assert (again.task, again.annotation) == (begun.task, begun.annotation)
    assert again.uuid != begun.uuid


def test_an_expired_item_may_come_back_to_the_same_person(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    begun = Worker(alice, nq).claim()
    leases.expire_overdue(now=NOON + timedelta(hours=1))
    assert Worker(alice, nq).claim(now=NOON + timedelta(hours=1)).annotation == begun.annotation


def test_items_already_begun_come_first_in_the_seeded_order_when_one_annotation_each_is_wanted(tmp_path, db):
    lights = project(activities={"annotate": {"draw": "in_order"}})
    open_with(lights, tmp_path, questions(5))
    order = list(Task.objects.order_by("order"))
    people = [Worker(join(lights, name), lights) for name in ("alice", "bob", "carol")]
    assert [person.claim().task for person in people] == order[:3]


def test_with_overlap_five_the_same_item_goes_to_five_people_and_no_sixth(nq, tmp_path):
    open_with(nq, tmp_path, questions(1, split="dev"))
    for number in range(5):
        Worker(join(nq, f"annotator-{number}"), nq).finish_bad()
    assert Worker(join(nq, "sixth"), nq).claim() == NoWork("all_done")
    assert Task.objects.get().state == TaskState.DONE


def test_a_task_that_is_open_without_a_free_slot_is_repaired_and_the_next_one_given(tmp_path, db):
    twice = project(activities={"annotate": {"overlap": {"train": 2}, "draw": "in_order"}})
    open_with(twice, tmp_path, questions(2))
    first, _same = (Worker(join(twice, name), twice).claim().task for name in ("ada", "ben"))
    Task.objects.filter(pk=first.pk).update(state=TaskState.OPEN)
    assert Worker(join(twice, "cleo"), twice).claim().task != first
    first.refresh_from_db()
    assert first.state == TaskState.FULL


def test_items_of_an_import_become_tasks_when_somebody_asks_for_work(lights, alice, tmp_path):
    for _ in range(3):
        Worker(alice, lights).finish_bad()
    from tests.builders import load, write_lines

    later = NOON + timedelta(minutes=1)
    load(lights, write_lines(tmp_path / "more.jsonl", questions(2, start=50)), clock=lambda: later)
    assert Worker(alice, lights).claim(now=later).task.item.external_id in {"51", "52"}


@pytest.mark.parametrize(
    ("role", "reason"), [(None, "not_a_member"), (Role.LEAD, "leads_cannot_claim"), ("no consent", "consent_missing")]
)
def test_people_who_may_not_work_in_a_project_are_told_why(lights, mallory, role, reason):
    if role is not None:
        kind = Role.ANNOTATOR if role == "no consent" else role
        MembershipFactory(project=lights, user=mallory, role=kind)
    with pytest.raises(NotEligible) as refused:
        claiming.claim(lights, "annotate", by=mallory, now=NOON)
    assert refused.value.reason == reason


def test_a_member_in_good_standing_may_work_in_the_project_whatever_the_activity(lights, alice):
    assert eligibility.why_not_claim(alice, lights) is None
    assert eligibility.why_not_claim(alice, lights, "annotate") is None


@pytest.mark.parametrize("since", ["leads_cannot_claim", "sees_answers", "consent_missing"])
def test_who_may_no_longer_work_is_not_given_again_what_they_hold(lights, alice, settings, since):
    held = Worker(alice, lights).claim()
    if since == "leads_cannot_claim":
        MembershipFactory(project=lights, user=alice, role=Role.LEAD)
    elif since == "sees_answers":
        MembershipFactory(project=lights, user=alice, role=Role.EXPERT)
        membership.see_answers(user=alice, project=lights, now=NOON)
    else:
        settings.GOLDFINCH_ORGANISATION = "Another one, whose text nobody has accepted"
    with pytest.raises(NotEligible) as refused:
        claiming.claim(lights, "annotate", by=alice, now=NOON)
    assert (refused.value.reason, reload(held).state) == (since, AssignmentState.LEASED)


def test_an_activity_that_the_protocol_does_not_have_is_not_found(nq, alice):
    with pytest.raises(NotFound):
        claiming.claim(nq, "sing", by=alice, now=NOON)
