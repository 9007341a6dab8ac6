"""Conversations on the site: what each side gets, and what is never in its pages."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from annotation import clock
from annotation.errors import WrongMove
from annotation.models import Annotation, Draft, Item, Response, Role
from tasks import corrections
from tests.people import join
from tests.protocols.coqa.pairs import (
    HIDDEN_FIELD,
    STORY,
    answered,
    asked,
    ended,
    seated,
    seated_still,
    talk,
    talk_project,
)

QUOTE = "kept its light for thirty years"
DRAFT = "Zq8halfsaid77"


@pytest.fixture(scope="module")
def talks(shared_rows, tmp_path_factory):
    """A project, and two people at the beginning of a conversation."""
    made = talk_project(tmp_path_factory.mktemp("passages"))
    pair = seated(made)
    return made, pair


@pytest.fixture
def project(talks, db):
    return talks[0]


@pytest.fixture
def pair(talks, db):
    return seated_still(talks[1])


def pages(person, *steps):
    """Every page of this person's work, the live part included."""
    return [person.get(), person.get("now"), *(person.get(step) for step in steps)]


def save_draft(person, step, **fields):
    hidden = dict(HIDDEN_FIELD.findall(person.get()))
    draft = hidden | {"seq": 1, "data": json.dumps(fields)}
    saved = person.client.post(person.address(step, "draft"), draft)
    assert saved.status_code == 200
    assert Draft.objects.filter(author=person.user).exists()


def span_in(page):
    """Whether a page has a rationale as the hidden field would hold it, or its offsets."""
    return "quote&quot;" in page or '"quote"' in page


def test_the_questioner_never_gets_a_rationale_or_a_draft_of_the_answer(pair):
    questioner, answerer = pair
    questioner.say(asked("Who looked after it?"))
    save_draft(answerer, "answer-1", text=DRAFT, rationale="")
    assert all(DRAFT not in page for page in pages(questioner, "question-1"))
    answerer.say(answered("Her brother", QUOTE))
    for page in pages(questioner, "question-1", "question-2"):
        assert not span_in(page)
        assert page.count(QUOTE) == page.count(STORY)
    assert "Her brother" in questioner.get("now")


def test_the_key_that_skips_leaves_the_conversation(pair):
    questioner, answerer = pair
    label = '<i data-k="key-skip">leave this conversation</i>'
    assert label in questioner.get("question-1")
    questioner.say(asked("Who looked after it?"))
    assert label in answerer.get("answer-1")


def test_before_the_first_question_both_read_how_long_it_is_and_neither_is_shown_a_key_with_nothing_to_flag(pair):
    questioner, answerer = pair
    how_long, flag = "It has about 15 questions", "<kbd>Alt F</kbd> flag"
    for side in pair:
        assert how_long in side.get()
        assert flag not in side.get()
    questioner.say(asked("Who looked after it?"))
    assert how_long not in questioner.get()
    assert flag not in questioner.get()
    answerer.say(answered("Her brother", QUOTE))
    for side in pair:
        assert how_long not in side.get()
        assert flag in side.get()


def test_the_answerer_is_told_how_to_mark_words_by_touch_too(pair):
    questioner, answerer = pair
    questioner.say(asked("Who looked after it?"))
    page = " ".join(answerer.get("answer-1").split())
    assert 'drag over them, or tap the first and the last<span class="by-key">, or press S</span>.' in page


def test_the_answerer_never_gets_a_draft_of_a_question_or_earlier_rationales(pair):
    questioner, answerer = pair
    save_draft(questioner, "question-1", text=DRAFT)
    assert all(DRAFT not in page for page in pages(answerer))
    questioner.say(asked("Who looked after it?"))
    answerer.say(answered("Her brother", QUOTE))
    questioner.say(asked("For how long?"))
    for page in pages(answerer, "answer-1", "answer-2"):
        assert not span_in(page)
        assert page.count(QUOTE) == page.count(STORY)


def test_only_the_questioner_gets_the_words_of_the_advice(pair):
    questioner, answerer = pair
    assert 'id="advised"' in questioner.get()
    assert "lighthouse" in questioner.get().split('id="advised"')[1].split("</template>")[0]
    questioner.say(asked("Who?"))
    assert 'id="advised"' not in answerer.get()


def test_the_words_in_the_passage_are_found_again_when_a_question_is_sent_whatever_the_browser_says(pair):
    questioner, answerer = pair
    assert questioner.send("question-1", text="Who built the lighthouse, Pip?", overlap="Pip").status_code == 302
    answerer.say(answered("Anna Holt"))
    questioner.say(asked("And why then?") | {"overlap": ["brother"]})
    rows = Response.objects.filter(stage="question").order_by("pk")
    assert [row.payload["overlap"] for row in rows] == [["built", "lighthouse"], []]


def test_what_was_sent_is_shown_again_but_not_changed(pair):
    questioner, answerer = pair
    questioner.say(asked("Who looked after it?"))
    answerer.say(answered("Her brother", QUOTE))
    for person, step, text in (
        (questioner, "question-1", "Who looked after it?"),
        (answerer, "answer-1", "Her brother"),
    ):
        page = person.get(step)
        assert "Sent. It can’t be changed any more." in page
        assert text in page
        assert "data-commit" not in page


def test_a_step_of_the_partner_or_of_the_future_is_a_404(pair):
    questioner, _ = pair
    for step in ("answer-1", "closing-1", "question-2", "answer-2", "verdict-1", "question-0", "question"):
        assert questioner.client.get(questioner.address(step)).status_code == 404, step


def test_a_short_conversation_makes_nothing_to_play(pair):
    questioner, _ = pair
    talk(*pair, turns=5)
    questioner.say(ended("exhausted", "It tells no more."))
    assert Annotation.objects.get().completed_at is not None
    assert not Item.objects.filter(kind="conversation").exists()


def test_a_finished_conversation_cannot_be_sent_back(project, pair, client):
    talk(*pair, turns=5)
    pair[0].say(ended("exhausted", "It tells no more."))
    finished = Annotation.objects.get()
    client.force_login(join(project, "lena", Role.LEAD))
    shown = client.get(reverse("item", args=[project.slug, finished.item_id])).content.decode()
    assert "Exclude…" in shown
    assert "Send back…" not in shown
    with pytest.raises(WrongMove, match="can’t be changed"):
        corrections.reopen(project, finished.uuid, by=None, reason="Turn 3", now=clock.now())


def test_a_lead_who_decides_about_a_short_conversation_sees_its_passage_once(project, pair, client):
    talk(*pair, turns=5)
    pair[0].say(ended("exhausted", "It tells no more."))
    client.force_login(join(project, "lena", Role.LEAD))
    shown = client.get(reverse("item", args=[project.slug, Annotation.objects.get().item_id])).content.decode()
    assert "It ended early" in shown
    assert shown.count("for thirty years") == STORY.count("for thirty years")
