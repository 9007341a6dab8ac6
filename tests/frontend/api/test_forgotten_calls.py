"""The answer to a call under a key is kept for a day, and no longer: it may tell what people answered."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from annotation import clock
from annotation.models import Project, User
from qualification import api_tokens
from qualification.models import ApiCall
from tasks import jobs
from tests.builders import open_with, questions
from tests.frontend.api.callers import leading


def test_an_answer_is_given_again_up_to_a_day_and_the_call_is_a_new_one_after_that(
    nq: Project, lena: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    open_with(nq, tmp_path, questions(1))
    caller, now = leading(lena, nq), clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)

    def is_given_again() -> bool:
        answer = caller.post("projects/lights/queues/annotate/pause/", Idempotency_Key="once")
        return "Idempotency-Replayed" in answer

    assert not is_given_again()
    ApiCall.objects.update(at=now - api_tokens.CALLS_KEPT)
    jobs.remove_old_files()
    assert is_given_again()
    ApiCall.objects.update(at=now - api_tokens.CALLS_KEPT - timedelta(microseconds=1))
    jobs.remove_old_files()
    assert not ApiCall.objects.exists()
    assert not is_given_again()
