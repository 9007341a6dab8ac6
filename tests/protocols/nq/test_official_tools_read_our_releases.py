"""The official scripts (PyPI natural-questions 1.0.6) read our releases, and simplify them exactly as we do."""

import copy
import gzip
import json
import subprocess
import sys

import pytest
from natural_questions.text_utils import simplify_nq_example

from annotation.protocols.nq import formats, scoring
from annotation.values.records import ReleaseRecord
from tests.protocols.nq.builders import (
    GOOD,
    PAGE,
    annotations_of,
    box_where,
    item_of,
    ours,
    published,
    raw_item,
    spans_of,
)

WIDE = PAGE.replace("<td>oil</td>", '<td colspan="2">oil</td>')
BAD = {"question": {"verdict": "bad", "reasons": ["opinion"]}}
NONE = {"question": GOOD, "long_answer": {"kind": "none", "reason": "spread"}}


def five_ways(item):
    """A span, two spans, yes, no answer, a bad question."""
    box = box_where(item, "The old lighthouse")
    return (
        ours(1, question=GOOD, long_answer=box, short_answer=spans_of(item, box, "25 July 1823")),
        ours(2, question=GOOD, long_answer=box, short_answer=spans_of(item, box, "25 July 1823", "1901")),
        ours(3, question=GOOD, long_answer=box, short_answer={"kind": "yes"}),
        ours(4, **NONE),
        ours(2**64 - 1, **BAD),
    )


@pytest.fixture(scope="module")
def records():
    """Our own: two questions on one page, five annotations each."""
    items = [raw_item(WIDE, example_id=-(2**63)), raw_item(WIDE, example_id=5, question_text="how high is it")]
    return [ReleaseRecord(item, five_ways(item)) for item in items]


def test_simplifying_our_original_gives_our_simplified_key_for_key(records):
    originals, simplified = list(formats.write("nq", records)), list(formats.write("nq-simplified", records))
    assert '<Td_colspan="2">' in simplified[0]["document_text"]
    for one, other in zip(originals, simplified, strict=True):
        assert json.dumps(simplify_nq_example(copy.deepcopy(one))) == json.dumps(other)


def test_simplifying_a_published_record_gives_our_simplified_too(shared):
    with gzip.open(shared / "scored/nq/gold.jsonl.gz") as file:
        for record in map(json.loads, file):
            incoming = published(record)
            (written,) = formats.write("nq-simplified", [ReleaseRecord(item_of(incoming), annotations_of(incoming))])
            assert json.dumps(simplify_nq_example(record)) == json.dumps(written)


def test_nq_eval_finds_the_most_frequent_answers_all_right_and_prints_our_figures(records, tmp_path):
    originals = list(formats.write("nq", records))
    with gzip.open(tmp_path / "nq-dev-00.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in originals)
    predictions = {"predictions": [prediction(record, at) for at, record in enumerate(originals)]}
    (tmp_path / "predictions.json").write_text(json.dumps(predictions), encoding="utf-8")
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "natural_questions.nq_eval",
            f"--gold_path={tmp_path}/nq-dev-*.jsonl.gz",
            f"--predictions_path={tmp_path}/predictions.json",
            "--num_threads=1",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    printed = json.loads(ran.stdout)
    long, short = scoring.judge(scoring.gold_labels(originals), scoring.predicted_labels(predictions))
    assert printed["long-best-threshold-f1"] == printed["short-best-threshold-f1"] == 1
    assert printed == scoring.with_scores(long.values(), "long-") | scoring.with_scores(short.values(), "short-")


def prediction(record, at):
    """The answer of the annotator at that index, as a prediction."""
    answer = record["annotations"][at]
    scores = {"example_id": record["example_id"], "long_answer_score": 1.5 - at, "short_answers_score": at}
    return scores | {key: answer[key] for key in ("long_answer", "short_answers", "yes_no_answer")}


def test_the_byte_ranges_of_our_spans_cut_the_words_out_of_the_page(records):
    for record in formats.write("nq", records):
        page = record["document_html"].encode()
        first, second = record["annotations"][1]["short_answers"]
        assert page[first["start_byte"] : first["end_byte"]] == b"25 July 1823"
        assert page[second["start_byte"] : second["end_byte"]] == b"1901"
        long = record["annotations"][0]["long_answer"]
        candidate = record["long_answer_candidates"][long["candidate_index"]]
        assert {key: long[key] for key in candidate if key != "top_level"} == {
            key: value for key, value in candidate.items() if key != "top_level"
        }
        assert page[long["start_byte"] : long["end_byte"]].startswith(b"<p>The old")


def test_no_answer_and_a_bad_question_are_both_null(records):
    for record in formats.write("nq", records):
        for answer in record["annotations"][3:]:
            assert set(answer["long_answer"].values()) == {-1}
            assert answer["short_answers"] == []
            assert answer["yes_no_answer"] == "NONE"
        assert record["annotations"][2]["yes_no_answer"] == "YES"
