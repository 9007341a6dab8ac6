"""Answers far below their author's own usual time are listed for a lead, if the guidelines had announced it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.engine import recording
from annotation.models import Annotation
from annotation.worktime import taken
from tests.builders import BAD, Worker, open_with, questions, spend
from tests.factories.corpus import GuidelineVersionFactory
from tests.people import NOON

pytestmark = pytest.mark.database
USUAL = taken.USUAL


@pytest.fixture
def many(nq, tmp_path):
    open_with(nq, tmp_path, questions(60))
    return nq


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


def found(project):
    return [(one.annotation, one.seconds, one.usual, one.n) for one in taken.below_floor(project, "annotate")]


def test_an_answer_below_a_fifth_of_its_authors_median_is_listed_with_both_times(many, alice):
    done = answer(Worker(alice, many), [20.0] * (USUAL - 2) + [3.9, 4.0])
    assert found(many) == [(done[-2], 3.9, 20.0, USUAL)]


def test_everybody_is_compared_with_themselves_only(many, alice, bob):
    answer(Worker(alice, many), [50.0] * USUAL)
    done = answer(Worker(bob, many), [5.0] * USUAL + [0.9])
    assert [annotation for annotation, *_ in found(many)] == [done[-1]]


def test_nobody_has_a_usual_time_before_their_twentieth_piece_of_work(many, alice):
    answer(Worker(alice, many), [20.0] * (USUAL - 2) + [1.0])
    assert found(many) == []
    answer(Worker(alice, many), [20.0], begin=USUAL)
    assert len(found(many)) == 1


def test_an_answer_after_a_quiet_minute_in_front_of_the_question_is_not_fast(many, alice):
    answer(Worker(alice, many), [20.0] * USUAL)
    answer(Worker(alice, many), [1.0], quiet=30, begin=USUAL)
    assert found(many) == []


def test_work_claimed_under_guidelines_without_the_rule_is_not_measured_by_it(many, alice):
    first = many.guidelines.get()
    GuidelineVersionFactory(project=many, text=first.text, fast_share=0)
    without = answer(Worker(alice, many), [20.0] * USUAL + [1.0])
    assert found(many) == []
    GuidelineVersionFactory(project=many, number=3, text=first.text, fast_share=0.2)
    stated = answer(Worker(alice, many), [1.0], begin=USUAL + 1)
    assert [annotation for annotation, *_ in found(many)] == stated
    assert not set(stated) & set(without)


def test_work_that_was_not_measured_or_is_excluded_is_not_listed(many, alice, lena):
    worker = Worker(alice, many)
    done = answer(worker, [20.0] * USUAL + [1.0])
    worker.finish_bad(now=NOON + timedelta(minutes=5 * USUAL + 10))
    assert len(found(many)) == 1
    recording.exclude(Annotation.objects.get(pk=done[-1]), by=lena, reason="looked at", now=NOON)
    assert found(many) == []
