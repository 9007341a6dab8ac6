"""The human score: each answer against the others, for questions with at least three, as the paper computed it."""

import json

import pytest

from annotation.protocols.qasper.human import HUMAN
from tests.protocols.qasper.builders import FIRST, SECOND, answer, paper, question, read_release, records_of

UNANSWERABLE = {"unanswerable": True, "extractive_spans": [], "evidence": [], "highlighted_evidence": []}


def of_release(release):
    records = records_of(read_release(release, split="dev"))
    return HUMAN.measure([HUMAN.part(record, "seed") for record in records], "seed")


@pytest.fixture(scope="module")
def scored(shared):
    folder = shared / "scored" / "qasper"
    found = of_release(json.loads((folder / "gold.json").read_bytes()))
    return found, json.loads((folder / "expected.json").read_bytes())["leave_one_out"]


def test_the_figures_are_those_of_the_official_functions(scored):
    found, expected = scored
    row = expected["at_least_3_references"]
    assert found.figures["all.answer_f1"].estimate.value == pytest.approx(row["per_question"]["answer_f1"], abs=1e-12)
    assert found.figures["all.evidence_f1"].estimate.value == pytest.approx(
        row["per_question"]["evidence_f1"], abs=1e-12
    )
    texts = expected["at_least_3_references_text_evidence_only"]["per_question"]["evidence_f1"]
    assert found.figures["all.evidence_f1_of_texts"].estimate.value == pytest.approx(texts, abs=1e-12)
    assert found.figures["all.answer_f1"].counts[1:] == (row["questions"], row["annotations"])


def test_with_eight_papers_no_figure_has_an_interval_and_each_says_about_how_many_more_would_do(scored):
    found, _expected = scored
    for key in ("all.answer_f1", "all.evidence_f1"):
        figure = found.figures[key].estimate
        assert figure.is_too_few
        assert figure.n == 8
        assert figure.more >= 2


def test_questions_with_fewer_answers_are_left_out_and_counted(scored):
    found, _expected = scored
    assert [(one.code, one.numbers) for one in found.left_out] == [("few", {"n": 43 - 26})]


def test_by_hand_of_one_question():
    """14 / 14 / unanswerable, with evidence FIRST / SECOND / none: answers 1, 1, 0 and no evidence in common."""
    answers = [answer(1), answer(2, evidence=[SECOND], highlighted_evidence=[]), answer(3, **UNANSWERABLE)]
    found = of_release({"1": paper(qas=[question(1, answers=answers), question(2, answers=answers[:2])])})
    assert found.figures["all.answer_f1"].estimate.value == pytest.approx(2 / 3)
    assert found.figures["all.evidence_f1"].estimate.value == 0
    assert found.figures["all.answer_f1"].counts == (1, 1, 3)
    assert found.figures["by_type.extractive"].estimate.value == pytest.approx(
        2 / 3
    )  # a tie goes to the first reference
    assert found.figures["by_type.extractive"].counts == (1, 1, 3)
    assert "by_type.boolean" not in found.figures


def test_without_figures_in_the_evidence_only_texts_are_compared():
    floats = answer(3, evidence=[FIRST, "FLOAT SELECTED: Figure 1: An otter."], highlighted_evidence=[])
    found = of_release({"1": paper(qas=[question(1, answers=[answer(1), answer(2), floats])])})
    assert found.figures["all.evidence_f1"].estimate.value < 1
    assert found.figures["all.evidence_f1_of_texts"].estimate.value == 1


def test_papers_whose_questions_have_few_answers_say_why_there_is_no_figure(shared):
    found = of_release(json.loads((shared / "qasper" / "qasper-train-4papers-v0.3.json").read_bytes()))
    assert found.figures == {}
    assert {group: (one.code, one.numbers) for group, one in found.why_not.items()} == {
        "all": ("too_few", {"n": 2}),
        "by_type": ("too_few", {"n": 2}),
    }
    assert {one.code for one in of_release({"1": paper(qas=[])}).why_not.values()} == {"nothing"}


def test_published_answers_without_a_type_do_not_count():
    blank = answer(4, extractive_spans=[])
    found = of_release({"1": paper(qas=[question(1, answers=[answer(1), answer(2), blank])])})
    assert {one.code for one in found.why_not.values()} == {"too_few"}
