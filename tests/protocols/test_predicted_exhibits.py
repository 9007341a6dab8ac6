"""What raters see of a model's answers: as much as of a person's, as far as its file says it."""

from __future__ import annotations

import pytest

from annotation import registry
from annotation.values.predictions import ReadPrediction
from tests.builders import PAGE
from tests.protocols.coqa.test_exhibits import answer, talk
from tests.protocols.dureader.builders import composed, ours
from tests.protocols.dureader.builders import item as written_question
from tests.protocols.nq.builders import box_where, raw_item, spans_of
from tests.protocols.qasper.builders import question_item
from tests.protocols.squad.test_exhibits import CONTEXT, asked

NULL = {"start_byte": -1, "end_byte": -1, "start_token": -1, "end_token": -1}
LIT = "The first harbour light was lit"


def predicted(protocol, item, payload, *, kind="answers", place=0, given=()):
    said = ReadPrediction(item.external_id, place, payload)
    return registry.get(protocol).predicted_exhibit(kind, item, said, lambda: given)


def of_page(item, *, long=None, shorts=(), yes_no="NONE"):
    """A prediction of Natural Questions: the tokens of a box, and words in it."""
    found = item.documents[0].layout.candidates[long] if long is not None else None
    box = NULL if found is None else NULL | {"start_token": found.start_token, "end_token": found.end_token}
    words = [NULL | {"start_token": start, "end_token": end} for start, end in shorts]
    return {"example_id": 1, "long_answer": box, "short_answers": words, "yes_no_answer": yes_no}


@pytest.fixture
def lights():
    """A question about a page."""
    return raw_item(PAGE)


@pytest.fixture
def lit(lights):
    """The box of a paragraph, and a word in it as tokens."""
    box = box_where(lights, LIT)
    [span] = spans_of(lights, box, "1823")["spans"]
    return box["candidate"], (span["start"], span["end"])


def test_a_predicted_box_of_a_page_is_shown_alone(lights, lit):
    box, _word = lit
    shown = predicted("nq", lights, of_page(lights, long=box), kind="long")
    assert (shown.box.candidate, shown.box.words, shown.answers) == (box, (), ())


def test_predicted_words_are_marked_in_the_predicted_box_or_else_in_the_smallest_that_holds_them(lights, lit):
    box, word = lit
    for long in (box, None):
        shown = predicted("nq", lights, of_page(lights, long=long, shorts=[word]), kind="short")
        assert (shown.box.candidate, shown.box.words) == (box, (word,))


def test_bytes_say_where_predicted_words_are_if_tokens_do_not(lights, lit):
    box, word = lit
    tokens = lights.documents[0].layout.tokens[slice(*word)]
    span = NULL | {"start_byte": tokens[0].start, "end_byte": tokens[-1].end}
    shown = predicted("nq", lights, of_page(lights) | {"short_answers": [span]}, kind="short")
    assert (shown.box.candidate, shown.box.words) == (box, (word,))


def test_yes_is_an_answer_to_the_predicted_box(lights, lit):
    box, _word = lit
    assert predicted("nq", lights, of_page(lights, long=box, yes_no="YES"), kind="short").answers == ("Yes",)


def test_what_says_nothing_or_is_in_no_box_is_not_judged(lights, lit):
    box, word = lit
    other = next(
        place
        for place, each in enumerate(lights.documents[0].layout.candidates)
        if not each.start_token <= word[0] < each.end_token
    )
    assert predicted("nq", lights, of_page(lights), kind="long") is None
    assert predicted("nq", lights, of_page(lights, long=box), kind="short") is None
    assert predicted("nq", lights, of_page(lights, long=other, shorts=[word]), kind="short") is None
    assert predicted("nq", lights, of_page(lights) | {"long_answer": NULL | {"start_token": 0, "end_token": 1}}) is None


def test_an_answer_in_words_about_a_page_is_shown_without_a_passage(lights):
    shown = predicted("nq", lights, {"answer": " In 1823. "}, kind="long")
    assert (shown.box, shown.answers) == (None, ("In 1823.",))
    assert predicted("nq", lights, {"answer": " "}, kind="long") is None


def test_a_predicted_turn_comes_after_the_turns_that_people_said():
    item, said = talk(answer(1), answer(2, "In 1871"), answer(3, "yes"))
    shown = predicted("coqa", item, {"answer": "no", "turn": 3}, place=3, given=(said,))
    assert (shown.prompt, shown.answers) == ("Who built it, the 3th time?", ("no",))
    assert [one.answered for one in shown.before] == ["Anna", "In 1871"]
    assert not any(piece.marked for text in shown.texts for piece in text.pieces)
    assert predicted("coqa", item, {"answer": "no"}, place=2, given=(said,)) == shown


def test_predicted_turns_need_one_conversation_that_has_them_and_an_answer():
    item, said = talk(answer(1), answer(2))
    assert predicted("coqa", item, {"answer": "no", "turn": 2}, given=(said,))
    assert predicted("coqa", item, {"answer": "no", "turn": 3}, given=(said,)) is None
    assert predicted("coqa", item, {"answer": "no", "turn": 2}) is None
    assert predicted("coqa", item, {"answer": "no", "turn": 2}, given=(said, said)) is None
    assert predicted("coqa", item, {"answer": " Unknown", "turn": 2}, given=(said,)) is None
    assert predicted("coqa", item, {"answer": "no", "turn": 2}, kind="questions", given=(said,)) is None


def test_predicted_words_of_a_paragraph_are_shown_beside_it():
    item, _given = asked()
    shown = predicted("squad", item, {"answer": "1871"})
    assert (shown.answers, [text.text for text in shown.texts]) == (("1871",), [CONTEXT])
    assert predicted("squad", item, {"answer": ""}) is None


def test_predicted_evidence_is_shown_as_it_stands_in_the_file():
    evidence = ["They sleep.", "FLOAT SELECTED: Figure 1: Otters.", " "]
    shown = predicted("qasper", question_item(), {"answer": "14", "evidence": evidence})
    assert [(text.label, text.text) for text in shown.texts] == [
        ("Evidence", "They sleep."),
        ("Figure or table", "Figure 1: Otters."),
    ]
    assert shown.answers == ("14",)
    assert predicted("qasper", question_item(), {"answer": "Unanswerable", "evidence": []}) is None
    assert predicted("qasper", question_item(), {"answer": "14"}, kind="questions") is None


def test_a_predicted_answer_in_words_is_shown_with_its_opinion_or_entities():
    item = written_question()
    opinion = predicted("dureader", item, {"answer": "It is.", "opinion": "Yes"})
    named = predicted("dureader", item, {"answer": "It is.", "entities": ["gas", " "]})
    assert [(one.label, one.texts) for one in opinion.details] == [("Opinion", ("Yes",))]
    assert [(one.label, one.texts) for one in named.details] == [("Entities", ("gas",))]
    assert predicted("dureader", item, {"answer": " "}) is None


def test_what_people_wrote_is_beside_a_predicted_answer_in_words():
    given = (ours(composed("Rape oil.", "Gas, later.")), ours(composed("Rape oil.")), ours(composed()))
    shown = predicted("dureader", written_question(), {"answer": "It is."}, given=given)
    assert [(text.label, text.text) for text in shown.texts] == [("References", "Rape oil."), ("", "Gas, later.")]
    assert predicted("dureader", written_question(), {"answer": "It is."}).texts == ()
