"""The lead's pages: a project overview, annotations side by side, downloads."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from frontend.bots.bot import Bot
from tasks.models import Assignment
from tests.boards import bring_up_to_date
from tests.builders import Worker, open_with, questions
from tests.people import join


@pytest.fixture
def lights(nq, tmp_path):
    open_with(nq, tmp_path, [*questions(2), *questions(2, split="dev", start=10)])
    for number in range(2):
        bot = Bot(join(nq, f"annotator-{number}"), Random(number))
        for _ in range(3):
            bot.finish_one(nq, "annotate")
    return nq


@pytest.fixture
def lead(nq, lena):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lena)
    return client


@pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/board/test_board.py::test_each_queue_and_split_says_what_is_finished_and_in_progress"
)
def test_the_board_counts_tasks_done_and_work_by_split(lead, lights, alice):
    Bot(alice, Random(1)).claim(lights, "annotate")
    bring_up_to_date(lights, now=clock.now())
    counts = {row.split: row for row in lead.get(reverse("project", args=[lights.slug])).context["board"].parts}
    assert (counts["train"].progress.total, counts["dev"].progress.total) == (2, 2)
    assert counts["dev"].wanted == 10
    submitted = Assignment.objects.filter(state="submitted").count()
    assert counts["train"].submitted + counts["dev"].submitted == submitted >= 5
    leased = Assignment.objects.filter(state="leased").count()
    assert counts["train"].held + counts["dev"].held == leased >= 1


def test_the_annotations_of_an_item_are_shown_side_by_side_under_codes(lead, nq, tmp_path):
    open_with(nq, tmp_path, questions(1, split="dev"))
    for name in ("annotator-0", "annotator-1"):
        Worker(join(nq, name), nq).finish_without_answer()
    item = nq.items.get()
    response = lead.get(reverse("item", args=[nq.slug, item.pk]))
    text = response.content.decode()
    assert item.payload["question_text"] in text
    assert item.annotations.count() == 2
    for row in item.annotations.all():
        assert row.author.worker_code in text
        assert str(row.uuid) in text
        assert row.author.username not in text
