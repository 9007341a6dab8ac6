"""Read-only templates show ours and published answers alike, with every type that a published one has."""

from annotation.protocols.qasper import rules
from annotation.protocols.qasper.rules import AnswerView
from annotation.protocols.qasper.schemas import Questions
from tests.protocols.qasper.builders import (
    annotations_of,
    answer,
    float_unit,
    paper,
    parsed,
    question,
    question_item,
    read_release,
    sentences,
    span,
)

KELP = sentences(0, 1, 2, "They sleep on 🦊 kelp.")
FIGURE = float_unit(0, "Figure 1: An otter.")
SHOWN = {"evidence": ("They sleep on 🦊 kelp.",), "floats": ("Figure 1: An otter.",)}


def shown(payload):
    return rules.view("answer", parsed("answer", payload).payload, question_item())


def shown_published(**fields):
    (found,) = annotations_of(read_release({"1": paper(qas=[question(answers=[answer(**fields)])])})[1])
    return rules.view("answer", found.answers[0].payload, question_item())


def test_our_answers_are_shown_with_their_words_and_evidence():
    both = [KELP, FIGURE]
    spans = {"kind": "extractive", "spans": [span(0, "kelp")], "evidence": both}
    assert shown(spans) == AnswerView(("extractive",), spans=("kelp",), **SHOWN)
    text = {"kind": "abstractive", "text": "on kelp", "evidence": both}
    assert shown(text) == AnswerView(("abstractive",), text="on kelp", **SHOWN)
    yes = {"kind": "yes_no", "value": True, "evidence": both, "by_absence": False}
    assert shown(yes) == AnswerView(("yes_no",), value="yes", **SHOWN)
    no = {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True}
    assert shown(no) == AnswerView(("yes_no",), value="no", by_absence=True)
    assert shown({"kind": "unanswerable"}) == AnswerView(("unanswerable",))


def test_published_answers_are_shown_with_all_their_types():
    found = shown_published(free_form_answer="x", yes_no=False, highlighted_evidence=["a", "FLOAT SELECTED: b"])
    assert found == AnswerView(
        ("extractive", "abstractive", "yes_no"), ("14",), "no", "x", evidence=("a",), floats=("b",)
    )
    assert shown_published(extractive_spans=[], evidence=[], highlighted_evidence=[]) == AnswerView(())


def test_questions_are_shown_with_what_their_writer_said():
    said = {"nlp_background": "two", "topic_background": "", "paper_read": "no", "search_query": "x"}
    payload = parsed("questions", said | {"questions": [{"text": "Who?", "answerable_from_abstract": True}]}).payload
    found = rules.view("questions", payload, question_item())
    assert isinstance(found, Questions)
    assert [(one.text, one.answerable_from_abstract) for one in found.questions] == [("Who?", True)]
    assert found.nlp_background == "two"
