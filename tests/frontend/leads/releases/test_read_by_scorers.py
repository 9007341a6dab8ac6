"""The official script reads a release that a lead has made in the browser."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys

import orjson

from annotation import releases
from annotation.models import Release
from tests.builders import load
from tests.frontend.leads.releases.conftest import lead_of


def prediction(row):
    """What one of the five said, as a system's prediction."""
    said = next(one for one in row["annotations"] if one["long_answer"]["candidate_index"] >= 0)
    long = {key: value for key, value in said["long_answer"].items() if key != "candidate_index"}
    return {
        "example_id": row["example_id"],
        "long_answer": long,
        "long_answer_score": 1.0,
        "short_answers": said["short_answers"],
        "short_answers_score": 1.0,
        "yes_no_answer": said["yes_no_answer"],
    }


def test_nq_eval_reads_a_release_made_through_the_page(nq, lena, shared, tmp_path):
    lead = lead_of(nq, lena)
    load(nq, shared / "nq" / "nq-dev-00.jsonl.gz", published=True, split="dev")
    lead.build(split=["dev"])
    folder = releases.folder_of(Release.objects.get())
    rows = [json.loads(line) for line in gzip.decompress((folder / "nq-dev-00.jsonl.gz").read_bytes()).splitlines()]
    assert rows
    (tmp_path / "predictions.json").write_bytes(orjson.dumps({"predictions": [prediction(row) for row in rows]}))
    scored = subprocess.run(
        [
            sys.executable, "-m", "natural_questions.nq_eval", f"--gold_path={folder}/nq-dev-*.jsonl.gz",
            f"--predictions_path={tmp_path}/predictions.json", "--num_threads=1",
        ],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    assert json.loads(scored.stdout)["long-best-threshold-f1"] == 1.0
