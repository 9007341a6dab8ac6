"""Time is stored as screens report it: active, reading up to the allowance, idle; never more than the clock allows."""

from __future__ import annotations

import threading
import uuid
from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.models import TimeSpan
from annotation.worktime import spans
from tests.builders import GOOD, Worker, open_with, project, questions, spend
from tests.factories.record import TimeSpanFactory
from tests.people import NOON, join

ELSEWHERE = uuid.UUID(int=2)
LONG_PAGE = f"<html><body><p>{'word ' * 1750}</p><p>{'more ' * 1750}</p></body></html>"
"""3,500 words in two boxes, which allow 20 minutes (and the question's five words two seconds)."""


@pytest.fixture
def lights(db):
    return project()


@pytest.fixture
def alice(lights, tmp_path):
    open_with(lights, tmp_path, questions(2, page=LONG_PAGE))
    return Worker(join(lights, "alice"), lights)


@pytest.fixture
def held(alice):
    return alice.claim()


def after(minutes: float = 0, seconds: float = 0) -> datetime:
    return NOON + timedelta(minutes=minutes, seconds=seconds)


def seconds(**about) -> dict[str, float]:
    """Seconds by kind; none of it in a meeting."""
    found = dict.fromkeys(("active", "reading", "idle"), 0.0)
    for span in TimeSpan.objects.filter(**about):
        found[span.kind] += span.seconds
    return found


def test_input_is_active_and_other_visible_time_is_reading(held):
    spend(held, now=after(seconds=50), ms=40_000, active=15_000)
    assert seconds() == {"active": 15, "reading": 25, "idle": 0}
    first, second = TimeSpan.objects.order_by("begun_at")
    assert (first.begun_at, second.begun_at) == (after(seconds=10), after(seconds=25))
    assert (first.annotator, first.project) == (held.annotator, held.annotation.item.project)
    assert first.annotation == held.annotation
    assert first.stage == "question"


def test_hidden_time_does_not_count(held):
    spend(held, now=after(minutes=10), ms=30_000, active=30_000)
    assert seconds() == {"active": 30, "reading": 0, "idle": 0}


def test_a_short_question_may_be_thought_about_for_a_minute_and_more_is_idle(held):
    spend(held, now=after(minutes=5), ms=300_000, active=20_000)
    assert seconds() == {"active": 20, "reading": 60, "idle": 220}


def test_a_long_page_may_be_read_as_long_as_its_words_take(alice, held):
    alice.commit(held, "question", GOOD)
    spend(held, now=after(minutes=15), ms=900_000, stage="long_answer")
    assert seconds() == {"active": 0, "reading": 900, "idle": 0}
    spend(held, now=after(minutes=30), ms=900_000, stage="long_answer", n=2)
    allowed = spans.allowance(3505)
    assert 1200 < allowed < 1203
    assert seconds()["reading"] == pytest.approx(allowed, abs=0.01)
    assert seconds()["idle"] == pytest.approx(1800 - allowed, abs=0.01)


def test_the_reading_allowance_is_per_stage_and_per_piece_of_work(alice, held):
    spend(held, now=after(minutes=2), ms=90_000)
    alice.commit(held, "question", {"verdict": "bad", "reasons": ["opinion"]}, now=after(minutes=2))
    following = alice.claim(now=after(minutes=2))
    spend(following, now=after(minutes=4), ms=90_000)
    assert seconds() == {"active": 0, "reading": 120, "idle": 60}
    assert seconds(annotation=following.annotation)["reading"] == 60


def test_no_number_counts_more_than_the_clock_since_the_claim(held):
    spend(held, now=after(seconds=30), ms=10**15, active=10**15)
    assert seconds() == {"active": 30, "reading": 0, "idle": 0}


def test_two_tabs_count_the_same_minutes_once(held):
    spend(held, now=after(minutes=1), ms=60_000, active=60_000)
    spend(held, now=after(minutes=1), ms=60_000, active=60_000, client=ELSEWHERE)
    spend(held, now=after(seconds=80), ms=60_000, active=60_000, client=ELSEWHERE, n=2)
    assert seconds() == {"active": 80, "reading": 0, "idle": 0}


def test_two_pieces_of_work_at_once_count_once(held, tmp_path):
    other = project("towers")
    open_with(other, tmp_path, questions(1))
    beside = Worker(join(other, "alice"), other).claim()
    spend(held, now=after(minutes=1), ms=60_000, active=60_000)
    spend(beside, now=after(minutes=1), ms=60_000, active=60_000)
    assert seconds()["active"] == 60


def test_the_same_batch_counts_once(held):
    for _ in range(2):
        spend(held, now=after(minutes=1), ms=10_000, active=10_000)
    assert seconds()["active"] == 10


NO_TIME = {
    "text": {"ms": "60000"}, "nothing": {}, "negative": {"ms": -5}, "half": {"ms": 1.5}, "a list": {"ms": [1]},
    "truth": {"ms": True}, "zero": {"ms": 0}, "active alone": {"active": 60_000},
}  # fmt: skip


@pytest.mark.parametrize("data", NO_TIME.values(), ids=NO_TIME.keys())
def test_a_malformed_number_of_milliseconds_is_dropped_and_the_line_is_kept(held, data):
    assert spend(held, now=after(minutes=2), data=data or {"other": 1}) == 1
    assert not TimeSpan.objects.exists()


def test_without_a_script_no_time_is_invented(alice):
    alice.finish_bad(now=after(minutes=5))
    assert not TimeSpan.objects.exists()


def test_a_span_has_a_duration(held):
    with pytest.raises(IntegrityError), transaction.atomic():
        TimeSpanFactory(annotator=held.annotator, project=held.annotation.item.project, seconds=0)


@pytest.fixture
def together(transactional_db, tmp_path):
    lights = project()
    open_with(lights, tmp_path, questions(1))
    return Worker(join(lights, "alice"), lights).claim()


def test_ten_tabs_at_the_same_moment_count_the_minute_once(together):
    gate = threading.Barrier(10)

    def one(number: int) -> None:
        gate.wait()
        spend(together, now=after(minutes=1), ms=60_000, active=60_000, client=uuid.UUID(int=number))
        connection.close()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seconds() == {"active": 60, "reading": 0, "idle": 0}
