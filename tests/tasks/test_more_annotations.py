"""A lead asks for more annotations of an item, and takes that back while nobody has begun them."""

from __future__ import annotations

import pytest

from annotation.errors import PayloadInvalid, WrongMove
from annotation.models import Event
from tasks import corrections
from tasks.corrections import more_annotations
from tasks.engine import queues
from tasks.engine.no_work import NoWork
from tasks.items import reports
from tasks.models import Task
from tasks.models.states import TaskState
from tests.builders import Worker, load, open_with, questions, write_lines
from tests.disagreeing import NOTHING, answered, box, lights
from tests.people import NOON


@pytest.fixture
def task(nq, alice, tmp_path) -> Task:
    """Done by alice, who was the only one wanted."""
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    return fresh()


def fresh() -> Task:
    return Task.objects.select_related("queue__project", "item__project").get()


def ask(task: Task, count: int = 2) -> Task:
    more_annotations.ask_for_more(task, count=count, by=None, now=NOON)
    return fresh()


def take_back(task: Task) -> Task:
    more_annotations.take_back(task, by=None, now=NOON)
    return fresh()


def test_two_more_people_are_given_a_finished_item_and_then_it_is_done_again(nq, task, alice, bob, carol):
    assert (task.state, task.slots) == (TaskState.DONE, 1)
    assert (ask(task).state, fresh().slots) == (TaskState.OPEN, 3)
    assert Worker(alice, nq).claim() == NoWork("done_all_you_may")
    for person in (bob, carol):
        Worker(person, nq).finish_bad()
    assert fresh().state == TaskState.DONE


def test_a_dispute_is_open_again_and_settled_with_all_annotations(db, tmp_path):
    two = lights(tmp_path, people=2)
    item = answered(two, box(1), NOTHING)
    assert of(item).state == TaskState.DISPUTED
    more_annotations.ask_for_more(of(item), count=1, by=None, now=NOON)
    assert of(item).state == TaskState.OPEN
    more_annotations.take_back(of(item), by=None, now=NOON)
    assert of(item).state == TaskState.DISPUTED
    more_annotations.ask_for_more(of(item), count=1, by=None, now=NOON)
    answered(two, box(6), names=["carol"])
    assert of(item).state == TaskState.DISPUTED


def of(item) -> Task:
    return Task.objects.select_related("queue__project", "item__project").get(item=item)


def test_it_is_taken_back_while_nobody_has_begun(nq, task, lena):
    more_annotations.ask_for_more(task, count=2, by=lena, now=NOON)
    more_annotations.take_back(fresh(), by=lena, now=NOON)
    assert (fresh().state, fresh().slots) == (TaskState.DONE, 1)
    rows = Event.objects.filter(kind__startswith="task.more").order_by("pk")
    assert list(rows.values_list("kind", "by", "project_id")) == [
        (more_annotations.ASKED, lena.pk, nq.pk),
        (more_annotations.UNASKED, lena.pk, nq.pk),
    ]
    with pytest.raises(WrongMove):
        take_back(fresh())


def test_each_undoing_takes_back_the_last_request(task):
    ask(ask(task, 1), 4)
    assert take_back(fresh()).slots == 2
    assert take_back(fresh()).slots == 1
    assert fresh().state == TaskState.DONE


def test_it_is_not_taken_back_from_somebody_who_has_begun(nq, task, bob):
    ask(task)
    assert more_annotations.may_take_back(fresh())
    held = Worker(bob, nq).claim()
    assert not more_annotations.may_take_back(fresh())
    with pytest.raises(WrongMove):
        take_back(fresh())
    assert (held.task, fresh().slots) == (task, 3)


def test_a_slot_that_was_freed_otherwise_does_not_hide_that_a_new_one_is_taken(nq, task, bob):
    first = task.assignments.get().annotation
    ask(task, 1)
    Worker(bob, nq).claim()
    corrections.void(nq, first.uuid, by=None, reason="a slip", now=NOON)
    assert not more_annotations.may_take_back(fresh())


def test_an_item_that_came_with_annotations_gets_the_number_asked_for_and_is_done_again_without(nq, tmp_path, bob):
    task = published(nq, tmp_path)
    assert (task.state, ask(task, 1).state, fresh().slots) == (TaskState.DONE, TaskState.OPEN, 1)
    assert take_back(fresh()).state == TaskState.DONE
    ask(fresh(), 1)
    Worker(bob, nq).finish_bad()
    assert fresh().state == TaskState.DONE


def published(nq, folder) -> Task:
    """The task of an item that nobody is to work on: no annotation is wanted."""
    nq.config = {**nq.config, "activities": {"annotate": {"overlap": {"train": 0}}}}
    nq.save()
    load(nq, write_lines(folder / "items.jsonl", questions(1)))
    queues.open_queue(nq, "annotate", by=None, now=NOON)
    return fresh()


@pytest.mark.parametrize("count", [0, -1, 26])
def test_the_number_is_between_1_and_25(task, count):
    with pytest.raises(PayloadInvalid):
        ask(task, count)
    assert fresh().slots == 1


def test_nothing_is_asked_for_of_a_withdrawn_item(nq, tmp_path, lena):
    open_with(nq, tmp_path, questions(1))
    reports.cancel(fresh().item, by=lena, reason="wrong page", now=NOON)
    with pytest.raises(WrongMove):
        ask(fresh())
    assert fresh().slots == 1
