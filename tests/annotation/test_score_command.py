"""`manage.py score` prints the figures of the official scripts, and says in a sentence what it can't score."""

import gzip
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation import registry


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


def without_accuracy(figures):
    """What nq_eval prints too: everything but the paper's accuracy."""
    return {name: value for name, value in figures.items() if "accuracy" not in name}


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
    assert without_accuracy(printed("nq", *files)) == run["printed"]
    assert without_accuracy(printed("nq", *files, "--ignore-scores")) == run["ignoring_scores"]


def nq_gold(*votes, file="gold.jsonl.gz", folder):
    """A gold file with a question for each number of annotators who chose the same box, of one or several."""
    null = {"start_byte": -1, "end_byte": -1, "start_token": -1, "end_token": -1}
    long = {"start_byte": 0, "end_byte": 5, "start_token": 0, "end_token": 2}
    empty = {"short_answers": [], "yes_no_answer": "NONE"}
    rows = [
        {"example_id": n, "annotations": [empty | {"long_answer": long}] * yes + [empty | {"long_answer": null}] * no}
        for n, (yes, no) in enumerate(votes)
    ]
    path = folder / file
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    predictions = [
        {"example_id": n, "long_answer": long, "short_answers": [], "yes_no_answer": "NONE"}
        | {"long_answer_score": 1.0, "short_answers_score": 0.0}
        for n in range(len(rows))
    ]
    (folder / "predictions.json").write_text(json.dumps({"predictions": predictions}))
    return ("nq", "--gold", path, "--predictions", folder / "predictions.json")


def test_scores_of_a_split_with_one_annotation_each_come_with_the_reason_why_they_are_zero(tmp_path, capsys):
    given = nq_gold((1, 0), (1, 0), (5, 0), folder=tmp_path)
    assert printed(*given)["long-best-threshold-f1"] == 0.5
    said = capsys.readouterr().err
    assert said.startswith("Note: 2 of 3 gold questions have fewer than 2 annotations.")
    assert "--long-non-null-threshold" in said
    once = (*given, "--long-non-null-threshold", "1", "--short-non-null-threshold", "1", "--beta", "1")
    assert printed(*once)["long-best-threshold-f1"] == 1.0
    assert capsys.readouterr().err == ""


def test_nq_is_scored_with_nq_evals_own_thresholds(scored, expected):
    for run in expected("nq")["runs"]:
        files = ("--gold", scored("nq/gold.jsonl.gz"), "--predictions", scored(f"nq/{run['predictions']}"))
        flags = [
            part
            for kind in ("long", "short")
            for part in (f"--{kind}-non-null-threshold", run[f"{kind}_non_null_threshold"])
        ]
        assert without_accuracy(printed("nq", *files, *flags)) == run["printed"]


def test_nq_is_scored_with_the_accuracy_of_the_paper(tmp_path):
    """Every prediction is the box: right if at least b chose it; A_b of (5, 2, 1, 0) votes for it is 2/4, 3/4, 1/4."""
    given = nq_gold((5, 0), (2, 3), (1, 4), (0, 5), folder=tmp_path)
    for flags, beta, long in (((), 2, 0.5), (("--beta", "1"), 1, 0.75), (("--beta", "3"), 3, 0.25)):
        found = printed(*given, *flags)
        assert (found["accuracy-beta"], found["long-accuracy"], found["short-accuracy"]) == (beta, long, 1.0)
    assert printed(*given, "--ignore-scores")["long-accuracy"] == 0.5


def test_annotators_of_nq_are_scored_against_each_other(tmp_path, capsys):
    """All of five chose the same box, and four of five: those are right, and whoever abstained is wrong."""
    gold = nq_gold((5, 0), (4, 1), (1, 0), folder=tmp_path)[:3]
    found = printed(*gold, "--human")
    assert found["single.long_precision"]["value"] == 1
    assert found["single.long_recall"]["value"] == pytest.approx(9 / 10)
    assert found["single.long_recall"]["n"] == [2, 10]
    said = capsys.readouterr().err
    assert "Note: Five annotations are the gold ones, so it takes at least six" in said
    assert "Note: 1 question is left out because it has fewer than five annotations." in said


def qasper_gold(*answers, folder):
    """A gold file in the QASPER layout with a question for each number of answers."""
    answer = {"unanswerable": False, "extractive_spans": ["14"], "yes_no": None, "free_form_answer": "", "evidence": []}
    qas = [{"question_id": str(n), "answers": [{"answer": answer}] * count} for n, count in enumerate(answers)]
    path = folder / "gold.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"p": {"qas": qas}}).encode()))
    return ("qasper", "--gold", path, "--human")


def test_people_with_two_answers_each_are_scored_on_request(tmp_path, capsys):
    given = qasper_gold(1, 2, 2, folder=tmp_path)
    with pytest.raises(CommandError, match=r"None of the 3 gold questions has 3 answers or more.*--at-least 2"):
        printed(*given)
    found = printed(*given, "--at-least", "2")
    assert (found["questions"], found["per_question"]["answer_f1"]) == (2, 1.0)
    assert "1 of 3 gold questions were left out: they have fewer than 2 answers." in capsys.readouterr().err


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
    (("nq", "--gold", "{gold}"), "Give either"),
    (("nq", "--gold", "{nq_gold}", "--human", "--predictions", "{nq}"), "Give either"),
    (("nq", "--gold", "{gold}", "--predictions", "{nq}"), r"gold\.json"),
    (("nq", "--gold", "{nq_gold}", "--predictions", "{lacking}"), "not in the layout"),
    (("nq", "--gold", "{nq_gold}", "--predictions", "{nq_none}"), "different example ids"),
    (("nq", "--gold", "{cut}", "--predictions", "{nq}"), r"cut\.gz can't be read"),
    (("nq", "--gold", "{broken}", "--predictions", "{nq}"), r"broken\.gz can't be read"),
    (("nq", "--gold", "{nq_gold}", "--predictions", "{no_score}"), "long_answer_score of example 5 is not a number"),
    (("nq", "--gold", "{nq_gold}", "--predictions", "{nq}", "--long-non-null-threshold", "0"), "whole number from 1"),
    (("nq", "--gold", "{nq_gold}", "--predictions", "{nq}", "--beta", "0"), "--beta is a whole number from 1"),
    (("qasper", "--gold", "{gold}", "--human", "--at-least", "one"), "whole number from 2, not one"),
    (("qasper", "--gold", "{broken}", "--human"), r"broken\.gz can't be read"),
    (("squad", "--gold", "{broken}", "--human"), r"broken\.gz can't be read"),
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
    null = {"start_byte": -1, "end_byte": -1, "start_token": -1, "end_token": -1}
    row = {"example_id": 5, "long_answer": null, "short_answers": [], "yes_no_answer": "NONE"}
    made["no_score"] = {"predictions": [row | {"long_answer_score": None, "short_answers_score": 1}]}
    packed = gzip.compress(b"{}" * 1000)
    for name, data in {"cut": packed[:-9], "broken": packed[:12] + b"\xff" * 9 + packed[21:]}.items():
        files[name] = tmp_path / f"{name}.gz"
        files[name].write_bytes(data)
    for name, value in made.items():
        files[name] = tmp_path / f"{name}.json"
        files[name].write_text(json.dumps(value))
    with pytest.raises(CommandError, match=reason):
        printed(*(argument.format(**files) for argument in arguments))


def test_every_protocol_describes_its_flags():
    for found in registry.all_protocols():
        if found.scorer is None:
            continue
        assert all(flag.replace("-", "").isalpha() and str(what) for flag, what in found.scorer.flags.items())
