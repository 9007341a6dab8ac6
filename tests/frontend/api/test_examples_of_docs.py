"""The examples of docs/api.md run as they are written there."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.models import Item, Job, Payment, User
from qualification.models import TokenScope
from tasks.background import long_jobs
from tests.boards import bring_up_to_date
from tests.builders import BAD, Worker, open_with, project, questions, spend
from tests.frontend.api.callers import Caller
from tests.people import NOON, join
from tests.uploading import json_lines

PAGE = Path(__file__).parents[3] / "docs" / "api.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def lena(transactional_db: None) -> User:
    return join(project(pay="12.00 EUR an hour"), "lena", "lead")


@pytest.fixture
def examples(live_server: LiveServer, lena: User, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the examples define, once all of them have run."""
    secret = Caller(lena, TokenScope.LEAD, lena.memberships.get().project).secret
    monkeypatch.setenv("GOLDFINCH_SITE", live_server.url)
    monkeypatch.setenv("GOLDFINCH_TOKEN", secret)
    found: dict[str, Any] = {"__name__": "examples"}
    exec("\n".join(BLOCK.findall(PAGE.read_text(encoding="utf-8"))), found)
    return found


def with_jobs_done(call: Callable[..., Any]) -> Callable[..., Any]:
    """The same call; a job that it begins has its turn before the answer comes."""

    def called(method: str, address: str, *args: Any, **more: Any) -> Any:
        answer = call(method, address, *args, **more)
        for job in Job.objects.filter(state=Job.State.QUEUED):
            long_jobs.run(job.pk)
        return answer

    return called


def test_a_file_is_imported_by_the_examples(examples: dict[str, Any], tmp_path: Path):
    examples["call"] = with_jobs_done(examples["call"])
    path = tmp_path / "lights.jsonl"
    path.write_bytes(json_lines(questions(3)))
    assert examples["bring_in"]("lights", path)["items"] == 3
    assert [row["payload"] for row in examples["rows"]("projects/lights/items/", limit=2)] == [
        item.payload for item in Item.objects.order_by("position")
    ]


def test_what_is_owed_is_marked_as_paid_by_the_examples(examples: dict[str, Any], lena: User, tmp_path: Path):
    lights = lena.memberships.get().project
    open_with(lights, tmp_path, questions(1))
    worker = Worker(join(lights, "ada"), lights)
    held, at = worker.claim(), NOON + timedelta(minutes=30)
    spend(held, now=at, ms=1_800_000, active=1_800_000)
    worker.commit(held, "question", BAD, now=at)
    bring_up_to_date(lights, now=at)
    settlement = examples["mark_paid"]("lights", "2026-11-20")
    assert [(row.seconds, str(row.settlement)) for row in Payment.objects.all()] == [(1800, settlement)]
