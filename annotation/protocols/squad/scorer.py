"""The scorer behind `manage.py score squad`: the metrics of the official evaluators for files, and human scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.errors import ScoreRefused
from annotation.i18n import _
from annotation.parsing.scored_files import read_json
from annotation.protocol_tools import Scorer, ScoreRequest
from annotation.protocols.squad import scoring
from annotation.values.predictions import PredictionLayout, ReadPrediction


def score(request: ScoreRequest) -> dict[str, Any]:
    """Predictions against gold: what evaluate-v1.1.py prints if gold has version 1.1, otherwise evaluate-v2.0.py.

    With the flag `human`, human scores from gold alone. The options `na-prob-file` and `na-prob-thresh` are 2.0's.
    """
    human, probabilities = "human" in request.flags, request.options.get("na-prob-file")
    threshold = _threshold(request.options.get("na-prob-thresh"))
    if human == (request.predictions is not None):
        raise ScoreRefused("Give either a file of predictions or --human.")
    gold: dict[str, list[str]] = {}
    versions = {_read_gold(path, gold) for path in request.gold}
    if request.predictions is None:
        return scoring.human(gold)
    predicted = _by_question(request.predictions, str)
    try:
        if versions == {"1.1"} and not request.options:
            return scoring.evaluate_v1(gold, predicted)
        na_probs = _by_question(Path(probabilities), float) if probabilities else None
        return scoring.evaluate_v2(gold, predicted, na_probs, threshold)
    except ValueError as error:
        raise ScoreRefused(str(error)) from None


def _threshold(text: str | None) -> float:
    try:
        return scoring.NO_ANSWER_ABOVE if text is None else float(text)
    except ValueError:
        raise ScoreRefused(f"The threshold {text} is not a number.") from None


def _read_gold(path: Path, gold: dict[str, list[str]]) -> Any:
    """Add the questions of a file to `gold`, and return its version."""
    whole = read_json(path)
    try:
        for article in whole["data"]:
            for paragraph in article["paragraphs"]:
                for question in paragraph["qas"]:
                    gold[question["id"]] = [answer["text"] + "" for answer in question["answers"]]
        return whole.get("version")
    except (KeyError, TypeError, AttributeError):
        raise ScoreRefused(f"{path.name} is not in the SQuAD layout with answers.") from None


def _by_question(path: Path, kind: type) -> dict[str, Any]:
    """The value of each question id, of a kind, str or float; ScoreRefused for a file that is something else."""
    found = read_json(path)
    allowed = (int, float) if kind is float else (kind,)
    if not isinstance(found, dict) or any(type(value) not in allowed for value in found.values()):
        what = "a probability" if kind is float else "a text"
        raise ScoreRefused(f"{path.name} is not a JSON object with {what} for each question id.")
    return found


SCORER = Scorer(
    run=score,
    flags={
        "human": _("score the second answer of each question against the others"),
    },
    options={
        "na-prob-file": _("a JSON file with the model's probability of no answer for each question id"),
        "na-prob-thresh": _("the probability above which a prediction counts as no answer (1 by default)"),
    },
    files=frozenset({"na-prob-file"}),
)


def _read_layout(path: Path) -> list[ReadPrediction]:
    """One answer to each question, "" for none."""
    return [ReadPrediction(name, 0, {"answer": text}) for name, text in _by_question(path, str).items()]


PREDICTIONS = PredictionLayout(
    "squad",
    _("SQuAD predictions"),
    _("A JSON object with a text for each question id, empty for no answer."),
    _read_layout,
)
