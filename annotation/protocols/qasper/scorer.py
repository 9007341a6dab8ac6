"""Scores prediction files like the official evaluator, and humans against each other: `manage.py score qasper`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.errors import ScoreRefused
from annotation.i18n import _
from annotation.parsing.scored_files import read_json, read_rows, whole_number_option
from annotation.protocol_tools import Scorer, ScoreRequest
from annotation.protocols.qasper import scoring
from annotation.values.predictions import PredictionLayout, ReadPrediction

AT_LEAST = "at-least"


def score(request: ScoreRequest) -> dict[str, Any]:
    """The evaluator's output for predictions against gold; with `human`, gold's annotators against each other."""
    human, text_only = "human" in request.flags, "text-evidence-only" in request.flags
    if human == (request.predictions is not None):
        raise ScoreRefused("Give either a file of predictions or --human.")
    gold: dict[str, list[scoring.Reference]] = {}
    for path in request.gold:
        gold |= _read(path, lambda found: scoring.references(found, text_evidence_only=text_only))
    if request.predictions is None:
        return _human(gold, request.options.get(AT_LEAST))
    return _scored(gold, request.predictions)


def _human(gold: Mapping[str, Any], option: str | None) -> dict[str, Any]:
    """Gold's annotators against each other, with a note on the questions that have too few answers."""
    at_least = whole_number_option(option, AT_LEAST, least=2, otherwise=scoring.AT_LEAST)
    few = sum(len(found) < at_least for found in gold.values())
    figures = scoring.human(gold, at_least=at_least)
    if not figures["questions"]:
        hint = f" Take those with two by --{AT_LEAST} 2." if at_least > 2 else ""
        raise ScoreRefused(f"None of the {len(gold):,} gold questions has {at_least} answers or more.{hint}")
    note = f"{few:,} of {len(gold):,} gold questions were left out: they have fewer than {at_least} answers."
    return figures | ({"notes": [note]} if few else {})


def _scored(gold: Mapping[str, Any], path: Path) -> dict[str, Any]:
    without = [key for key, found in gold.items() if not found]
    if without:
        raise ScoreRefused(f"{len(without)} gold questions have no answer; the first is {without[0]}.")
    rows = read_rows(path)
    try:
        return scoring.evaluate(gold, scoring.predictions(rows))
    except (KeyError, TypeError, AttributeError):
        raise ScoreRefused(
            f"{path.name} has a line that lacks one of question_id, predicted_answer and predicted_evidence."
        ) from None


def _read(path: Path, references: Any) -> dict[str, list[scoring.Reference]]:
    try:
        found: dict[str, list[scoring.Reference]] = references(read_json(path))
        return found
    except ValueError as error:
        raise ScoreRefused(f"{path.name}: {error}") from None
    except (KeyError, TypeError, AttributeError):
        raise ScoreRefused(f"{path.name} is not in the QASPER layout with answers.") from None


SCORER = Scorer(
    run=score,
    flags={
        "text-evidence-only": _("leave figures and tables out of the gold evidence"),
        "human": _("score each answer against the others, for questions with three or more"),
    },
    options={AT_LEAST: _("with --human: how many answers a question must have (3 by default, as in the paper)")},
)


def _read_layout(path: Path) -> list[ReadPrediction]:
    """One answer with its evidence to each question; of a repeated one the last, as for the evaluator."""
    found = {}
    for number, row in enumerate(read_rows(path), start=1):
        where = f"{path.name}, row {number:,}"
        try:
            ((name, said),) = scoring.predictions([row]).items()
        except (KeyError, TypeError):
            raise ScoreRefused(
                f"{where}: it lacks one of question_id, predicted_answer and predicted_evidence."
            ) from None
        if not all(isinstance(text, str) for text in (name, said.answer, *said.evidence)):
            raise ScoreRefused(f"{where}: question_id, predicted_answer and each of predicted_evidence are texts.")
        found[name] = ReadPrediction(name, 0, {"answer": said.answer, "evidence": list(said.evidence)})
    return list(found.values())


PREDICTIONS = PredictionLayout(
    "qasper",
    _("QASPER predictions"),
    _("Lines of JSON with question_id, predicted_answer and predicted_evidence."),
    _read_layout,
)
