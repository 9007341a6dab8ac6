"""Items are set aside for an exam: nobody is given them, and they are in no figure until they are returned."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.engine import job_leases
from annotation.errors import ReasonMissing, WrongMove
from annotation.imports import run
from annotation.models import Event, Item, Project, Purpose, Role
from annotation.models.case import FlagReason
from annotation.releases import building
from tasks.engine import leases, queues, skip_and_return
from tasks.engine.no_work import NoWork
from tasks.items import reports, setting_aside
from tasks.models import Task
from tasks.models.states import TaskState
from tests.builders import Worker, load, open_with, project, questions, write_lines
from tests.factories.record import AnnotationFactory
from tests.people import NOON, join
from tests.tasks.test_blocks import asked

WHY = "for the exam on reading pages"
LATER = NOON + timedelta(hours=1)


@pytest.fixture(scope="module")
def lights_once(shared_rows, tmp_path_factory) -> int:
    made = project(activities={"annotate": {"draw": "in_order", "overlap": {"train": 2}}})
    open_with(made, tmp_path_factory.mktemp("lights"), questions(3))
    for place, item in enumerate(made.items.order_by("pk")):
        Task.objects.filter(item=item).update(order=place)
    return made.pk


@pytest.fixture
def lights(lights_once, db) -> Project:
    """Three questions, each for two people, in the order of the file; made once for all tests of the module."""
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def lena(lights):
    return join(lights, "lena", Role.LEAD)


@pytest.fixture
def alice(lights):
    return Worker(join(lights, "alice"), lights)


@pytest.fixture
def bob(lights):
    return Worker(join(lights, "bob"), lights)


def first(of):
    return Item.with_set_aside.filter(project=of, root=None).order_by("pk").first()


def take(item, lead, reason=WHY):
    return setting_aside.set_aside([item], by=lead, reason=reason, now=LATER)


def give_back(item, lead):
    return setting_aside.return_to_work([item], by=lead, reason="the exam is over", now=LATER)


def states(item):
    return list(Task.objects.filter(item=item).values_list("state", flat=True))


def test_nobody_is_given_it_and_its_open_task_is_cancelled_with_the_reason(lights, lena, alice):
    item = first(lights)
    take(item, lena)
    assert states(item) == [TaskState.CANCELLED]
    assert not Item.objects.filter(pk=item.pk).exists()
    assert alice.claim().task.item_id != item.pk
    [event] = Event.objects.filter(kind=setting_aside.SET_ASIDE)
    assert (event.by, event.data) == (lena.pk, {"reason": WHY, "items": 1})


def test_a_queue_is_not_filled_with_it(lights, lena):
    item = first(lights)
    Task.objects.filter(item=item).delete()
    take(item, lena)
    queues.look_again(lights)
    assert queues.fill(lights.queues.get(), now=LATER) == 0


def test_returned_it_is_given_to_people_again(lights, lena, alice):
    item = first(lights)
    take(item, lena)
    give_back(item, lena)
    assert states(item) == [TaskState.OPEN]
    assert alice.claim().task.item_id == item.pk


def test_an_item_that_was_in_no_queue_when_it_was_set_aside_is_filled_in_once_it_is_returned(lights, lena):
    item = first(lights)
    queues.fill(lights.queues.get(), now=NOON)
    Task.objects.filter(item=item).delete()
    take(item, lena)
    give_back(item, lena)
    assert queues.fill(lights.queues.get(), now=LATER) == 1


def test_a_task_comes_back_in_the_state_in_which_it_was(lights, lena, alice, bob):
    for worker in (alice, bob):
        worker.finish_bad()
    alice.finish_bad()
    done, half, untouched = lights.items.order_by("pk")
    reporter = Worker(join(lights, "carol"), lights)
    for _time in range(2):
        held = reporter.claim()
        reports.report(held, by=reporter.user, reason=FlagReason.OTHER, text="odd", now=NOON)
    other = Worker(join(lights, "dora"), lights)
    reports.report(other.claim(), by=other.user, reason=FlagReason.OTHER, text="odd", now=NOON)
    before = {item.pk: states(item) for item in (done, half, untouched)}
    assert before[done.pk] == [TaskState.DONE]
    assert before[half.pk] == [TaskState.FROZEN]
    for item in (done, half, untouched):
        take(item, lena)
        assert states(item) == [TaskState.CANCELLED]
        give_back(item, lena)
    assert {item.pk: states(item) for item in (done, half, untouched)} == before


def test_what_was_withdrawn_before_stays_withdrawn_and_is_not_brought_back_while_it_is_set_aside(lights, lena):
    item = first(lights)
    reports.cancel(item, by=lena, reason="its licence was taken back", now=NOON)
    take(item, lena)
    with pytest.raises(WrongMove, match="It is set aside for an exam"):
        reports.bring_back(item, by=lena, reason="a mistake", now=LATER)
    with pytest.raises(WrongMove, match="It is set aside for an exam"):
        reports.cancel(item, by=lena, reason="once more", now=LATER)
    give_back(item, lena)
    assert states(item) == [TaskState.CANCELLED]
    reports.bring_back(item, by=lena, reason="a mistake", now=LATER)
    assert states(item) == [TaskState.OPEN]


def test_it_stays_while_somebody_works_on_it_and_can_be_chosen_once_they_returned_it(lights, lena, alice):
    held = alice.claim()
    with pytest.raises(WrongMove, match="1 person is working on it"):
        take(held.task.item, lena)
    assert first(lights).set_aside_at is None
    skip_and_return.give_back(held, by=alice.user, now=NOON)
    take(held.task.item, lena)
    assert isinstance(first(lights).set_aside_at, type(NOON))


def test_whose_lease_expired_can_go_on_and_it_is_kept_as_late_work(lights, lena, alice):
    held = alice.claim()
    alice.commit(held, "question", {"verdict": "good"})
    leases.expire_overdue(now=NOON + timedelta(days=2))
    take(held.task.item, lena)
    done = alice.commit(held, "long_answer", {"kind": "none", "reason": "page"}, now=NOON + timedelta(days=2))
    assert done.late == "cancelled"


def test_it_needs_a_reason_and_is_set_aside_and_returned_once(lights, lena):
    item = first(lights)
    with pytest.raises(ReasonMissing):
        take(item, lena, reason=" ")
    with pytest.raises(WrongMove, match="It is not set aside"):
        give_back(item, lena)
    take(item, lena)
    with pytest.raises(WrongMove, match="It is set aside already"):
        take(item, lena)


def test_of_several_none_is_set_aside_if_one_can_not_be(lights, lena, alice):
    held = alice.claim()
    with pytest.raises(WrongMove):
        setting_aside.set_aside(lights.items.all(), by=lena, reason=WHY, now=LATER)
    assert lights.items.count() == 3
    skip_and_return.give_back(held, by=alice.user, now=NOON)
    assert len(setting_aside.set_aside(lights.items.all(), by=lena, reason=WHY, now=LATER)) == 3
    assert isinstance(alice.claim(), NoWork)


def test_a_frozen_release_keeps_its_items_in_the_work_also_when_it_is_retracted(lights, lena, alice, bob):
    for worker in (alice, bob):
        worker.finish_bad()
    done, untouched, _third = lights.items.order_by("pk")
    made = building.build(lights, format="", by=None, now=NOON, partial=True)
    with pytest.raises(WrongMove, match="Release 1 has it"):
        take(done, lena)
    building.retract(made, by=lena, reason="a mistake", now=NOON)
    with pytest.raises(WrongMove, match="Release 1 has it"):
        take(done, lena)
    take(untouched, lena)


def test_what_no_release_has_can_be_set_aside_although_it_is_finished(lights, lena, alice, bob):
    for worker in (alice, bob):
        worker.finish_bad()
    building.build(lights, format="", by=None, now=NOON)
    for worker in (alice, bob):
        worker.finish_bad()
    take(lights.items.order_by("pk")[1], lena)


@pytest.mark.parametrize("lease_of", [run.import_lease, building.release_lease])
def test_it_waits_for_an_import_and_for_a_release(lights, lena, lease_of):
    with job_leases.hold(lease_of(lights)), pytest.raises(WrongMove, match="Wait until it is"):
        take(first(lights), lena)
    take(first(lights), lena)


def test_the_same_file_is_recognised_and_the_item_stays_set_aside(lights, lena, tmp_path):
    take(first(lights), lena)
    report = load(lights, write_lines(tmp_path / "again.jsonl", questions(4)))
    assert (report.items, report.adopted) == (1, 3)
    assert first(lights).set_aside_at == LATER


def test_what_candidates_were_shown_does_not_come_back(lights, lena, alice):
    item = first(lights)
    take(item, lena)
    AnnotationFactory(item=item, author=alice.user, purpose=Purpose.QUIZ, activity="annotate")
    with pytest.raises(WrongMove, match="shown it in an exam"):
        give_back(item, lena)


def test_a_paper_goes_with_all_under_it_whichever_of_them_is_named(papers, wendy, adam):
    lead = join(papers, "lena-of-papers", Role.LEAD)
    card = wendy.claim()
    wendy.commit(card, "questions", asked("Which corpus was it?", "How many people took part?"))
    paper = card.task.item
    question = Item.objects.filter(root=paper).first()
    queues.fill_under(paper)
    leaving = setting_aside.leaving_work(question)
    assert (leaving.items, leaving.tasks, leaving.finished, leaving.why_not) == (3, 2, 1, "")
    take(question, lead)
    assert not Item.objects.filter(root=paper).exists()
    assert Item.with_set_aside.filter(root=paper, set_aside_at=LATER).count() == 2
    assert isinstance(adam.claim(), NoWork)
    give_back(paper, lead)
    assert Item.objects.filter(root=paper).count() == 2
    assert adam.claim().task.item.root_id == paper.pk


def test_who_has_seen_an_item_at_work_is_known_to_the_draw_of_an_exam(papers, wendy, adam):
    card = wendy.claim()
    wendy.commit(card, "questions", asked("Which corpus was it?"))
    paper = card.task.item
    question = Item.objects.get(root=paper)
    assert wendy.user in setting_aside.people_who_worked_on(question)
    assert adam.user not in setting_aside.people_who_worked_on(paper)
    held = adam.claim()
    assert set(setting_aside.people_who_worked_on(paper)) == {wendy.user, adam.user}
    skip_and_return.give_back(held, by=adam.user, now=NOON)
    assert adam.user in setting_aside.people_who_worked_on(paper), "they have seen it"
    assert setting_aside.roots_worked_on(adam.user, papers) == {paper.pk}


def test_who_sat_an_exam_with_it_has_not_worked_on_it(lights, alice):
    item = first(lights)
    AnnotationFactory(item=item, author=alice.user, purpose=Purpose.QUIZ, activity="annotate")
    assert alice.user not in setting_aside.people_who_worked_on(item)
    assert setting_aside.roots_worked_on(alice.user, lights) == set()
    AnnotationFactory(item=item, author=alice.user, purpose=Purpose.WORK, activity="annotate")
    assert setting_aside.roots_worked_on(alice.user, lights) == {item.pk}
