"""A question that is in the box when the end is proposed: nobody is asked it, and it is not lost."""

from __future__ import annotations

import pytest

from annotation.models import Draft, Response
from tests.protocols.coqa.pairs import answered, asked, seated, seated_still, talk, talk_project

WRITTEN = "Zq9 what happened then?"


@pytest.fixture(scope="module")
def talked(shared_rows, tmp_path_factory):
    """Two people who have talked for ten turns."""
    made = seated(talk_project(tmp_path_factory.mktemp("passages")))
    talk(*made, turns=10)
    return made


@pytest.fixture
def pair(talked, db):
    return seated_still(talked)


def propose(questioner):
    sent = questioner.send("question-11", why="done", text=WRITTEN)
    assert sent.status_code == 302


def test_it_is_in_the_box_again_when_the_partner_wants_more_questions(pair):
    questioner, answerer = pair
    propose(questioner)
    assert all(WRITTEN not in page for page in (questioner.get(), answerer.get(), answerer.get("now")))
    answerer.say({"agreed": False})
    assert WRITTEN in questioner.get()
    assert questioner.work().draft("question-12").data == {"text": WRITTEN}
    assert WRITTEN not in answerer.get()
    questioner.send("question-12", text=WRITTEN)
    assert WRITTEN in answerer.get()
    assert not Draft.objects.exists()


def test_it_is_no_part_of_the_proposal(pair):
    propose(pair[0])
    assert Response.objects.latest("pk").payload == {"kind": "ended", "why": "done", "reason": ""}


def test_it_is_in_the_box_again_when_the_proposal_is_taken_back(pair):
    questioner, _ = pair
    propose(questioner)
    questioner.client.post(questioner.address("question-11", "withdraw"))
    assert WRITTEN in questioner.get()
    assert Draft.objects.get().data == {"why": "done", "reason": "", "text": WRITTEN}


def test_the_page_says_beforehand_what_becomes_of_it(pair):
    questioner, answerer = pair
    assert "data-unasked data-kept" in questioner.get()
    questioner.say(asked("And then?"))
    answerer.say(answered("Nothing", may_end=True))
    page = questioner.get()
    assert "data-unasked" in page
    assert "data-unasked data-kept" not in page


def test_nothing_is_kept_where_nobody_else_decides(pair):
    questioner, answerer = pair
    questioner.say(asked("And then?"))
    answerer.say(answered("Nothing", may_end=True))
    assert questioner.send("question-12", why="done", text=WRITTEN).status_code == 302
    assert not Draft.objects.exists()
