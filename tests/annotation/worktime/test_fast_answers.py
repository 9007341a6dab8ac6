"""Answers far below their author's own usual time are listed for a lead, if the guidelines had announced it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.engine import recording
from annotation.models import Annotation, Project
from annotation.worktime import taken
from tests.builders import BAD, Worker, open_with, project, questions, spend
from tests.factories.corpus import GuidelineVersionFactory
from tests.people import NOON, join

pytestmark = pytest.mark.database
USUAL = taken.USUAL
BEFORE = USUAL - 2
"""So many answers of twenty seconds each Alice has given before the tests."""


@pytest.fixture(scope="module")
def begun(shared_rows, tmp_path_factory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("many"), questions(60))
    answer(Worker(join(made, "alice"), made), [20.0] * BEFORE)
    return made.pk


@pytest.fixture
def nq(begun, db) -> Project:
    """A project with many questions, of which Alice has answered some."""
    return Project.objects.get(pk=begun)


def answer(worker, times, *, quiet=0, begin=0):
    """Answer one question after another, each with so many seconds of input and `quiet` ones without."""
    done = []
    for place, seconds in enumerate(times):
        begun = NOON + timedelta(minutes=5 * (begin + place))
        held, whole = worker.claim(now=begun), seconds + quiet
        at = begun + timedelta(seconds=whole)
        spend(held, now=at, ms=int(whole * 1000), active=int(seconds * 1000))
        worker.commit(held, "question", BAD, now=at)
        done.append(held.annotation_id)
    return done


def found(nq):
    return [(one.annotation, one.seconds, one.usual, one.n) for one in taken.below_floor(nq, "annotate")]


def test_an_answer_below_a_fifth_of_its_authors_median_is_listed_with_both_times(nq, alice):
    done = answer(Worker(alice, nq), [3.9, 4.0], begin=BEFORE)
    assert found(nq) == [(done[0], 3.9, 20.0, USUAL)]


def test_everybody_is_compared_with_themselves_only(nq, alice, bob):
    answer(Worker(alice, nq), [20.0] * 2, begin=BEFORE)
    done = answer(Worker(bob, nq), [2.0] * USUAL + [0.3])
    assert [annotation for annotation, *_ in found(nq)] == [done[-1]]


def test_nobody_has_a_usual_time_before_their_twentieth_piece_of_work(nq, alice):
    answer(Worker(alice, nq), [1.0], begin=BEFORE)
    assert found(nq) == []
    answer(Worker(alice, nq), [20.0], begin=USUAL)
    assert len(found(nq)) == 1


def test_an_answer_after_a_quiet_minute_in_front_of_the_question_is_not_fast(nq, alice):
    answer(Worker(alice, nq), [20.0] * 2, begin=BEFORE)
    answer(Worker(alice, nq), [1.0], quiet=30, begin=USUAL)
    assert found(nq) == []


def test_work_claimed_under_guidelines_without_the_rule_is_not_measured_by_it(nq, alice):
    first = nq.guidelines.get()
    GuidelineVersionFactory(project=nq, text=first.text, fast_share=0)
    without = answer(Worker(alice, nq), [20.0] * 2 + [1.0], begin=BEFORE)
    assert found(nq) == []
    GuidelineVersionFactory(project=nq, number=3, text=first.text, fast_share=0.2)
    stated = answer(Worker(alice, nq), [1.0], begin=USUAL + 1)
    assert [annotation for annotation, *_ in found(nq)] == stated
    assert not set(stated) & set(without)


def test_work_that_was_not_measured_or_is_excluded_is_not_listed(nq, alice, lena):
    worker = Worker(alice, nq)
    done = answer(worker, [20.0] * 2 + [1.0], begin=BEFORE)
    worker.finish_bad(now=NOON + timedelta(minutes=5 * USUAL + 10))
    assert len(found(nq)) == 1
    recording.exclude(Annotation.objects.get(pk=done[-1]), by=lena, reason="looked at", now=NOON)
    assert found(nq) == []
