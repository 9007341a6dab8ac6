"""A question that was taken back is neither shown nor released, nor counted as a turn."""

from __future__ import annotations

import json

import pytest

from annotation import clock
from annotation.models import Case, Draft
from tasks.pairs import taking_back
from tests.protocols.coqa.deciding import decide, flag, released
from tests.protocols.coqa.pairs import HIDDEN_FIELD, answered, asked, ended, seated, seated_still, talk, talk_project

TOLD = "Your partner has taken back what they sent last."
HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def talks(shared_rows, tmp_path_factory):
    """A project, and two people of whom one has asked."""
    made = talk_project(tmp_path_factory.mktemp("passages"), split="train")
    pair = seated(made)
    pair[0].say(asked("Zq4 who was it again?"))
    return made, pair


@pytest.fixture
def project(talks, db):
    return talks[0]


@pytest.fixture
def pair(talks, db):
    return seated_still(talks[1])


def take_back(person, step="question-1", **options):
    return person.client.post(person.address(step, "withdraw"), **options)


def test_the_questioner_gets_the_words_back_into_the_box_and_the_answerer_waits_again(pair):
    questioner, answerer = pair
    assert "data-withdraw" in questioner.get()
    assert take_back(questioner, headers=HTMX).status_code == 200
    assert "Zq4 who was it again?" in questioner.get()
    assert questioner.work().draft("question-1").data == {"text": "Zq4 who was it again?"}
    for page in (answerer.get(), answerer.get("now")):
        assert "Zq4" not in page
    assert answerer.client.get(answerer.address("now"))["X-Step"] == ""
    sent = questioner.send("question-1", text="Who kept the light?")
    assert sent.status_code == 302
    assert "Who kept the light?" in answerer.get()


def test_the_answerers_page_is_told_whose_doing_it_is_that_the_question_is_gone(pair):
    questioner, answerer = pair
    address, here = answerer.address("now"), HTMX | {"X-Step": "answer-1"}
    assert TOLD not in answerer.client.get(address, headers=here).content.decode()
    take_back(questioner)
    assert TOLD in answerer.client.get(address, headers=here).content.decode()
    assert TOLD not in answerer.client.get(address, headers=HTMX | {"X-Step": ""}).content.decode()
    assert TOLD not in questioner.client.get(questioner.address("now"), headers=here).content.decode()


def test_what_a_page_still_sends_about_a_question_that_is_gone_is_no_error(pair):
    questioner, answerer = pair
    hidden = dict(HIDDEN_FIELD.findall(answerer.get()))
    take_back(questioner)
    trace = json.dumps([{"n": 1, "lines": [[1, "in_sight", {"ms": 2000, "active": 1000}, ""]]}])
    saved = [
        answerer.client.post(answerer.address("answer-1", "draft"), hidden | {"trace": trace} | more)
        for more in ({}, {"seq": 1, "data": json.dumps({"text": "Anna"})})
    ]
    assert [one.json() for one in saved] == [{"kept": 1, "gone": True}, {"kept": 0, "gone": True}]
    assert not Draft.objects.filter(author=answerer.user).exists()
    unsent = hidden | {"seq": 1, "data": json.dumps({"text": "Anna"}), "submission_key": ""}
    assert answerer.client.post(answerer.address("answer-1", "kept"), unsent).status_code == 204
    sent = answerer.client.post(answerer.address("answer-1"), hidden | {"text": "Anna"}, follow=True)
    assert TOLD in sent.content.decode()
    assert answerer.client.post(answerer.address("answer-2", "draft"), hidden | {"trace": "[]"}).status_code == 404


def test_once_the_answerer_has_marked_a_rationale_it_stays(pair):
    questioner, answerer = pair
    hidden = dict(HIDDEN_FIELD.findall(answerer.get()))
    data = json.dumps({"rationale": json.dumps([answered("x")["rationale"]])})
    saved = answerer.client.post(answerer.address("answer-1", "draft"), hidden | {"seq": 1, "data": data})
    assert (saved.status_code, Draft.objects.count()) == (200, 1)
    assert "data-withdraw" not in questioner.get()
    told = take_back(questioner, follow=True).content.decode()
    assert "It is already being answered." in told
    assert "Your partner reads your question and answers it." in told
    assert "Zq4" in answerer.get()


def test_the_questioners_page_learns_that_it_is_begun_and_the_answerers_own_does_not(pair):
    _, answerer = pair
    hidden = dict(HIDDEN_FIELD.findall(answerer.get()))

    def marked():
        pages = (person.client.get(person.address("partner"), headers={"X-Part": "1"}) for person in pair)
        return ["data-partner-begun" in page.content.decode() for page in pages]

    assert marked() == [False, False]
    answerer.client.post(answerer.address("answer-1", "draft"), hidden | {"seq": 1, "data": json.dumps({"text": "A"})})
    assert marked() == [True, False]
    answerer.say(answered("Anna"))
    assert marked() == [False, False]


def test_only_the_questioner_has_the_button_and_nobody_else_takes_it_back(pair, project):
    questioner, answerer = pair
    assert "data-withdraw" not in answerer.get()
    assert take_back(answerer).status_code == 404
    stranger = seated(project, "uma", "vic")[0]
    assert stranger.client.post(questioner.address("question-1", "withdraw")).status_code == 404
    questioner_of_nothing = take_back(questioner, "question-9")
    assert questioner_of_nothing.status_code == 404


def test_a_release_has_the_turns_that_were_answered_and_marks_none_for_what_was_taken_back(project, pair):
    questioner, answerer = pair
    case = flag(answerer, "question-1", "vague")
    taking_back.take_back(questioner.row(), "question-1", by=questioner.user, now=clock.now())
    talk(questioner, answerer, 10)
    questioner.say(ended())
    answerer.say({"agreed": True})
    decide(Case.objects.get(pk=case.pk), "upheld", project=project)
    [dialogue], manifest = released(project)
    assert [one["input_text"] for one in dialogue["questions"]] == [f"Question number {n}?" for n in range(1, 11)]
    assert "bad_turn" not in json.dumps(dialogue)
    assert (manifest["notes"], manifest["counts"]["train"]["flagged"]) == ([], 0)
