"""Our implementation of the NQ metrics gives the figures that nq_eval 1.0.6 prints."""

import gzip
import json

import pytest

from annotation.protocols.nq import scoring

SCORED = "scored/nq"


@pytest.fixture(scope="module")
def expected(shared):
    return json.loads((shared / SCORED / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def gold(shared):
    with gzip.open(shared / SCORED / "gold.jsonl.gz") as file:
        return scoring.gold_labels(json.loads(line) for line in file)


@pytest.fixture(scope="module")
def predicted(shared):
    def labels(name):
        return scoring.predicted_labels(json.loads((shared / SCORED / name).read_text(encoding="utf-8")))

    return labels


@pytest.fixture(scope="module")
def judged(gold, predicted):
    def verdicts(run):
        thresholds = {"long": run["long_non_null_threshold"], "short": run["short_non_null_threshold"]}
        return scoring.judge(gold, predicted(run["predictions"]), **thresholds)

    return verdicts


def test_every_run_has_the_printed_figures(expected, judged):
    assert len(expected["runs"]) == 6
    for run in expected["runs"]:
        long, short = judged(run)
        figures = scoring.with_scores(long.values(), "long-") | scoring.with_scores(short.values(), "short-")
        assert figures == run["printed"]


def test_every_run_has_the_figures_ignoring_scores(expected, judged):
    for run in expected["runs"]:
        long, short = judged(run)
        figures = scoring.ignoring_scores(long.values(), "long-answer-")
        figures |= scoring.ignoring_scores(short.values(), "short-answer-")
        assert figures == run["ignoring_scores"]


def test_every_run_has_the_rows_of_recall_at_precision(expected, judged):
    for run in expected["runs"]:
        for verdicts, name in zip(judged(run), ("long", "short"), strict=True):
            rows = [list(row) for row in scoring.recall_at_precision(verdicts.values())]
            assert rows == run["recall_at_precision_rows"][name]


def test_every_example_is_judged_as_the_official_script_judges_it(expected, gold, predicted):
    long, short = scoring.judge(gold, predicted("predictions.json"))
    assert len(expected["per_example"]) == len(long) == 64
    for row in expected["per_example"]:
        assert list(long[row["example_id"]]) == row["long"]
        assert list(short[row["example_id"]]) == row["short"]


def test_a_prediction_for_another_set_of_examples_is_refused(gold, predicted):
    labels = predicted("predictions.json")
    labels.popitem()
    with pytest.raises(ValueError, match="different example ids"):
        scoring.judge(gold, labels)


@pytest.mark.parametrize(
    "span",
    [(5, -1, -1, -1), (-1, 5, -1, -1), (-1, -1, -1, 3), (7, 7, -1, -1), (-1, -1, 4, 2)],
    ids=["no end", "no start", "no first token", "empty bytes", "backward tokens"],
)
def test_half_a_span_and_an_empty_one_are_refused(span):
    raw = dict(zip(("start_byte", "end_byte", "start_token", "end_token"), span, strict=True))
    with pytest.raises(ValueError, match="span"):
        scoring.Offsets.from_record(raw)


def test_yes_beside_a_span_is_refused_in_a_prediction():
    span = {"start_byte": 1, "end_byte": 2, "start_token": 1, "end_token": 2}
    row = {"example_id": 1, "long_answer_score": 0, "short_answers_score": 0}
    with pytest.raises(ValueError, match="as well as spans"):
        scoring.predicted_labels({"predictions": [row | {"short_answers": [span], "yes_no_answer": "YES"}]})
    with pytest.raises(ValueError, match="not YES, NO or NONE"):
        scoring.predicted_labels({"predictions": [row | {"yes_no_answer": "MAYBE"}]})
    with pytest.raises(KeyError):
        scoring.predicted_labels({"predictions": [{"example_id": 1, "long_answer_score": 0}]})
