"""When a task whose annotations are all there is done, and when it is disputed."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest

from annotation.engine import exclusion
from tasks.engine import settling, similarity, skip_and_return
from tasks.models import ItemSimilarity, Task
from tasks.models.states import TaskState
from tests.builders import BAD, Worker
from tests.disagreeing import NOTHING, answered, box, lights
from tests.people import NOON, join


def task_of(item) -> Task:
    return Task.objects.select_related("queue", "item__project").get(item=item)


def exclude(project, *annotations):
    uuids = [each.uuid for each in annotations]
    exclusion.exclude(project, uuids=uuids, by=None, reason="not read", now=NOON)


def test_exactly_the_agreement_that_the_queue_wants_is_enough_and_less_is_not(db, tmp_path):
    agreed = settling.agreement_of(task_of(answered(lights(tmp_path, least=None), box(1), box(1), NOTHING)))
    assert 0 < agreed < 1
    for slug, least, state in (
        ("enough", agreed, TaskState.DONE),
        ("too-little", math.nextafter(agreed, 1), TaskState.DISPUTED),
    ):
        item = answered(lights(tmp_path, slug=slug, least=least), box(1), box(1), NOTHING)
        assert task_of(item).state == state
        assert ItemSimilarity.objects.get(item=item).value == agreed


def test_excluded_annotations_are_not_compared(db, tmp_path):
    project = lights(tmp_path)
    item = answered(project, box(1), NOTHING)
    exclude(project, item.annotations.get(author__username="annotator-0"))
    answered(project, NOTHING, names=["carol"])
    assert task_of(item).state == TaskState.DONE
    assert settling.agreement_of(task_of(item)) == 1


def test_where_one_annotation_is_left_nothing_is_compared_and_the_task_is_done(db, tmp_path):
    project = lights(tmp_path, least=1)
    item = answered(project, box(1), box(1))
    similarity.measure_due()
    exclude(project, *item.annotations.all())
    answered(project, NOTHING, names=["carol"])
    assert task_of(item).state == TaskState.DONE
    assert not ItemSimilarity.objects.exists()
    assert settling.agreement_of(task_of(item)) == pytest.approx(1 / 3), "of all, since two are not left"


@pytest.mark.parametrize("split", ["dev", "test"])
@pytest.mark.parametrize(("wanted", "state"), [(False, TaskState.DONE), (True, TaskState.DISPUTED)])
def test_on_splits_for_evaluation_there_are_disputes_only_if_the_project_wants_them(db, tmp_path, split, wanted, state):
    project = lights(tmp_path, people=2, split=split, disputes_in_evaluation=wanted)
    assert task_of(answered(project, box(1), NOTHING)).state == state


def test_who_left_the_item_is_not_compared_with_those_who_finished_it(db, tmp_path):
    project = lights(tmp_path, people=2)
    left = Worker(join(project, "mia"), project)
    mine = left.claim()
    left.commit(mine, *box(1)[0])
    skip_and_return.skip(mine, by=left.user, reason="hard", text="", now=NOON)
    item = answered(project, NOTHING, NOTHING)
    assert mine.task.item == item
    assert task_of(item).state == TaskState.DONE
    assert settling.agreement_of(task_of(item)) == 1


def test_a_task_waits_for_its_own_annotations_however_many_other_tasks_have(db, tmp_path):
    project = lights(tmp_path, people=2)
    answered(project, NOTHING, NOTHING)
    held = Worker(join(project, "annotator-1"), project).claim()
    assert answered(project, NOTHING) == held.task.item
    assert task_of(held.task.item).state == TaskState.FULL


def test_what_was_measured_of_some_annotations_is_dropped_once_all_are_in(db, tmp_path):
    project = lights(tmp_path, least=None)
    item = answered(project, box(1), NOTHING)
    similarity.measure_due()
    assert ItemSimilarity.objects.get().value == 0
    answered(project, NOTHING, names=["carol"])
    assert task_of(item).state == TaskState.DONE
    assert not ItemSimilarity.objects.exists()


def test_annotations_are_in_the_order_in_which_they_were_completed(db, tmp_path):
    project = lights(tmp_path, people=2, least=None)
    first, second = (Worker(join(project, name), project) for name in ("ann", "ben"))
    skip_and_return.give_back(first.claim(), by=first.user, now=NOON)
    begun_first = first.claim()
    finished_first = second.finish_bad(now=NOON)
    first.commit(begun_first, "question", BAD, now=NOON + timedelta(minutes=1))
    assert settling.finished(finished_first.task) == [finished_first.annotation, begun_first.annotation]
