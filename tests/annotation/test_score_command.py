"""`manage.py score` prints the figures of the official scripts, and says in a sentence what it can't score."""

import gzip
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation import protocol


def printed(*arguments):
    """The command's output, parsed as JSON."""
    out = StringIO()
    call_command("score", *map(str, arguments), stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture(scope="module")
def scored(shared):
    return lambda name: shared / "scored" / name


@pytest.fixture(scope="module")
def expected(scored):
    return lambda key: json.loads(scored(f"{key}/expected.json").read_bytes())


@pytest.mark.parametrize(("flags", "mode"), [((), "plain"), (("--text-evidence-only",), "text_evidence_only")])
def test_qasper_is_scored_like_the_evaluator_does(scored, expected, flags, mode):
    files = ("--gold", scored("qasper/gold.json"), "--predictions", scored("qasper/predictions.jsonl"))
    assert printed("qasper", *files, *flags) == expected("qasper")[mode]


def test_people_are_scored_against_each_other(scored, expected):
    found = printed("qasper", "--gold", scored("qasper/gold.json"), "--human")
    row = expected("qasper")["leave_one_out"]["at_least_3_references"]
    assert (found["questions"], found["annotations"]) == (26, 89)
    assert found["per_question"] == pytest.approx(row["per_question"], abs=1e-9)


def test_nq_is_scored_like_nq_eval_from_as_many_files_as_a_pattern_names(scored, expected, tmp_path):
    run = next(
        run
        for run in expected("nq")["runs"]
        if (run["long_non_null_threshold"], run["short_non_null_threshold"]) == (2, 2)
        and run["predictions"] == "predictions.json"
    )
    lines = gzip.decompress(scored("nq/gold.jsonl.gz").read_bytes()).splitlines(keepends=True)
    for number in range(2):
        part = b"".join(lines[number::2])
        (tmp_path / f"gold-{number}.jsonl.gz").write_bytes(gzip.compress(part))
    files = ("--gold", tmp_path / "gold-*.gz", "--predictions", scored("nq/predictions.json"))
    assert printed("nq", *files) == run["printed"]
    figures = run["ignoring_scores"]
    found = printed("nq", *files, "--ignore-scores")
    assert found == figures


REFUSED = [
    (("qasper", "--gold", "none-*.json", "--human"), "There is no file none"),
    (("qasper", "--gold", "{gold}"), "Give either"),
    (("qasper", "--gold", "{gold}", "--human", "--predictions", "{predictions}"), "Give either"),
    (("qasper", "--gold", "{predictions}", "--human"), r"predictions\.jsonl"),
    (("qasper", "--gold", "{gold}", "--predictions", "{gold}"), r"gold\.json, line 1"),
    (("qasper", "--gold", "{gold}", "--predictions", "missing.jsonl"), "can't be read"),
    (("qasper", "--gold", "{expected}", "--human"), "not in the QASPER layout"),
    (("qasper", "--gold", "{gold}", "--predictions", "{lacking}"), "lacks one of"),
    (("qasper", "--gold", "{unanswered}", "--predictions", "{predictions}"), "1 gold questions have no answer"),
    (("nq", "--gold", "{gold}"), "A file of predictions is required"),
    (("nq", "--gold", "{gold}", "--predictions", "{nq}"), r"gold\.json"),
    (("nq", "--gold", "{nq_gold}", "--predictions", "{lacking}"), "not in the layout"),
    (("nq", "--gold", "{nq_gold}", "--predictions", "{nq_none}"), "different example ids"),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED)
def test_what_cannot_be_scored_is_refused_with_a_sentence(scored, tmp_path, arguments, reason):
    files = {name: scored(f"qasper/{name}.json") for name in ("gold", "expected")}
    files |= {"predictions": scored("qasper/predictions.jsonl"), "nq": scored("nq/predictions.json")}
    files |= {"nq_gold": scored("nq/gold.jsonl.gz")}
    made = {
        "lacking": {"question_id": "x"},
        "nq_none": {"predictions": []},
        "unanswered": {"p": {"qas": [{"question_id": "q", "answers": []}]}},
    }
    for name, value in made.items():
        files[name] = tmp_path / f"{name}.json"
        files[name].write_text(json.dumps(value))
    with pytest.raises(CommandError, match=reason):
        printed(*(argument.format(**files) for argument in arguments))


def test_every_protocol_describes_its_flags():
    for found in protocol.all_protocols():
        if found.scorer is None:
            continue
        assert all(flag.replace("-", "").isalpha() and str(what) for flag, what in found.scorer.flags.items())
