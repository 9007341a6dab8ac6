"""Who is told that shared work or a place in the lobby has changed: whoever did not do it themselves."""

from __future__ import annotations

import pytest

from tasks.engine import pokes, skip_and_return
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


def test_of_a_ticket_that_moves_its_visitor_is_told(heard):
    lobby = Lobby(toy_project())
    ann = lobby.enters("ann")
    heard.clear()
    lobby.leaves("ann", 1)
    assert heard == [pokes.Poke(pokes.topic_of_lobby(ann.project_id, "talk"), to=ann.annotator_id)]
