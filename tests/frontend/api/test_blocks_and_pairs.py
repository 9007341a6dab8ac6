"""Blocks and pairs are worked through by script piece by piece; what raters hold is in the browser only."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.models import JudgingRound, Project, Response, User
from tasks.judging import working
from tasks.models import Assignment
from tasks.pairs import matching
from tests.builders import Worker, open_papers, reload
from tests.frontend.api.callers import working as working_token
from tests.frontend.api.scripts import Script, by_script
from tests.people import NOON, join
from tests.protocols.coqa.pairs import asked as question
from tests.protocols.coqa.pairs import talk_project
from tests.tasks.judging.judged_rounds import experts, lead, lights, sealed
from tests.tasks.test_blocks import UNANSWERABLE, asked

__all__ = ["experts", "lead", "lights", "sealed"]
pytestmark = pytest.mark.django_db


def test_a_block_leads_from_piece_to_piece_and_its_answers_may_change_until_it_ends():
    papers = by_script(open_papers())
    writer = Worker(join(papers, "wendy"), papers, "ask")
    card = writer.claim()
    writer.commit(card, "questions", asked("Which corpus was it?", "How many people took part?"))
    script = Script(join(papers, "adam"), papers)
    first = script.claim("answer")
    assert [part["state"] for part in first["block"]] == ["untouched", "untouched"]
    done = script.send(first, UNANSWERABLE).json()
    other = script.read(done["next"])
    assert {one["uuid"]: one["state"] for one in other["block"]} == {
        first["uuid"]: "committed",
        other["uuid"]: "untouched",
    }
    again = script.read(first["uuid"])
    assert again["step"]["answer"] == UNANSWERABLE
    last = script.send(other, UNANSWERABLE).json()
    assert (last["next"], last["work"]["state"]) == (None, "submitted")
    assert script.send(again, UNANSWERABLE).json()["replayed"] is True
    assert script.read(first["uuid"])["step"] is None
    assert Response.objects.filter(stage="answer").count() == 2


def test_what_a_rater_holds_has_no_address(sealed: JudgingRound, lights: Project, experts: list[User]):
    by_script(lights)
    working.begin(sealed, by=experts[0], now=NOON)
    held = Assignment.objects.filter(task__exhibit__isnull=False).first()
    caller = working_token(experts[0])
    uuid = reload(held).uuid
    assert caller.get(f"work/{uuid}/").status_code == 404
    assert caller.get(f"work/{uuid}/steps/judge/").status_code == 404
    assert caller.post(f"work/{uuid}/take/", {}).status_code == 404
    assert caller.get("work/").json() == {"results": []}


def test_what_was_sent_to_a_partner_is_taken_back_until_they_begin(tmp_path: Path):
    talks = by_script(talk_project(tmp_path))
    people = [join(talks, name) for name in ("ann", "ben")]
    asking, replying = (Script(person, talks) for person in people)
    one, other = (str(row.uuid) for row in matching.seat(talks, "converse", people, now=NOON))
    asking.send(asking.read(one), question("Who built it?"))
    withdrawn = asking.post(f"work/{one}/steps/question-1/withdraw/")
    assert withdrawn.json()["step"]["draft"]["data"]["text"] == "Who built it?"
    assert replying.read(other)["step"] is None
    asking.send(withdrawn.json(), question("Who built it then?"))
    shown = replying.read(other)
    body = {"data": {"text": "An"}, "seq": 1, "version": shown["step"]["version"]}
    assert replying.caller.call("PUT", f"work/{other}/steps/answer-1/draft/", body).status_code == 200
    refused = asking.post(f"work/{one}/steps/question-1/withdraw/")
    assert (refused.status_code, refused.json()["type"]) == (409, "already_begun")
