"""Reports: a lead looks at one; two by different people freeze the item, and a lead unfreezes or withdraws it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import membership, randomness
from annotation.errors import AlreadyClosed, TakenOut
from annotation.models import Annotation, Flag, Project
from annotation.models.case import FlagReason
from tasks import corrections
from tasks.engine import assignments, leases, skip_and_return, submitting
from tasks.engine.no_work import NoWork
from tasks.items import reports
from tasks.models.states import AssignmentState, TaskState
from tasks.setup import overlap
from tests.builders import Worker, open_with, project, questions, reload
from tests.people import NOON, join


@pytest.fixture
def lights(db, tmp_path):
    """One question, to be answered by three people."""
    made = project(activities={"annotate": {"overlap": {"train": 3}, "draw": "in_order"}})
    open_with(made, tmp_path, questions(1))
    return made


@pytest.fixture
def lena(lights):
    return membership.add(project=lights, username="lena", role="lead", by=None, now=NOON)[0]


@pytest.fixture
def people(lights):
    return [Worker(join(lights, name), lights) for name in ("alice", "bob", "carol", "dora")]


def report(worker, reason=FlagReason.BROKEN, **said):
    mine = worker.claim()
    reports.report(reload(mine), by=worker.user, reason=reason, text=said.get("text", ""), now=NOON)
    return reload(mine)


def test_a_report_returns_the_work_and_the_item_does_not_come_back_to_the_same_person(people):
    assert report(people[0]).state == AssignmentState.RETURNED
    assert isinstance(people[0].claim(), NoWork)
    assert people[1].claim().task.state == TaskState.OPEN


def test_a_report_from_an_expired_page_returns_the_item_that_they_hold_again(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(2))
    worker, later = Worker(alice, nq), NOON + timedelta(minutes=30)
    old = worker.claim()
    leases.expire_early(old.lease, now=later)
    new = worker.claim(now=later)
    assert new.task_id == old.task_id
    reports.report(reload(old), by=alice, reason="broken", text="", now=later)
    assert reload(new).state == AssignmentState.RETURNED
    assert worker.claim(now=later).task_id != old.task_id


def test_two_reports_by_different_people_freeze_the_item(people):
    report(people[0])
    mine = report(people[1], FlagReason.OFFENSIVE)
    assert mine.task.state == TaskState.FROZEN
    assert isinstance(people[2].claim(), NoWork)


def test_the_same_person_reporting_twice_is_one_report(people):
    mine = report(people[0])
    assert not reports.report(mine, by=people[0].user, reason=FlagReason.OTHER, text="again", now=NOON)
    assert Flag.objects.count() == 1
    assert reload(mine).task.state == TaskState.OPEN


def test_whoever_holds_a_frozen_item_may_finish(people):
    hers = people[2].claim()
    report(people[0])
    report(people[1])
    people[2].commit(hers, "question", {"verdict": "bad", "reasons": ["opinion"]})
    assert reload(hers).state == AssignmentState.SUBMITTED
    assert reload(hers).task.state == TaskState.FROZEN


def test_the_draft_of_a_reported_item_is_kept_and_comes_back_when_it_is_unfrozen(people, lena):
    mine = people[0].claim()
    tab = submitting.PageLoad(client=randomness.handle())
    submitting.save_draft(
        reload(mine), "question", {"verdict": "good"}, by=people[0].user, tab=tab, seq=1, seen=0, now=NOON
    )  # fmt: skip
    reports.report(reload(mine), by=people[0].user, reason=FlagReason.BROKEN, text="", now=NOON)
    reports.unfreeze(mine.task.item, by=lena, now=NOON)
    again = people[0].claim()
    assert assignments.work_of(reload(again)).draft("question").data == {"verdict": "good"}


def test_a_lead_unfreezes_an_item(people, lena):
    report(people[0])
    item = report(people[1]).task.item
    reports.unfreeze(item, by=lena, now=NOON)
    assert people[2].claim().task.item == item
    assert not Flag.objects.filter(settled_at=None).exists()


def test_a_frozen_item_whose_slots_were_filled_meanwhile_is_settled_when_it_is_unfrozen(people, lena, lights):
    report(people[0])
    away = people[1].claim()
    working = [people[2], people[3], Worker(join(lights, "edda"), lights)]
    for worker in working[:2]:
        worker.claim(now=NOON + timedelta(minutes=15))
    held = [worker.claim(now=NOON + timedelta(minutes=21)) for worker in working]
    reports.report(reload(away), by=people[1].user, reason=FlagReason.BROKEN, text="", now=NOON)
    for worker, mine in zip(working, held, strict=True):
        worker.commit(mine, "question", {"verdict": "bad", "reasons": ["opinion"]})
    assert reload(held[0]).task.state == TaskState.FROZEN
    reports.unfreeze(held[0].task.item, by=lena, now=NOON)
    assert reload(held[0]).task.state == TaskState.DONE


def test_a_lead_withdraws_an_item_and_whoever_is_working_on_it_is_told(people, lena):
    hers = people[1].claim()
    item = report(people[0]).task.item
    reports.cancel(item, by=lena, reason="a stub", now=NOON)
    assert reload(hers).state == AssignmentState.REVOKED
    assert reload(hers).task.state == TaskState.CANCELLED
    with pytest.raises(TakenOut):
        people[1].commit(hers, "question", {"verdict": "good"})
    assert Annotation.objects.filter(item=item).count() == 2


@pytest.fixture
def done_and_reported(people, lights):
    """An answer to a question that is done; two people whose leases had expired have reported it since."""
    late = [people[0].claim(), people[1].claim()]
    after = NOON + timedelta(hours=1)
    others = [*people[2:], Worker(join(lights, "erin"), lights)]
    done = [worker.finish_bad(now=after) for worker in others]
    for mine in late:
        reports.report(reload(mine), by=mine.annotator, reason=FlagReason.BROKEN, text="", now=after)
    assert reload(done[0]).task.state == TaskState.DONE
    return done[0]


def test_done_work_that_is_re_opened_is_frozen_for_others_if_enough_have_reported_it(
    done_and_reported, lights, lena, people
):
    mine = reload(done_and_reported)
    corrections.reopen(lights, mine.annotation.uuid, by=lena, reason="Look again.", now=NOON)
    assert (reload(mine).state, reload(mine).task.state) == (AssignmentState.LEASED, TaskState.FROZEN)
    people[2].commit(mine, "question", {"verdict": "bad", "reasons": ["opinion"]})
    reports.unfreeze(mine.task.item, by=lena, now=NOON)
    assert reload(mine).task.state == TaskState.DONE


def test_done_work_that_more_people_are_to_do_is_frozen_if_enough_have_reported_it(done_and_reported, lights, lena):
    Project.objects.update(config=lights.config | {"activities": {"annotate": {"overlap": {"train": 4}}}})
    lights.refresh_from_db()
    overlap.apply(lights, by=lena, now=NOON)
    assert reload(done_and_reported).task.state == TaskState.FROZEN
    assert isinstance(Worker(join(lights, "frank"), lights).claim(), NoWork)


def test_a_freed_slot_is_given_to_nobody_while_the_reports_are_open(done_and_reported, lights, lena):
    corrections.void(lights, reload(done_and_reported).annotation.uuid, by=lena, reason="Not careful.", now=NOON)
    fresh = Worker(join(lights, "finn"), lights)
    assert isinstance(fresh.claim(), NoWork)
    reports.unfreeze(done_and_reported.task.item, by=lena, now=NOON)
    assert fresh.claim().task.state == TaskState.FULL


def test_work_that_is_done_or_left_cannot_be_reported(people):
    mine = people[0].finish_bad()
    with pytest.raises(AlreadyClosed):
        reports.report(mine, by=people[0].user, reason=FlagReason.BROKEN, text="", now=NOON)


def test_more_than_three_skips_in_a_row_are_counted_and_other_work_ends_the_row(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(8))
    worker = Worker(alice, nq)
    for expected in (1, 2, 3, 4, 4):
        mine = worker.claim()
        skip_and_return.skip(reload(mine), by=alice, reason="hard", text="", now=NOON)
        assert skip_and_return.skips_in_a_row(reload(mine)) == expected
    worker.finish_bad()
    mine = worker.claim()
    skip_and_return.skip(reload(mine), by=alice, reason="hard", text="", now=NOON)
    assert skip_and_return.skips_in_a_row(reload(mine)) == 1
