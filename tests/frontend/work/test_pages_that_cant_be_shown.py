"""A published page over the limits is kept for its annotations; the first who would see it is told, and nobody else."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from frontend.bots.bot import Bot
from tasks.engine import queues
from tasks.engine.no_work import NoWork
from tasks.models import Assignment
from tests.builders import GOOD, Worker, load, reload, write_lines
from tests.people import NOON

LIMIT = "tokens; the limit is 60,000."


def published_line(*annotations):
    """A simplified record with a word too many."""
    record = {"example_id": 7, "question_text": "who lit it", "document_url": "", "annotations": [*annotations]}
    return record | {"document_text": "word " * 60_001 + "end", "long_answer_candidates": []}


def opened(nq, folder, *annotations):
    """Import such a record, the only item of a queue."""
    report = load(nq, write_lines(folder / "nq-dev-00.jsonl", [published_line(*annotations)]), published=True)
    queues.open_queue(nq, "annotate", by=None, now=NOON)
    return report


@pytest.fixture
def held(nq, alice, tmp_path):
    """Alice, the work that she holds, and its second stage, whose page can't be shown."""
    assert any("This page can't be shown." in note.text for note in opened(nq, tmp_path).notes)
    worker = Worker(alice, nq)
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    return Bot(alice, Random(1)), mine, f"/work/{mine.uuid}/long_answer/"


@pytest.fixture
def lead(lena):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lena)
    return client


def test_a_page_that_cant_be_shown_says_so_with_the_limit_and_offers_other_work(held):
    bot, _mine, stage = held
    answer = bot.client.get(stage)
    assert answer.status_code == 422
    said = answer.content.decode()
    assert "can’t be shown" in said
    assert LIMIT in said
    assert f'action="{reverse("claim", args=["lights", "annotate"])}"' in said
    assert bot.client.get("/").status_code == 200


def test_the_answer_before_it_is_kept_and_followed_by_the_same_page(nq, alice, tmp_path):
    opened(nq, tmp_path)
    mine, bot = Worker(alice, nq).claim(), Bot(alice, Random(1))
    form = bot.filled(f"/work/{mine.uuid}/", mine.uuid, "nq", "question", GOOD)
    answer = bot.client.post(*form, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert LIMIT in answer.content.decode()
    assert mine.annotation.responses.count() == 1


def test_work_on_it_is_returned_and_nobody_is_given_it_again(nq, held, bob):
    bot, mine, stage = held
    bot.client.get(stage)
    assert (reload(mine).state, reload(mine).task.state) == ("returned", "frozen")
    for person in (bot.user, bob):
        assert isinstance(Worker(person, nq).claim(), NoWork)
    assert bot.client.get(stage).status_code == 404


def test_others_who_hold_it_are_released_too(nq, held, bob):
    bot, _mine, stage = held
    his = Worker(bob, nq).claim()
    Worker(bob, nq).commit(his, "question", GOOD)
    bot.client.get(stage)
    assert reload(his).state == "leased"
    assert Bot(bob, Random(1)).client.get(f"/work/{his.uuid}/").status_code == 422
    assert {row.state for row in Assignment.objects.all()} == {"returned"}


def test_a_lead_sees_it_with_the_reason_and_opens_it_again(nq, held, lead):
    bot, mine, stage = held
    bot.client.get(stage)
    item = reverse("item", args=[nq.slug, mine.task.item_id])
    assert "1 reported" in lead.get("/").content.decode()
    [row] = lead.get(reverse("project", args=[nq.slug])).context["board"].needs.reported
    assert (row["item"], row["reasons"], row["frozen"]) == (mine.task.item_id, ["It can't be shown"], True)
    shown = lead.get(item).content.decode()
    assert LIMIT in shown
    assert "Open it again" in shown
    lead.post(f"{item}unfreeze/")
    assert LIMIT not in lead.get(item).content.decode()
    assert lead.get(reverse("project", args=[nq.slug])).context["board"].needs.reported == []
    assert Worker(bot.user, nq).claim().task == mine.task


def test_a_lead_reads_its_published_answers_without_the_page(nq, lead, tmp_path):
    none = {"start_token": -1, "end_token": -1, "start_byte": -1, "end_byte": -1, "candidate_index": -1}
    answer = {"annotation_id": 1, "yes_no_answer": "NONE", "short_answers": []}
    opened(nq, tmp_path, answer | {"long_answer": none | {"start_token": 3, "end_token": 9}})
    answer = lead.get(reverse("item", args=[nq.slug, nq.items.get().pk]))
    assert answer.status_code == 200
    assert "Tokens 3 to 9, not one of the page’s boxes" in answer.content.decode()
