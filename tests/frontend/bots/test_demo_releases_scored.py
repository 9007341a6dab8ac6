"""The scorers read the demo's releases in the published layouts: what people answered there has full points.

The predictions are made of the JSON of the files by nothing of the product, so that a file that is read in another way
loses points. NQ's official package is installed and reads the same files.
"""

from __future__ import annotations

import json
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.frontend.bots.demo_releases import Made

pytestmark = pytest.mark.sqlite_only  # files are the same from either database


def scored(one: Made, predictions: Any, folder: Path, *options: str, files: list[str] | None = None) -> dict[str, Any]:
    """What `manage.py score` prints for these predictions against files of a release, all if none is named."""
    path = folder / "predictions.json"
    path.write_text(predictions if isinstance(predictions, str) else json.dumps(predictions))
    names = files or [entry["name"] for entry in one.manifest["files"]]
    gold = [word for name in names for word in ("--gold", str(one.folder / name))]
    out = StringIO()
    call_command("score", one.protocol, *gold, "--predictions", str(path), *options, stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def json_lines(rows: list[Any]) -> str:
    """Rows as lines of JSON."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def in_layout(releases: list[Made], protocol: str, *formats: str) -> Iterator[tuple[Made, list[Any]]]:
    """The releases in one of these layouts of a protocol, with all of their records."""
    found = [one for one in releases if one.protocol == protocol and one.format in formats]
    assert {one.format for one in found} == set(formats)
    for one in found:
        yield one, [record for _split, records in one.data() for record in records]


@pytest.fixture(scope="module")
def releases(demo_releases):
    """The demo's own, and one in each format of every protocol."""
    return [one for one in demo_releases if one.which in ("own", "first")]


def of_nq(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Somebody's long answer and somebody's short one to each question, if anybody has given any."""
    found = []
    for row in rows:
        said = row["annotations"]
        long = next((each for each in said if each["long_answer"]["candidate_index"] >= 0), said[0])
        short = next((each for each in said if each["short_answers"] or each["yes_no_answer"] != "NONE"), said[0])
        scores = {"long_answer_score": 1.0, "short_answers_score": 1.0}
        answers = {key: short[key] for key in ("short_answers", "yes_no_answer")}
        found.append({"example_id": row["example_id"], "long_answer": long["long_answer"]} | answers | scores)
    return {"predictions": found}


def test_nq_eval_and_our_scorer_give_the_same_full_points_for_what_people_answered(releases, tmp_path):
    for one, rows in in_layout(releases, "nq", "nq"):
        options = [f"--{part}-non-null-threshold=1" for part in ("long", "short")]
        found = scored(one, of_nq(rows), tmp_path, *options)
        ran = subprocess.run(
            [
                *(sys.executable, "-m", "natural_questions.nq_eval", f"--gold_path={one.folder}/*.jsonl.gz"),
                *(f"--predictions_path={tmp_path}/predictions.json", "--num_threads=1"),
                *(option.replace("-non-null-", "_non_null_") for option in options),
            ],
            capture_output=True,
            check=True,
            text=True,
        )
        assert json.loads(ran.stdout) == {name: value for name, value in found.items() if "accuracy" not in name}
        assert {found[f"{part}-best-threshold-f1"] for part in ("long", "short")} == {1}


def questions_of(articles: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The texts of the answers to each question of SQuAD."""
    paragraphs = [each for article in articles for each in article["paragraphs"]]
    asked = [one for paragraph in paragraphs for one in paragraph["qas"]]
    return {one["id"]: [answer["text"] for answer in one["answers"]] for one in asked}


def test_squad_gives_full_points_to_the_last_answer_of_each_question(releases, tmp_path):
    for one, articles in in_layout(releases, "squad", "v2.0", "v1.1"):
        answers = questions_of(articles)
        found = scored(one, {key: texts[-1] if texts else "" for key, texts in answers.items()}, tmp_path)
        answered = sum(map(bool, answers.values()))
        totals = {"total": len(answers), "HasAns_total": answered, "NoAns_total": len(answers) - answered}
        figures = {name: value for name, value in found.items() if not name.endswith("total")}
        assert set(figures.values()) == {100.0}
        assert {name: value for name, value in totals.items() if name in found} == totals or one.format == "v1.1"


def text_of(answer: dict[str, Any]) -> str:
    """An answer of QASPER as its evaluator compares it."""
    if answer["unanswerable"]:
        return "Unanswerable"
    if answer["yes_no"] is not None:
        return "Yes" if answer["yes_no"] else "No"
    return ", ".join(answer["extractive_spans"]) or answer["free_form_answer"]


def test_qasper_gives_full_points_to_the_last_answer_of_each_question(releases, tmp_path):
    for one, papers in in_layout(releases, "qasper", "qasper"):
        last = {each["question_id"]: each["answers"][-1]["answer"] for paper in papers for each in paper["qas"]}
        rows = [
            {"question_id": key, "predicted_answer": text_of(answer), "predicted_evidence": answer["evidence"]}
            for key, answer in last.items()
        ]
        found = scored(one, json_lines(rows), tmp_path)
        assert (found["Answer F1"], found["Evidence F1"]) == (1.0, 1.0)


def normal(text: str) -> str:
    """A text as CoQA's script compares it."""
    bare = "".join(char for char in text.lower() if char not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def points(answers: list[str]) -> float:
    """Of the first answer among all: beside each choice of the others there is an equal one, or there is none."""
    first, *others = map(normal, answers)
    return (len(others) + (first in others)) / len(answers) if others else 1.0


def test_coqa_gives_the_points_that_the_files_answers_have_beside_each_other(releases, tmp_path):
    for one, _talks in in_layout(releases, "coqa", "coqa"):
        for entry, (_split, talks) in zip(one.manifest["files"], one.data(), strict=True):
            rows = [
                {"id": talk["id"], "turn_id": said["turn_id"], "answer": said["input_text"]}
                for talk in talks
                for said in talk["answers"]
            ]
            if not all("additional_answers" in talk for talk in talks):
                with pytest.raises(CommandError, match="additional answers for every turn"):
                    scored(one, rows, tmp_path, files=[entry["name"]])
                continue
            own = [
                points(
                    [said["input_text"], *(more[place]["input_text"] for more in talk["additional_answers"].values())]
                )
                for talk in talks
                for place, said in enumerate(talk["answers"])
            ]
            found = scored(one, rows, tmp_path, files=[entry["name"]])
            assert found["overall"]["turns"] == len(rows)
            assert found["overall"]["em"] == round(sum(own) / len(own) * 100, 1)


def of_dureader(row: dict[str, Any]) -> dict[str, Any]:
    """The first answer to a question, as a system's, with what belongs to it."""
    return row | {key: row[key][:1] for key in ("answers", "yesno_answers", "entity_answers") if key in row}


def test_dureader_gives_full_points_to_the_first_answer_of_each_question(releases, tmp_path):
    for one, rows in in_layout(releases, "dureader", "v2.0", "repository"):
        found = scored(one, json_lines([of_dureader(row) for row in rows]), tmp_path)
        for metric in ("adapted", "plain"):
            assert {value for figures in found[metric].values() for value in figures.values()} == {100.0}, found
        assert ("repository" in found) == (one.format == "repository")
