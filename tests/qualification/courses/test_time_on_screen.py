"""The end of an exam on the real work screen: what was saved until then counts, and what comes later does not."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from annotation import clock
from annotation.models import TimeSpan, User
from frontend.bots.bot import Bot
from qualification.courses import sitting
from qualification.models import Attempt, Outcome
from tests.builders import BAD
from tests.qualification.courses.on_screen import at, draft_of

AFTER = timedelta(milliseconds=1)


@pytest.mark.parametrize(("late", "outcome"), [(timedelta(0), Outcome.ADMITTED), (AFTER, Outcome.NOT_ADMITTED)])
def test_a_draft_saved_until_half_a_minute_after_the_end_becomes_the_answer(sitting_it, monkeypatch, late, outcome):
    _row, candidate, exam, page = sitting_it
    over = Attempt.objects.get().ends_at + sitting.GRACE
    at(monkeypatch, over + late)
    assert candidate.post(*draft_of(page, "bad")).status_code == 200
    at(monkeypatch, over + AFTER)
    candidate.get(exam)
    attempt = Attempt.objects.get()
    assert attempt.outcome == outcome
    assert attempt.state == ("graded" if outcome == Outcome.ADMITTED else "expired")


def test_what_is_no_valid_answer_when_the_time_ends_has_no_points(sitting_it, monkeypatch):
    _row, candidate, exam, page = sitting_it
    candidate.post(*draft_of(page, "sideways"))
    at(monkeypatch, Attempt.objects.get().ends_at + sitting.GRACE + AFTER)
    candidate.get(exam)
    assert Attempt.objects.get().marks == ["0"]


def test_an_answer_sent_after_the_time_is_refused_and_shown_to_be_copied(sitting_it, monkeypatch):
    _row, candidate, exam, page = sitting_it
    bot = Bot(User.objects.get(username="alice"), Random(1), think=lambda *_: BAD)
    address, fields = bot.answered(page)
    at(monkeypatch, Attempt.objects.get().ends_at + sitting.GRACE + AFTER)
    refused = candidate.post(address, fields)
    assert refused.status_code == 409
    assert Attempt.objects.get().marks == ["0"]
    assert candidate.get(page)["Location"] == exam


def test_handing_in_counts_what_is_saved(sitting_it):
    _row, candidate, exam, page = sitting_it
    candidate.post(*draft_of(page, "bad"))
    candidate.post(f"{exam}hand-in/")
    assert Attempt.objects.get().marks == ["1"]
    assert "You have passed" in candidate.get(exam, follow=True).content.decode()


def test_time_on_the_screen_is_time_of_the_exam(sitting_it, monkeypatch):
    _row, candidate, _exam, page = sitting_it
    address, fields = draft_of(page, "bad")
    at(monkeypatch, clock.now() + timedelta(minutes=2))
    fields["trace"] = '[{"n": 1, "lines": [[5, "in_sight", {"ms": 90000, "active": 60000}, ""]]}]'
    candidate.post(address, fields)
    assert {(span.stage, span.annotation_id) for span in TimeSpan.objects.all()} == {("exam", None)}
