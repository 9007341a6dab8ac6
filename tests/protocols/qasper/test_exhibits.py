"""What is judged of QASPER: answers with the paragraphs of their evidence, and questions with the abstract."""

import pytest

from annotation.protocols.qasper.exhibits import exhibits_of
from annotation.values.records import AnnotationRecord
from tests.protocols.qasper.builders import (
    FIRST,
    SECOND,
    annotations_of,
    answer,
    float_unit,
    ours,
    paper,
    paper_item,
    question,
    question_item,
    read_release,
    sentences,
    span,
)
from tests.protocols.records import item_of

KELP = sentences(0, 1, 2, "They sleep on 🦊 kelp.")
COUNTED = sentences(0, 2, 3, "We counted 14 of them et al. BIBREF0 too.")
EXTRACTIVE = {"kind": "extractive", "spans": [span(0, "14")], "evidence": [COUNTED]}
QUESTIONS = {
    "nlp_background": "five",
    "topic_background": "research",
    "paper_read": "no",
    "search_query": "otter",
    "questions": [
        {"text": "Why do they rest?", "answerable_from_abstract": True},
        {"text": "Which river?", "answerable_from_abstract": False},
    ],
}


def of(payload):
    return list(exhibits_of("answers", question_item(), ours(payload)))


def published(**fields):
    found, asked = read_release({"2001.00001": paper(qas=[question(answers=[answer(**fields)])])})
    [given] = annotations_of(asked)
    return list(exhibits_of("answers", item_of(asked, item_of(found)), given))


def marked(shown):
    return [piece.text for text in shown.texts for piece in text.pieces if piece.marked]


def test_the_words_of_an_extractive_answer_are_marked_in_the_paragraphs_of_its_evidence():
    [(turn, shown)] = of(EXTRACTIVE)
    assert (turn, shown.prompt, shown.answers) == (0, "How many otters were counted on day 1?", ("14",))
    assert [(text.label, text.title, text.text) for text in shown.texts] == [("Evidence", "Introduction", FIRST)]
    assert marked(shown) == ["14"]


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"kind": "abstractive", "text": "On plants.", "evidence": [KELP]}, "On plants."),
        ({"kind": "yes_no", "value": True, "by_absence": False, "evidence": [KELP]}, "Yes"),
        ({"kind": "yes_no", "value": False, "by_absence": False, "evidence": [KELP]}, "No"),
    ],
)
def test_of_an_answer_in_other_words_the_chosen_sentences_are_marked(payload, words):
    [(_turn, shown)] = of(payload)
    assert shown.answers == (words,)
    assert marked(shown) == ["They sleep on 🦊 kelp."]


def test_evidence_comes_in_the_order_of_the_paper_each_section_named_once():
    units = [sentences(3, 0, 1, "We count by hand."), sentences(2, 0, 1, "Some otters juggle."), KELP, COUNTED]
    [(_turn, shown)] = of(
        {"kind": "abstractive", "text": "Many.", "evidence": [*units, float_unit(1, "Table 1: Otters by river.")]}
    )
    assert [(text.label, text.title, text.text) for text in shown.texts] == [
        ("Evidence", "Introduction", FIRST),
        ("", "", SECOND),
        ("", "Method › Counting", "We count by hand."),
        ("Figure or table", "", "Table 1: Otters by river."),
    ]
    assert marked(shown)[0] == "They sleep on 🦊 kelp. We counted 14 of them et al. BIBREF0 too."


def test_a_no_by_absence_has_no_evidence():
    [(_turn, shown)] = of({"kind": "yes_no", "value": False, "by_absence": True, "evidence": []})
    assert (shown.answers, shown.texts) == (("No",), ())


def test_that_the_paper_has_no_answer_is_not_judged():
    assert of({"kind": "unanswerable"}) == []
    assert published(unanswerable=True, extractive_spans=[], evidence=[]) == []
    assert list(exhibits_of("answers", question_item(), AnnotationRecord("answer", ()))) == []


def test_published_answers_are_found_in_their_evidence():
    [(_turn, shown)] = published()
    assert (shown.answers, marked(shown)) == (("14",), ["14"])
    [(_turn, shown)] = published(extractive_spans=[], free_form_answer="On kelp.")
    assert (shown.answers, marked(shown)) == (("On kelp.",), ["They sleep on 🦊 kelp."])
    [(_turn, shown)] = published(extractive_spans=[], yes_no=False, evidence=["FLOAT SELECTED: Figure 1: An otter."])
    assert shown.answers == ("No",)
    assert [(text.label, text.text) for text in shown.texts] == [("Figure or table", "Figure 1: An otter.")]


def test_evidence_that_is_no_paragraph_of_the_paper_is_shown_as_it_is():
    [(_turn, shown)] = published(evidence=["Somebody counted 14."])
    assert [(text.label, text.text) for text in shown.texts] == [("Evidence", "Somebody counted 14.")]
    assert marked(shown) == ["14"]


def test_each_question_of_an_annotation_is_shown_with_title_and_abstract_only():
    found = list(exhibits_of("questions", paper_item(), ours(QUESTIONS, "questions", "ask")))
    assert [(turn, shown.prompt) for turn, shown in found] == [(0, "Why do they rest?"), (1, "Which river?")]
    for _turn, shown in found:
        [text] = shown.texts
        assert (text.title, text.text) == ("Otters at rest", paper()["abstract"])
        assert shown.answers == ()
        assert "otters were" not in repr(shown)


def test_nothing_is_judged_of_a_paper_that_nobody_asked_about():
    assert list(exhibits_of("questions", paper_item(), AnnotationRecord("ask", ()))) == []
