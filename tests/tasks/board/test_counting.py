"""Daily counts follow what happens, and are those that are counted anew from the record."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from annotation.models import Project
from tasks import corrections
from tasks.board import counting
from tasks.engine import leases, skip_and_return
from tasks.models import Assignment, CountMark, WorkCount, WorkTime
from tasks.models.states import AssignmentState
from tests.builders import Worker, open_with, questions, reload, spend
from tests.people import NOON

TOMORROW = NOON + timedelta(days=1)


@pytest.fixture
def lights(nq, tmp_path) -> Project:
    open_with(nq, tmp_path, [*questions(4), *questions(2, split="dev", start=10)])
    return nq


def rows() -> tuple[list[tuple], list[tuple]]:
    """Every count and every number of seconds."""
    counts = WorkCount.objects.values_list("queue", "split", "person", "day", "outcome", "reason", "n")
    times = WorkTime.objects.values_list("project", "queue", "split", "person", "day", "counted", "idle", "waited")
    return sorted(counts, key=str), sorted(times, key=str)


def outcomes() -> Counter:
    """How many pieces of work ended how, by day and reason."""
    found: Counter = Counter()
    for day, outcome, reason, n in WorkCount.objects.values_list("day", "outcome", "reason", "n"):
        found[day, outcome, reason] += n
    return found


def counted_anew() -> tuple[list[tuple], list[tuple]]:
    WorkCount.objects.all().delete()
    WorkTime.objects.all().delete()
    CountMark.objects.all().delete()
    counting.rebuild(now=TOMORROW)
    return rows()


def test_counts_follow_work_and_are_those_counted_anew(lights, alice, bob):
    counting.count(now=NOON)
    assert rows() == ([], [])
    first, second = Worker(alice, lights), Worker(bob, lights)
    held = first.claim(now=NOON)
    spend(held, now=NOON + timedelta(seconds=40), ms=40_000, active=40_000)
    first.commit(held, "question", {"verdict": "bad", "reasons": ["ambiguous"]}, now=NOON + timedelta(seconds=40))
    counting.count(now=NOON + timedelta(minutes=1))
    assert sum(WorkTime.objects.values_list("counted", flat=True)) == 40
    left = second.claim(now=NOON)
    skip_and_return.skip(left, by=bob, reason="hard", text="", now=NOON + timedelta(minutes=2))
    counting.count(now=NOON + timedelta(minutes=3))
    second.finish_bad(now=TOMORROW)
    counting.count(now=TOMORROW)
    found = outcomes()
    assert found[NOON.date(), "submitted", ""] == found[TOMORROW.date(), "submitted", ""] == 1
    assert found[NOON.date(), "skipped", "hard"] == 1
    assert rows() == counted_anew()


def test_what_is_undone_disappears_from_the_day_on_which_it_was_counted(lights, alice, lena):
    worker = Worker(alice, lights)
    done = worker.finish_bad(now=NOON)
    skipped = worker.claim(now=NOON)
    skip_and_return.skip(skipped, by=alice, reason="topic", text="", now=NOON)
    counting.count(now=NOON)
    assert (outcomes()[NOON.date(), "submitted", ""], outcomes()[NOON.date(), "skipped", "topic"]) == (1, 1)
    skip_and_return.undo_skip(reload(skipped), by=alice, now=NOON + timedelta(seconds=5))
    corrections.void(lights, done.annotation.uuid, by=lena, reason="Not read.", now=TOMORROW)
    counting.count(now=TOMORROW)
    found = outcomes()
    assert (found[NOON.date(), "submitted", ""], found[NOON.date(), "skipped", "topic"]) == (0, 0)
    assert found[TOMORROW.date(), "rejected", ""] == 1
    assert rows() == counted_anew()


def test_a_task_is_done_on_the_day_of_its_last_annotation(lights, alice, bob, carol):
    for person in (alice, bob, carol):
        worker = Worker(person, lights)
        while isinstance(worker.claim(now=NOON), Assignment):
            worker.finish_bad(now=NOON)
    counting.count(now=NOON)
    done = sum(WorkCount.objects.filter(outcome=WorkCount.DONE).values_list("n", flat=True))
    ended = lights.queues.get().tasks.filter(state="done").count()
    assert done == ended > 0
    assert set(WorkCount.objects.filter(outcome=WorkCount.DONE).values_list("person", flat=True)) == {None}


def test_work_that_expired_and_came_late_after_all_is_counted_once(lights, alice):
    held = Worker(alice, lights).claim(now=NOON)
    later = NOON + timedelta(hours=3)
    leases.expire_overdue(now=later)
    counting.count(now=later)
    assert outcomes()[later.date(), AssignmentState.EXPIRED, ""] == 1
    Worker(alice, lights).commit(reload(held), "question", {"verdict": "bad", "reasons": ["ambiguous"]}, now=TOMORROW)
    counting.count(now=TOMORROW)
    assert outcomes() == {(TOMORROW.date(), "submitted", ""): 1} | done_of(TOMORROW)
    assert rows() == counted_anew()


def done_of(at) -> dict:
    return {(at.date(), WorkCount.DONE, ""): n for n in [WorkCount.objects.filter(outcome=WorkCount.DONE).count()] if n}


def test_the_next_pass_waits_twenty_times_as_long_as_the_last_one_took(lights):
    counting.count(now=NOON)
    CountMark.objects.update(seconds=2)
    assert not counting.count_due(now=NOON + timedelta(seconds=39))
    assert counting.count_due(now=NOON + timedelta(seconds=40))
