"""Conversations and games on the site: what each side gets, and what is never in its pages."""

from __future__ import annotations

import html
import json

import pytest
from django.urls import resolve, reverse

from annotation import clock, pseudonyms
from annotation.errors import WrongMove
from annotation.models import Annotation, Draft, Item, Response, Role
from tasks import corrections
from tasks.engine import claiming
from tasks.models import Assignment
from tasks.pairs import matching
from tests.people import join
from tests.protocols.coqa.pairs import HIDDEN_FIELD, STORY, Seated, answered, asked, ended, seated, talk, talk_project

HTMX = {"HX-Request": "true"}
QUOTE = "kept its light for thirty years"
DRAFT = "Zq8halfsaid77"


@pytest.fixture
def project(db, tmp_path):
    return talk_project(tmp_path)


@pytest.fixture
def pair(project):
    return seated(project)


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


def test_a_project_may_switch_the_advice_off(db, tmp_path):
    questioner, _ = seated(talk_project(tmp_path, overlap_advice=False))
    assert 'id="advised"' not in questioner.get()


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


@pytest.mark.parametrize(
    "step", ["answer-1", "closing-1", "question-2", "answer-2", "verdict-1", "question-0", "question"]
)
def test_a_step_of_the_partner_or_of_the_future_is_a_404(pair, step):
    questioner, _ = pair
    assert questioner.client.get(questioner.address(step)).status_code == 404


def test_the_last_word_ends_the_work_of_both_and_makes_a_conversation(pair):
    questioner, answerer = pair
    talk(*pair, turns=10)
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
    talk(*pair, turns=10)
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
    talk(*pair, turns=10)
    questioner.say(ended())
    answerer.say({"agreed": False})
    assert "Your partner would like more questions." in questioner.get()
    assert questioner.work().current == "question-12"


def test_a_declined_end_is_shown_again_in_the_words_of_its_button(pair):
    questioner, answerer = pair
    talk(questioner, answerer, 10)
    questioner.say(ended())
    answerer.say({"agreed": False})
    assert "No, ask me more" in answerer.get("closing-11")


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


@pytest.fixture
def player(project, pair):
    """Somebody who plays a conversation of ten turns."""
    talk(*pair, turns=10)
    pair[0].say(ended())
    pair[1].say({"agreed": True})
    person = join(project, "petra")
    player = Seated.at(None, person)
    claimed = player.client.post(reverse("claim", args=[project.slug, "guess"]))
    player.held = Assignment.objects.get(uuid=resolve(claimed["Location"]).kwargs["uuid"])
    return player


@pytest.mark.parametrize("turns", range(0, 10, 3))
def test_before_the_lock_nothing_of_the_original_or_of_later_turns_is_sent(player, turns):
    for turn in range(1, turns + 1):
        player.say(answered(f"Guess number {turn}"))
        player.say({"verdict": "match", "mistyped": ""})
    page = player.get()
    here = turns + 1
    assert f"Question number {here}?" in page
    assert f"Answer number {turns}<" in page or not turns
    for later in range(here, 11):
        assert f"Answer number {later}<" not in page
        assert later == here or f"Question number {later}?" not in page
    for step in (f"verdict-{here}", f"guess-{here + 1}", "now"):
        assert player.client.get(player.address(step)).status_code == 404
    player.say(answered(f"Guess number {here}"))
    revealed = player.get()
    assert f"Answer number {here}<" in revealed
    assert f"Question number {here + 1}?" not in revealed
    assert span_in(revealed) is False


def test_a_locked_guess_does_not_change(player):
    player.say(answered("Guess number 1"))
    later = player.send("guess-1", text="Answer number 1", unknown="on", headers=HTMX)
    assert later.status_code == 409
    assert [entry.payload.text for entry in player.work().answers] == ["Guess number 1"]


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_plays_their_own_conversation(project, player, pair, seat):
    answer = pair[seat].client.post(reverse("claim", args=[project.slug, "guess"]), headers=HTMX)
    assert "guess-1" not in answer.content.decode()
    assert not Assignment.objects.filter(annotator=pair[seat].user, task__activity="guess").exists()


def test_alone_one_person_plays_both_parts_and_nothing_is_polled(db, tmp_path):
    project = talk_project(tmp_path, split="train")
    person = join(project, "sol")
    solo = Seated.at(claiming.claim(project, "converse_alone", by=person, now=clock.now()), person)
    asks = solo.get()
    assert "now you ask" in asks
    assert "data-url-now" not in asks
    solo.say(asked("Who looked after it?"))
    answers = solo.get()
    assert "now you answer" in answers
    assert "data-url-now" not in answers
    solo.say(answered("Her brother", QUOTE))
    assert not span_in(solo.get())
    for turn in range(2, 11):
        solo.say(asked(f"Question number {turn}?"))
        solo.say(answered(f"Answer number {turn}"))
    solo.say(ended())
    assert Annotation.objects.get().completed_at is not None
    assert Item.objects.filter(kind="conversation").count() == 1


def test_nobody_is_seated_at_a_passage_that_they_have_talked_about_alone(db, tmp_path):
    project = talk_project(tmp_path, split="train", passages=1)
    solo = join(project, "sol")
    claiming.claim(project, "converse_alone", by=solo, now=clock.now())
    people = [solo, join(project, "anna")]
    assert matching.seat(project, "converse", people, now=clock.now()) == ()
