"""The figures of a report equal a count by hand, and are absent if there was nothing to count."""

import json

import pytest

from annotation.protocols.qasper import statistics
from annotation.statistics.clustered_means import plain_values
from tests.protocols.qasper.builders import FIRST, SECOND, answer, paper, question

FLOAT = "FLOAT SELECTED: Figure 1: An otter."
UNANSWERABLE = {"unanswerable": True, "extractive_spans": [], "evidence": []}
ABSENT = {"extractive_spans": [], "yes_no": False, "evidence": []}
OWN_WORDS = {"extractive_spans": [], "free_form_answer": "four of them", "evidence": [FIRST, SECOND]}
FROM_BOTH = {"extractive_spans": ["a b", "c"], "evidence": [FIRST, FLOAT]}

RELEASE = {
    "1": paper(
        qas=[
            question(1, answers=[answer(1), answer(2, **UNANSWERABLE), answer(3, **OWN_WORDS)]),
            question(2, paper_read="yes", answers=[answer(4, **FROM_BOTH), answer(5)]),
            question(3, paper_read="", answers=[answer(6, **ABSENT)]),
        ]
    ),
    "2": paper(qas=[question(4)]),
}


def report(release):
    return plain_values(statistics.figures(release))


def test_figures_equal_a_count_by_hand():
    found = report(RELEASE)
    assert found["answerability_agreement"] == 2 / 4
    assert found["evidence_type_agreement"] == 1 / 2
    assert found["answer_types"] == {"extractive": 3 / 6, "abstractive": 1 / 6, "boolean": 1 / 6, "none": 1 / 6}
    assert found["evidence"] == {"text": 4 / 6, "float": 1 / 6, "none": 2 / 6}
    assert found["several_paragraphs"] == 1 / 3
    assert found["questions_per_paper"] == 2
    assert found["most_questions_of_a_paper"] == 3
    assert found["answer_words"] == {"extractive": pytest.approx(5 / 3), "abstractive": 3}
    assert found["new_to_the_writer"] == 2 / 3
    assert found["human_evidence_f1"] == pytest.approx((2 / 3 + 0 + 2 / 3) / 3)


def test_the_keys_are_those_of_the_published_figures():
    assert report(RELEASE).keys() == statistics.PUBLISHED.keys()
    for key, value in statistics.PUBLISHED.items():
        if isinstance(value, dict):
            assert report(RELEASE)[key].keys() == value.keys()


@pytest.mark.parametrize("release", [{}, {"1": paper(qas=[])}, {"1": paper(qas=[question()])}])
def test_without_data_there_are_no_figures(release):
    found = report(release)
    for key in ("human_answer_f1", "answerability_agreement", "answer_types", "evidence", "several_paragraphs"):
        assert found[key] is None
    assert found["answer_words"] == {"extractive": None, "abstractive": None}


def test_published_answers_of_no_type_are_left_out():
    odd = answer(1, extractive_spans=[])
    assert report({"1": paper(qas=[question(answers=[odd, answer(2)])])})["answer_types"]["extractive"] == 1


def test_the_real_papers_have_the_shares_that_were_counted(shared):
    release = json.loads((shared / "qasper/qasper-train-4papers-v0.3.json").read_bytes())
    found = report(release)
    answers = [one["answer"] for p in release.values() for q in p["qas"] for one in q["answers"]]
    assert found["questions_per_paper"] == sum(len(p["qas"]) for p in release.values()) / 4
    assert found["answer_types"]["none"] == sum(one["unanswerable"] for one in answers) / len(answers)
    assert sum(found["answer_types"].values()) == pytest.approx(1)
    assert sum(found["evidence"].values()) >= 1
