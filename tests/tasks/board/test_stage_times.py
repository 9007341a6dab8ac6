"""Percentiles lie between the nearest values, and the mean of whole items has its interval."""

from __future__ import annotations

import pytest

from annotation import registry
from annotation.models import Project, User
from annotation.statistics.estimates import ENOUGH, Estimate
from tasks.board.stage_times import distribution, percentile, with_intervals
from tasks.models import Task
from tasks.models.states import AssignmentState
from tests.builders import open_with, questions
from tests.factories.record import AnnotationFactory, TimeSpanFactory
from tests.factories.work import AssignmentFactory, LeaseFactory
from tests.people import NOON

USUAL, LONGER = 40, [110, 115, 122, 130, 134, 141, 150, 158, 163, 180]
SECONDS = [*LONGER, *[USUAL] * (ENOUGH + 1)]
assert len(LONGER) == ENOUGH
"""What a question took on each item: as many differ from the rest as are enough for an interval."""


def work_on(task: Task, person: User, stages: dict[str, int], *, slot: int = 0) -> None:
    """Work handed in by that person, with the seconds of each stage."""
    lease = LeaseFactory.insert(annotator=person, queue=task.queue, closed_at=NOON)
    done = AnnotationFactory.insert(item=task.item, author=person, activity="annotate", completed_at=NOON)
    AssignmentFactory.insert(task=task, lease=lease, annotation=done, slot=slot, state=AssignmentState.SUBMITTED)
    for stage, seconds in stages.items():
        TimeSpanFactory.insert(
            annotator=person, project=task.queue.project, annotation=done, stage=stage, seconds=seconds
        )


@pytest.fixture
def tasks(nq, tmp_path) -> list[Task]:
    open_with(nq, tmp_path, questions(len(SECONDS)))
    return list(Task.objects.order_by("order"))


def timed(project: Project) -> dict[str, Estimate]:
    """The mean seconds of each stage, and of the whole by the name *whole*."""
    found = with_intervals(project, registry.get(project.protocol).activity("annotate"))
    assert found is not None
    return {row["stage"]: Estimate.from_list(row["estimate"]) for row in found["rows"]} | {
        "whole": Estimate.from_list(found["whole"]["estimate"])
    }


def test_percentiles_lie_between_the_nearest_values():
    assert [percentile([10, 20, 30, 40, 50], share) for share in (0, 10, 25, 50, 100)] == [10, 14, 20, 30, 50]
    assert percentile([7], 90) == 7


def test_a_distribution_has_a_median_and_a_mean():
    found = distribution([60, 100, 80, 200])
    assert (found["n"], found["mean"], found["median"]) == (4, 110, 90)


def test_ten_items_that_differ_give_each_mean_an_interval_and_nine_are_too_few(nq, tasks, alice):
    for task, seconds in zip(tasks[1:], SECONDS[1:], strict=True):
        work_on(task, alice, {"question": seconds, "long_answer": 2 * seconds})
    few = timed(nq)
    assert few.keys() == {"question", "long_answer", "whole"}
    assert all(each.is_too_few and each.more for each in few.values())
    work_on(tasks[0], alice, {"question": SECONDS[0], "long_answer": 2 * SECONDS[0]})
    mean = sum(SECONDS) / len(SECONDS)
    for key, times in (("question", 1), ("long_answer", 2), ("whole", 3)):
        found = timed(nq)[key]
        assert (found.value, found.n) == (pytest.approx(times * mean, abs=0.01), len(SECONDS))
        assert found.low < found.value < found.high


def test_a_second_opinion_on_the_same_items_makes_the_interval_no_narrower(nq, tasks, alice, bob):
    for task, seconds in zip(tasks, SECONDS, strict=True):
        work_on(task, alice, {"question": seconds})
    once = timed(nq)["whole"]
    for task, seconds in zip(tasks, SECONDS, strict=True):
        work_on(task, bob, {"question": seconds}, slot=1)
    assert timed(nq)["whole"] == once
