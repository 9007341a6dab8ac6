"""Answers are graded as answerable or not, by the official Answer F1 and Evidence F1, each with its best reference."""

import json
from fractions import Fraction

import pytest

from annotation.protocols.qasper.protocol import ANSWER, PROTOCOL
from annotation.values.records import AnnotationRecord, GivenAnswer
from tests.protocols.qasper.builders import (
    FIRST,
    SECOND,
    annotations_of,
    answer,
    float_unit,
    ours,
    question_item,
    read_release,
    sentences,
    span,
)
from tests.protocols.records import item_of

SLEEP = sentences(0, 1, 2, "They sleep on 🦊 kelp.")
COUNTED = sentences(0, 2, 3, "We counted 14 of them et al. BIBREF0 too.")
JUGGLE = sentences(2, 0, 1, "Some otters juggle.")
TABLE = float_unit(1, "Table 1: Otters by river.")
UNANSWERABLE = {"kind": "unanswerable"}


def extractive(*quotes, evidence=(COUNTED,)):
    return {"kind": "extractive", "spans": [span(0, quote) for quote in quotes], "evidence": list(evidence)}


def abstractive(text, *evidence):
    return {"kind": "abstractive", "text": text, "evidence": list(evidence)}


def yes_no(value, *evidence, by_absence=False):
    return {"kind": "yes_no", "value": value, "evidence": list(evidence), "by_absence": by_absence}


def published(**fields):
    """An imported answer."""
    payload = ANSWER.published.validate_python(answer(**fields)["answer"], strict=False)
    return AnnotationRecord("answer", (GivenAnswer("answer", payload),), imported=True)


def graded(own, *references):
    """The points for answerable, answer and evidence."""
    own, *others = (one if isinstance(one, AnnotationRecord) else ours(one) for one in (own, *references))
    found = PROTOCOL.grade("answer", question_item(), own, others)
    assert [score.part.key for score in found] == ["answerable", "answer", "evidence"]
    return [score.points for score in found]


@pytest.mark.parametrize(
    ("own", "references", "points"),
    [
        (extractive("14"), [extractive("14")], [1, 1, 1]),
        (abstractive("14", SLEEP), [extractive("14")], [1, 1, 1]),  # another kind, another sentence of the paragraph
        (extractive("14 of them"), [extractive("14")], [1, Fraction(1, 2), 1]),
        (abstractive("14", COUNTED, JUGGLE), [extractive("14")], [1, 1, Fraction(2, 3)]),
        (abstractive("14", TABLE), [extractive("14")], [1, 1, 0]),
        (abstractive("14", TABLE), [abstractive("many", JUGGLE, TABLE)], [1, 0, Fraction(2, 3)]),
        (yes_no(True, JUGGLE), [yes_no(False, JUGGLE)], [1, 0, 1]),
        (UNANSWERABLE, [UNANSWERABLE], [1, 1, 1]),
        (UNANSWERABLE, [extractive("14")], [0, 0, 0]),
        (extractive("14"), [UNANSWERABLE], [0, 0, 0]),
        (yes_no(False, by_absence=True), [UNANSWERABLE], [0, 0, 1]),  # as the evaluator: no evidence in either
    ],
)
def test_one_reference(own, references, points):
    assert graded(own, *references) == points


def test_answer_and_evidence_may_be_best_with_different_references():
    text, place = abstractive("14", JUGGLE), abstractive("nobody knows", COUNTED)
    assert graded(extractive("14"), text, place) == [1, 1, 1]
    assert graded(extractive("14"), place) == [1, 0, 1]
    assert graded(extractive("14"), text, UNANSWERABLE) == [1, 1, 0]


def test_nothing_is_wrong_even_where_the_question_has_no_answer():
    nothing = AnnotationRecord("answer", ())
    assert graded(nothing, UNANSWERABLE) == graded(nothing, yes_no(False, by_absence=True)) == [0, 0, 0]


def test_our_sentences_are_the_paragraphs_of_imported_evidence():
    assert graded(extractive("14"), published(evidence=[FIRST])) == [1, 1, 1]
    assert graded(extractive("14"), published(evidence=[FIRST, SECOND])) == [1, 1, Fraction(2, 3)]
    assert graded(abstractive("14", TABLE), published(evidence=["FLOAT SELECTED: " + TABLE["quote"]])) == [1, 1, 1]
    assert graded(extractive("14"), published(evidence=[FIRST, FIRST])) == [1, 1, 1]  # the evaluator: 2/3


def test_references_without_a_type_are_left_out():
    none = published(extractive_spans=[])
    assert PROTOCOL.grade("answer", question_item(), ours(UNANSWERABLE), [none]) == ()
    assert graded(UNANSWERABLE, none, extractive("14")) == [0, 0, 0]
    assert graded(none, UNANSWERABLE) == [0, 0, 0]


def test_equal_answers_without_a_token_are_right():
    assert graded(abstractive("A", COUNTED), abstractive("A", COUNTED)) == [1, 1, 1]
    assert graded(abstractive("A", COUNTED), abstractive("the", COUNTED)) == [1, 0, 1]


def test_the_page_of_marks_shows_both_answers_and_their_evidence():
    kind, text, evidence = PROTOCOL.grade("answer", question_item(), ours(UNANSWERABLE), [ours(extractive("14"))])
    assert (kind.said.text, kind.wanted.text) == ("Unanswerable", "Answerable")
    assert (text.said, text.wanted) == (("Unanswerable", False), ("14", True))
    assert (evidence.said, evidence.wanted) == (("No evidence", False), (FIRST, True))


@pytest.fixture(scope="module")
def folder(shared):
    return shared / "scored/qasper"


def test_points_are_the_figures_of_the_evaluator(folder):
    items = read_release(json.loads((folder / "gold.json").read_bytes()))
    papers = {one.external_id: item_of(one) for one in items if one.kind == "paper"}
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    predicted = {row["question_id"]: row for row in map(json.loads, filter(str.strip, lines))}
    figures = {row["question_id"]: row for row in json.loads((folder / "expected.json").read_bytes())["per_question"]}
    compared = repeated = 0
    for one in items:
        if one.kind != "question" or one.external_id not in predicted:
            continue
        row, references = predicted[one.external_id], annotations_of(one)
        own = published(extractive_spans=[row["predicted_answer"]], evidence=row["predicted_evidence"])
        found = PROTOCOL.grade("answer", item_of(one, root=papers[one.parent[1]]), own, references)
        _, text, evidence = (float(score.points) for score in found)
        assert text == pytest.approx(figures[one.external_id]["answer_f1"], abs=1e-12)
        lists = [row["predicted_evidence"], *(said.answers[-1].payload.evidence for said in references)]
        if any(len(set(texts)) < len(texts) for texts in lists):
            repeated += 1  # the evaluator counts each of them, which no answer of ours can have
        else:
            assert evidence == pytest.approx(figures[one.external_id]["evidence_f1"], abs=1e-12)
        compared += 1
    assert (compared, repeated) == (42, 3)
