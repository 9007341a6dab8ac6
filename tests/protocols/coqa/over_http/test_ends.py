"""How a conversation ends on the site: for both together, and what each of them reads then."""

from __future__ import annotations

import html

import pytest

from annotation import pseudonyms
from annotation.models import Annotation, Item
from tests.protocols.coqa.pairs import ended, seated, seated_still, talk, talk_project

HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def talked(shared_rows, tmp_path_factory):
    """Two people who have talked for ten turns."""
    made = seated(talk_project(tmp_path_factory.mktemp("passages")))
    talk(*made, turns=10)
    return made


@pytest.fixture
def pair(talked, db):
    return seated_still(talked)


def test_the_last_word_ends_the_work_of_both_and_makes_a_conversation(pair):
    questioner, answerer = pair
    questioner.say(ended())
    answer = answerer.send("closing-11", agreed="yes", headers=HTMX)
    assert (answer.status_code, answer["HX-Redirect"]) == (204, "/projects/talks/converse/lobby/")
    lobby = answerer.client.get(answer["HX-Redirect"]).content.decode()
    assert "You have finished this together. Thank you." in lobby
    assert questioner.client.get(questioner.address("now")).status_code == 404
    home = questioner.client.get(questioner.address(), follow=True).content.decode()
    assert "You have finished this together. Thank you." in home
    assert Annotation.objects.get().completed_at is not None
    made = Item.objects.get(kind="conversation")
    assert [turn["answer"] for turn in made.payload["turns"]] == [f"Answer number {turn}" for turn in range(1, 11)]
    assert made.made_from == Annotation.objects.get()
    assert made.payload["talk"] == pseudonyms.id_hex(str(made.made_from.uuid))


def test_finished_work_shows_the_answerer_each_question_once_above_its_answer(pair):
    questioner, answerer = pair
    questioner.say(ended())
    answerer.send("closing-11", agreed="yes", headers=HTMX)
    text = " ".join(answerer.client.get("/finished/").content.decode().split())
    questions = [turn["question"] for turn in Item.objects.get(kind="conversation").payload["turns"]]
    places = [text.index(f'<dt class="turn-asked" dir="auto">{html.escape(each)}</dt>') for each in questions]
    assert places == sorted(places)
    assert text.index("Answer number 1") > places[0]
    assert "turn-asked" not in questioner.client.get("/finished/").content.decode()


def test_a_declined_end_goes_on_with_a_question(pair):
    questioner, answerer = pair
    questioner.say(ended())
    answerer.say({"agreed": False})
    assert "Your partner would like more questions." in questioner.get()
    assert questioner.work().current == "question-12"


def test_a_declined_end_is_shown_again_in_the_words_of_its_button(pair):
    questioner, answerer = pair
    questioner.say(ended())
    answerer.say({"agreed": False})
    assert "No, ask me more" in answerer.get("closing-11")
