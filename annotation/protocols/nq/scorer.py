"""The scorer behind `manage.py score nq`: the metrics of nq_eval and the paper's accuracy, for files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.errors import ScoreRefused
from annotation.i18n import _
from annotation.parsing.scored_files import read_json, read_rows, whole_number_option
from annotation.protocol_tools import Scorer, ScoreRequest
from annotation.protocols.nq import human, scoring
from annotation.protocols.nq.human_bound import HUMAN
from annotation.values.predictions import PredictionLayout, ReadPrediction

LONG, SHORT = "long-non-null-threshold", "short-non-null-threshold"
"""The names of nq_eval's own flags."""
BETA = "beta"
"""The b of the paper's accuracy A_b, which nq_eval doesn't print."""


def score(request: ScoreRequest) -> dict[str, Any]:
    """Long and short answer metrics with nq_eval's names; with `ignore-scores`, over all predictions at any score.

    Besides, the paper's accuracy A_b of all predictions at any score, with its b as `accuracy-beta`. A note says if
    gold questions have too few annotations to count as answerable. With `human`, gold annotations are judged against
    each other.
    """
    people = "human" in request.flags
    if people == (request.predictions is not None):
        raise ScoreRefused("Give either a file of predictions or --human.")
    at_least = {
        name: whole_number_option(request.options.get(option), option, least=1, otherwise=scoring.NON_NULL)
        for name, option in (("long", LONG), ("short", SHORT))
    }
    beta = whole_number_option(request.options.get(BETA), BETA, least=1, otherwise=scoring.NON_NULL)
    gold: dict[int, list[scoring.Label]] = {}
    for path in request.gold:
        gold |= _checked(path, lambda path: scoring.gold_labels(read_rows(path)))
    if request.predictions is None:
        return _human(gold)
    predicted = _checked(request.predictions, lambda path: scoring.predicted_labels(read_json(path)))
    try:
        long, short = scoring.judge(gold, predicted, **at_least)
    except ValueError as error:
        raise ScoreRefused(str(error)) from None
    if "ignore-scores" in request.flags:
        figures = scoring.ignoring_scores(long.values(), "long-answer-")
        figures |= scoring.ignoring_scores(short.values(), "short-answer-")
    else:
        figures = scoring.with_scores(long.values(), "long-") | scoring.with_scores(short.values(), "short-")
    return figures | _accuracy(gold, predicted, beta) | _notes(gold, max(beta, *at_least.values()))


def _human(gold: Mapping[int, Sequence[scoring.Label]]) -> dict[str, Any]:
    """The single annotator and super-annotators with their intervals, and notes on them and what can't be computed."""
    questions = [human.Question(str(name), tuple(labels), "score") for name, labels in gold.items()]
    measured = human.measure(questions, "score")
    reasons = [*measured.notes.values(), *measured.why_not.values(), *measured.left_out]
    notes = list(dict.fromkeys(HUMAN.sentence(reason.code, reason.numbers) for reason in reasons))
    return {key: figure.as_json() for key, figure in measured.figures.items()} | {"notes": notes}


def _accuracy(
    gold: Mapping[int, Sequence[scoring.Label]], predicted: Mapping[int, scoring.Label], beta: int
) -> dict[str, float]:
    long, short = scoring.judge(gold, predicted, long=beta, short=beta)
    return {
        "accuracy-beta": beta,
        "long-accuracy": scoring.accuracy(long.values()),
        "short-accuracy": scoring.accuracy(short.values()),
    }


def _notes(gold: Mapping[int, Sequence[Any]], needed: int) -> dict[str, list[str]]:
    few = sum(len(labels) < needed for labels in gold.values())
    if not few:
        return {}
    return {
        "notes": [
            f"{few:,} of {len(gold):,} gold questions have fewer than {needed} annotations. A question counts as "
            f"answerable if {needed} annotations have an answer, so for these every predicted answer is wrong. "
            f"Score a split with more annotations, or set --{LONG}, --{SHORT} and --{BETA}."
        ]
    }


def _checked(path: Path, read: Callable[[Path], dict[int, Any]]) -> dict[int, Any]:
    """What is read from a file; ScoreRefused if it has another layout than nq_eval reads."""
    try:
        return read(path)
    except ValueError as error:
        raise ScoreRefused(f"{path.name}: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise ScoreRefused(f"{path.name} is not in the layout that nq_eval reads ({error}).") from None


SCORER = Scorer(
    run=score,
    flags={
        "ignore-scores": _("precision, recall and F1 of all predictions, regardless of their scores"),
        "human": _("score the gold annotations against each other: a single annotator and the super-annotator"),
    },
    options={
        LONG: _("annotations that must have a long answer for a question to count as answerable (2 by default)"),
        SHORT: _("annotations that must have a short answer for a question to count as answerable (2 by default)"),
        BETA: _("the same number for the accuracy of the paper, which nq_eval does not print (2 by default)"),
    },
)


def _read_layout(path: Path) -> list[ReadPrediction]:
    """One prediction of each example, as it stands there; of a repeated one the last, as for nq_eval."""
    return [ReadPrediction(str(name), 0, raw) for name, raw in _checked(path, _by_example).items()]


def _by_example(path: Path) -> dict[int, Any]:
    file = read_json(path)
    if not isinstance(file, Mapping) or not isinstance(file.get("predictions"), list):
        raise ScoreRefused(f"{path.name} is not a JSON object with a list of predictions.")
    scoring.predicted_labels(file)
    return {raw["example_id"]: raw for raw in file["predictions"]}


PREDICTIONS = PredictionLayout(
    "nq",
    _("Predictions for nq_eval"),
    _("A JSON object with a list of predictions, each with its scores."),
    _read_layout,
)
