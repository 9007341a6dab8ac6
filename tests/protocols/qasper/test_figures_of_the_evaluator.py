"""Our implementation of the QASPER metrics gives the figures that the official evaluator prints."""

import json

import pytest

from annotation.protocols.qasper import scoring

SCORED = "scored/qasper"


@pytest.fixture(scope="module")
def folder(shared):
    return shared / SCORED


@pytest.fixture(scope="module")
def expected(folder):
    return json.loads((folder / "expected.json").read_bytes())


@pytest.fixture(scope="module")
def gold(folder):
    def references(name="gold.json", **options):
        return scoring.references(json.loads((folder / name).read_bytes()), **options)

    return references


@pytest.fixture(scope="module")
def predicted(folder):
    def rows(name):
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        return scoring.predictions(json.loads(line) for line in lines if line.strip())

    return rows


RUNS = [
    ((), "gold.json", "predictions.jsonl"),
    (("predictions_b",), "gold.json", "predictions-b.jsonl"),
    (("mixed_types",), "mixed-types.json", "mixed-types-predictions.jsonl"),
]


@pytest.mark.parametrize(("path", "name", "predictions"), RUNS)
@pytest.mark.parametrize("mode", ["plain", "text_evidence_only"])
def test_every_run_has_the_printed_figures(expected, gold, predicted, path, name, predictions, mode):
    for key in path:
        expected = expected[key]
    found = scoring.evaluate(gold(name, text_evidence_only=mode != "plain"), predicted(predictions))
    assert found == expected[mode]


def test_of_several_answer_types_the_same_one_counts_as_for_the_evaluator(expected, gold):
    found = gold("mixed-types.json")
    rows = expected["mixed_types"]["reference_strings"]
    assert len(rows) == len(found) == 6
    for row in rows:
        ((answer, kind, evidence),) = found[row["question_id"]]
        assert (answer, kind, list(evidence)) == (row["answer"], row["type"], row["evidence"])


def test_every_question_has_the_figures_of_the_evaluator(expected, gold, predicted):
    judged = scoring.per_question(gold(), predicted("predictions.jsonl"))
    text_only = scoring.per_question(gold(text_evidence_only=True), predicted("predictions.jsonl"))
    assert len(judged) == len(expected["per_question"]) == 43
    for row in expected["per_question"]:
        found = judged[row["question_id"]]
        assert (found.answer_f1 if found else 0) == row["answer_f1"]
        assert (found.evidence_f1 if found else 0) == row["evidence_f1"]
        found = text_only[row["question_id"]]
        assert (found.evidence_f1 if found else 0) == row["evidence_f1_text_only"]


@pytest.mark.parametrize("at_least", [2, 3])
@pytest.mark.parametrize("suffix", ["", "_text_evidence_only"])
def test_the_human_score_is_each_answer_against_the_others(expected, gold, at_least, suffix):
    found = scoring.human(gold(text_evidence_only=bool(suffix)), at_least=at_least)
    row = expected["leave_one_out"][f"at_least_{at_least}_references{suffix}"]
    assert {key: found[key] for key in ("questions", "annotations")} == {
        key: row[key] for key in ("questions", "annotations")
    }
    for key in ("per_question", "per_annotation"):
        assert found[key] == pytest.approx(row[key], abs=1e-9)


def test_every_single_value_of_the_human_score_is_the_same(expected, gold):
    whole, text_only = gold(), gold(text_evidence_only=True)
    assert len(expected["leave_one_out_items"]) == 36
    for row in expected["leave_one_out_items"]:
        judged = scoring.left_one_out(whole[row["question_id"]])
        assert [one.answer_f1 for one in judged] == row["answer_f1"]
        assert [one.evidence_f1 for one in judged] == row["evidence_f1"]
        judged = scoring.left_one_out(text_only[row["question_id"]])
        assert [one.evidence_f1 for one in judged] == row["evidence_f1_text_only"]


def test_an_answer_of_no_type_and_a_question_without_answers_are_refused():
    empty = {"unanswerable": False, "extractive_spans": [], "free_form_answer": "", "yes_no": None, "evidence": []}
    with pytest.raises(ValueError, match="has no type"):
        scoring.reference_of(empty)
    with pytest.raises(ValueError, match="no reference"):
        scoring.judge([], scoring.Prediction("x", ()))


def test_equal_scores_are_of_the_first_type():
    gold = [scoring.Reference("No", "boolean", ()), scoring.Reference("No", "extractive", ("p",))]
    assert scoring.judge(gold, scoring.Prediction("no.", ("p",))) == (1.0, 1.0, "boolean")


def test_empty_answers_score_nothing_and_empty_evidence_everything():
    assert scoring.f1("the", "a") == 0
    assert scoring.evidence_f1((), ()) == 1
    assert scoring.evidence_f1(("p", "p"), ("p",)) == pytest.approx(2 / 3)
