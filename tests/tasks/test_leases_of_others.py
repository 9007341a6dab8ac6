"""What happens to one lease leaves the leases of others as they were."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tasks.engine import leases, submitting
from tasks.engine.tabs import PageLoad
from tasks.models import Lease
from tasks.models.states import AssignmentState
from tests.builders import GOOD, PAGE_LOAD, Worker, open_with, project, questions, reload
from tests.people import NOON, join

pytestmark = pytest.mark.on_both_databases


def at(minutes):
    return NOON + timedelta(minutes=minutes)


@pytest.fixture
def lights(db, tmp_path):
    """A project with three questions for one person each."""
    made = project(activities={"annotate": {"overlap": {"train": 1}}})
    open_with(made, tmp_path, questions(3))
    return made


def ends(*held):
    return [(reload(each).lease.expires_at, reload(each).lease.closed_at) for each in held]


def test_renewing_one_extends_no_other_and_tells_its_new_end(ada, ben):
    hers, his = ada.claim(), ben.claim()
    assert leases.renew(hers.lease, now=at(5)) == hers.lease.expires_at == at(25)
    assert ends(hers, his) == [(at(25), None), (at(20), None)]


def test_a_closed_one_is_not_renewed(ada):
    done = ada.finish_bad()
    leases.close_if_done(done.lease, now=at(1))
    closed = ends(done)
    assert closed[0][1] is not None
    assert leases.renew(reload(done).lease, now=at(5)) is None
    assert ends(done) == closed


def test_one_is_closed_once_nothing_is_leased_under_it_whatever_others_hold(ada, ben):
    his = ben.claim()
    done = ada.finish_bad()
    Lease.objects.filter(pk=done.lease_id).update(closed_at=None)
    lease = reload(done).lease
    assert leases.close_if_done(lease, now=at(3))
    assert lease.closed_at == at(3)
    assert not leases.close_if_done(lease, now=at(4))
    assert not leases.close_if_done(reload(his).lease, now=at(4))
    assert ends(done, his) == [(at(20), at(3)), (at(20), None)]


def test_one_that_is_overdue_when_its_holder_renews_it_is_not_expired(ada):
    held = ada.claim()
    as_found = reload(held).lease
    leases.renew(held.lease, now=at(20))
    assert not leases.expire(as_found, now=at(20))
    assert reload(held).state == AssignmentState.LEASED


def test_overdue_ones_of_another_project_or_activity_stay_until_all_are_looked_at(ada, tmp_path):
    ferries = project("ferries", activities={"annotate": {"overlap": {"train": 1}}})
    open_with(ferries, tmp_path, questions(1))
    elsewhere = Worker(join(ferries, "cleo"), ferries).claim()
    held = ada.claim()
    assert leases.expire_overdue(now=at(20), project=ada.project, activity="review") == 0
    assert leases.expire_overdue(now=at(20), project=ada.project, activity="annotate") == 1
    assert [reload(each).state for each in (held, elsewhere)] == [AssignmentState.EXPIRED, AssignmentState.LEASED]
    assert leases.expire_overdue(now=at(20)) == 1
    assert reload(elsewhere).state == AssignmentState.EXPIRED


def test_idle_work_is_taken_although_others_saved_something_in_theirs(ada, ben, lights):
    drafted, answered, idle = ada.claim(), ben.claim(), Worker(join(lights, "cleo"), lights).claim()
    submitting.save_draft(drafted, "question", GOOD, by=ada.user, tab=PageLoad(PAGE_LOAD), seen=0, seq=1, now=NOON)
    ben.commit(answered, "question", GOOD)
    before = ends(drafted, answered)
    assert Worker(join(lights, "dora"), lights).claim(now=at(6)).task_id == idle.task_id
    assert ends(drafted, answered) == before


def test_of_two_idle_ones_with_the_same_end_each_is_expired_as_itself(ada, ben, lights):
    hers, his = ada.claim(), ben.claim()
    assert leases.expire_idle(now=at(6), project=lights, activity="annotate") == 2
    assert ends(hers, his) == [(at(6), at(6))] * 2
    assert [reload(each).state for each in (hers, his)] == [AssignmentState.EXPIRED] * 2


def test_ending_one_early_ends_no_other(ada, ben):
    hers, his = ada.claim(), ben.claim()
    leases.expire_early(hers.lease, now=at(1))
    assert ends(hers, his) == [(at(1), at(1)), (at(20), None)]


def test_one_that_is_closed_keeps_its_end_when_it_is_to_end_early(ada):
    done = ada.finish_bad()
    leases.close_if_done(done.lease, now=at(1))
    before = ends(done)
    leases.expire_early(reload(done).lease, now=at(2))
    assert ends(done) == before
