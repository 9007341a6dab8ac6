"""A published page over the limits is kept for its annotations; the first who would see it is told, and nobody else."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Project, Role
from frontend.bots.bot import Bot
from tasks.engine import queues
from tasks.engine.no_work import NoWork
from tasks.models import Assignment
from tests.builders import GOOD, Worker, load, project, reload, write_lines
from tests.people import NOON, join

LIMIT = "tokens; the limit is 60,000."
NONE = {"start_token": -1, "end_token": -1, "start_byte": -1, "end_byte": -1, "candidate_index": -1}
ANSWER = {
    "annotation_id": 1,
    "yes_no_answer": "NONE",
    "short_answers": [],
    "long_answer": NONE | {"start_token": 3, "end_token": 9},
}
RECORD = {
    "example_id": 7,
    "question_text": "who lit it",
    "document_url": "",
    "annotations": [ANSWER],
    "document_text": "word " * 60_001 + "end",
    "long_answer_candidates": [],
}
"""A simplified record with a word too many."""


@pytest.fixture(scope="module")
def opened_once(shared_rows, tmp_path_factory) -> int:
    """Such a record, the only item of a queue, and Alice and Bob, who hold it."""
    made, folder = project(), tmp_path_factory.mktemp("lights")
    report = load(made, write_lines(folder / "nq-dev-00.jsonl", [RECORD]), published=True)
    assert any("This page can't be shown." in note.text for note in report.notes)
    queues.open_queue(made, "annotate", by=None, now=NOON)
    for name in ("alice", "bob"):
        Worker(join(made, name), made).claim()
    return made.pk


@pytest.fixture
def lights(opened_once, db):
    return Project.objects.get(pk=opened_once)


@pytest.fixture
def lead(lights):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(join(lights, "lena", Role.LEAD))
    return client


def held_by(name: str) -> tuple[Bot, Assignment]:
    """Alice or Bob, and the work that they hold."""
    mine = Assignment.objects.get(annotator__username=name)
    return Bot(mine.annotator, Random(1)), mine


def at_the_page(lights, name: str) -> tuple[Bot, Assignment, str]:
    """The same after the first stage, and the address of the second, whose page can't be shown."""
    bot, mine = held_by(name)
    Worker(bot.user, lights).commit(mine, "question", GOOD)
    return bot, mine, f"/work/{mine.uuid}/long_answer/"


def test_it_says_so_with_the_limit_offers_other_work_and_everybody_who_holds_it_is_released(lights):
    bot, mine, stage = at_the_page(lights, "alice")
    his_bot, his, _stage = at_the_page(lights, "bob")
    answer = bot.client.get(stage)
    assert answer.status_code == 422
    said = answer.content.decode()
    assert "can’t be shown" in said
    assert LIMIT in said
    assert f'action="{reverse("claim", args=["lights", "annotate"])}"' in said
    assert bot.client.get("/").status_code == 200
    assert (reload(mine).state, reload(mine).task.state) == ("returned", "frozen")
    assert bot.client.get(stage).status_code == 404
    assert reload(his).state == "leased"
    assert his_bot.client.get(f"/work/{his.uuid}/").status_code == 422
    assert {row.state for row in Assignment.objects.all()} == {"returned"}
    for person in (bot.user, his_bot.user, join(lights, "carol")):
        assert isinstance(Worker(person, lights).claim(), NoWork)


def test_the_answer_before_it_is_kept_and_followed_by_the_same_page(lights):
    bot, mine = held_by("alice")
    form = bot.filled(f"/work/{mine.uuid}/", mine.uuid, "nq", "question", GOOD)
    answer = bot.client.post(*form, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert LIMIT in answer.content.decode()
    assert mine.annotation.responses.count() == 1


def test_a_lead_sees_it_with_the_reason_and_opens_it_again(lights, lead):
    bot, mine, stage = at_the_page(lights, "alice")
    bot.client.get(stage)
    item = reverse("item", args=[lights.slug, mine.task.item_id])
    assert "1 reported" in lead.get("/").content.decode()
    [row] = lead.get(reverse("project", args=[lights.slug])).context["board"].needs.reported
    assert (row["item"], row["reasons"], row["frozen"]) == (mine.task.item_id, ["It can't be shown"], True)
    shown = lead.get(item).content.decode()
    assert LIMIT in shown
    assert "Open it again" in shown
    assert "Tokens 3 to 9, not one of the page’s boxes" in shown  # as was published
    lead.post(f"{item}unfreeze/")
    assert LIMIT not in lead.get(item).content.decode()
    assert lead.get(reverse("project", args=[lights.slug])).context["board"].needs.reported == []
    assert Worker(bot.user, lights).claim().task == mine.task
