"""Who is told that shared work or a place in the lobby has changed: whoever did not do it themselves."""

from __future__ import annotations

import uuid

import pytest

from annotation.engine.drafts import PageLoad
from tasks.engine import pokes, skip_and_return, submitting
from tests.people import NOON
from tests.protocols.toy.building import Pair, toy_project
from tests.tasks.pairs.visiting import Lobby


@pytest.fixture
def heard(transactional_db):
    """What subscribers were told, in order."""
    told: list[pokes.Poke] = []
    pokes.subscribe(told.append)
    yield told
    pokes.unsubscribe(told.append)


def test_of_an_answer_and_of_leaving_the_partner_is_told(heard):
    pair = Pair.seated(toy_project())
    topic = pokes.topic_of_work(pair.annotation.pk)
    pair.say("asker", "ask-1")
    assert heard == [pokes.Poke(topic, but=pair.asker.pk)]
    heard.clear()
    skip_and_return.give_back(pair.row("asker"), by=pair.asker, now=NOON)
    assert heard == [pokes.Poke(topic, to=pair.teller.pk)]


def test_that_the_next_step_is_begun_is_told_once_to_whoever_could_take_back_what_it_is_about(heard):
    pair = Pair.seated(toy_project())
    types(pair, "asker", "ask-1", "Who")
    assert heard == []
    pair.say("asker", "ask-1")
    heard.clear()
    for texts in (("An",), ("An", "Anna")):
        types(pair, "teller", "tell-1", *texts)
        assert heard == [pokes.Poke(pokes.topic_of_work(pair.annotation.pk), but=pair.teller.pk, beside=True)]
    pair.say("teller", "tell-1")
    heard.clear()
    types(pair, "asker", "ask-2", "Why")
    assert heard == [], "what was told can't be taken back"


def types(pair, seat, step, *texts):
    row, tab = pair.row(seat), PageLoad(uuid.UUID(int=1))
    seen = pair.work(seat).seen_at(step)
    for seq, text in enumerate(texts):
        submitting.save_draft(row, step, {"text": text}, by=row.annotator, tab=tab, seq=seq, seen=seen, now=NOON)


def test_of_a_ticket_that_moves_its_visitor_is_told(heard):
    lobby = Lobby(toy_project())
    ann = lobby.enters("ann")
    heard.clear()
    lobby.leaves("ann", 1)
    assert heard == [pokes.Poke(pokes.topic_of_lobby(ann.project_id, "talk"), to=ann.annotator_id)]
