"""A membership ends at once or once work is finished, is given back, and its role changes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import membership
from annotation.errors import NotEligible, NotFound, ReasonMissing, WrongMove
from annotation.models import Event, Membership, Role
from tasks.engine import eligibility
from tasks.models.states import AssignmentState, TaskState
from tasks.people import memberships
from tests.builders import BAD, Worker, open_with, questions, reload
from tests.people import NOON, join

WHY = {"by": None, "reason": "the study is over", "now": NOON}


@pytest.fixture
def worker(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(2))
    return Worker(alice, nq)


def end(worker, *, finish=False, role=Role.ANNOTATOR, **said):
    return memberships.end(worker.project, worker.user, role, finish=finish, **(WHY | said))


def test_ended_at_once_their_work_is_taken_away_and_others_get_it(nq, worker, bob):
    held = worker.claim()
    end(worker)
    assert membership.roles_of(worker.user, nq) == frozenset()
    assert (reload(held).state, reload(held).task.state) == (AssignmentState.REVOKED, TaskState.OPEN)
    assert reload(held).lease.closed_at == NOON
    with pytest.raises(NotEligible):
        worker.claim()
    told = Event.objects.get(kind="assignment.revoked")
    assert told.data["reason"] == "membership_ended"
    given = {Worker(bob, nq).finish_bad().task_id for _turn in range(2)}
    assert held.task_id in given


def test_ended_once_finished_they_finish_what_they_hold_and_get_nothing_new(nq, worker):
    held = worker.claim()
    row = end(worker, finish=True)
    assert row.ended_at is None
    assert eligibility.why_not_claim(worker.user, nq) == "not_a_member"
    assert memberships.end_finished(now=NOON) == 0
    worker.commit(held, "question", BAD)
    assert reload(held).state == AssignmentState.SUBMITTED
    with pytest.raises(NotEligible):
        worker.claim()
    assert memberships.end_finished(now=NOON + timedelta(minutes=1)) == 1
    assert Membership.objects.get(user=worker.user).ended_at == NOON + timedelta(minutes=1)
    assert memberships.end_finished(now=NOON) == 0


def test_who_holds_nothing_has_nothing_to_finish(worker):
    assert end(worker, finish=True).ended_at == NOON


@pytest.mark.parametrize("finish", [True, False])
def test_it_is_given_back_and_they_get_work_again(nq, worker, finish, lena):
    worker.claim()
    end(worker, finish=finish)
    memberships.give_back(nq, worker.user, Role.ANNOTATOR, **(WHY | {"by": lena}))
    assert worker.claim().state == AssignmentState.LEASED
    kinds = list(Event.objects.filter(kind__startswith="member.").order_by("pk").values_list("kind", flat=True))
    assert kinds[-2:] == ["member.finishing" if finish else "member.ended", "member.given_back"]
    assert Event.objects.filter(kind="member.given_back", by=lena.pk, data__reason=WHY["reason"]).exists()
    with pytest.raises(WrongMove):
        memberships.give_back(nq, worker.user, Role.ANNOTATOR, **WHY)


def test_work_that_was_sent_back_counts_as_it_was(nq, worker):
    from tasks import corrections

    held = worker.finish_without_answer()
    corrections.reopen(nq, held.annotation.uuid, by=None, reason="look again", now=NOON)
    end(worker)
    assert reload(held).state == AssignmentState.SUBMITTED


def test_a_project_keeps_a_lead(nq, lena):
    with pytest.raises(WrongMove):
        memberships.end(nq, lena, Role.LEAD, finish=False, **WHY)
    join(nq, "otto", Role.LEAD)
    memberships.end(nq, lena, Role.LEAD, finish=False, **WHY)
    assert membership.roles_of(lena, nq) == frozenset()


def test_an_annotator_becomes_an_expert_and_keeps_their_work(nq, worker):
    held = worker.claim()
    memberships.change_role(nq, worker.user, Role.ANNOTATOR, to=Role.EXPERT, **WHY)
    assert membership.roles_of(worker.user, nq) == {Role.EXPERT}
    assert reload(held).state == AssignmentState.LEASED


def test_who_becomes_a_lead_holds_no_work_and_can_be_no_annotator_again(nq, worker, lena):
    held = worker.claim()
    memberships.change_role(nq, worker.user, Role.ANNOTATOR, to=Role.LEAD, **WHY)
    assert reload(held).state == AssignmentState.REVOKED
    with pytest.raises(WrongMove):
        memberships.change_role(nq, worker.user, Role.LEAD, to=Role.ANNOTATOR, **WHY)
    memberships.change_role(nq, worker.user, Role.LEAD, to=Role.EXPERT, **WHY)
    assert eligibility.why_not_claim(worker.user, nq) == "sees_answers"


def test_without_a_reason_or_the_role_nothing_changes(nq, worker):
    with pytest.raises(ReasonMissing):
        end(worker, reason=" ")
    with pytest.raises(NotFound):
        end(worker, role=Role.EXPERT)
    assert membership.roles_of(worker.user, nq) == {Role.ANNOTATOR}


@pytest.mark.parametrize("how", ["given back", "invited"])
def test_whoever_was_a_lead_is_given_no_work_as_an_annotator_again(nq, worker, lena, how):
    memberships.change_role(nq, worker.user, Role.ANNOTATOR, to=Role.LEAD, **WHY)
    memberships.end(nq, worker.user, Role.LEAD, finish=False, **WHY)
    if how == "invited":
        membership.join(project=nq, user=worker.user, role=Role.ANNOTATOR, by=lena, now=NOON)
    else:
        memberships.give_back(nq, worker.user, Role.ANNOTATOR, **WHY)
    assert eligibility.why_not_claim(worker.user, nq) == "sees_answers"
    with pytest.raises(NotEligible):
        worker.claim()
