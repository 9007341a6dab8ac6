"""Scores prediction files like the official evaluator, and humans against each other: `manage.py score qasper`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.errors import ScoreRefused
from annotation.i18n import _
from annotation.parsing.strict_json import JsonRefused, strict_loads
from annotation.protocol import Scorer, ScoreRequest
from annotation.protocols.qasper import scoring


def score(request: ScoreRequest) -> dict[str, Any]:
    """The evaluator's output for predictions against gold; with `human`, gold's annotators against each other."""
    human, text_only = "human" in request.flags, "text-evidence-only" in request.flags
    if human == (request.predictions is not None):
        raise ScoreRefused("Give either a file of predictions or --human.")
    gold: dict[str, list[scoring.Reference]] = {}
    for path in request.gold:
        gold |= _read(path, lambda found: scoring.references(found, text_evidence_only=text_only))
    if request.predictions is None:
        return scoring.human(gold)
    return _scored(gold, request.predictions)


def _scored(gold: Mapping[str, Any], path: Path) -> dict[str, Any]:
    without = [key for key, found in gold.items() if not found]
    if without:
        raise ScoreRefused(f"{len(without)} gold questions have no answer; the first is {without[0]}.")
    rows = []
    for number, line in enumerate(_bytes(path).split(b"\n"), start=1):
        if line.strip():
            try:
                rows.append(strict_loads(line))
            except JsonRefused as error:
                raise ScoreRefused(f"{path.name}, line {number:,}: {error}") from None
    try:
        return scoring.evaluate(gold, scoring.predictions(rows))
    except (KeyError, TypeError, AttributeError):
        raise ScoreRefused(
            f"{path.name} has a line that lacks one of question_id, predicted_answer and predicted_evidence."
        ) from None


def _read(path: Path, references: Any) -> dict[str, list[scoring.Reference]]:
    try:
        return references(strict_loads(_bytes(path)))
    except JsonRefused as error:
        raise ScoreRefused(f"{path.name}: {error}") from None
    except ValueError as error:
        raise ScoreRefused(f"{path.name}: {error}") from None
    except (KeyError, TypeError, AttributeError):
        raise ScoreRefused(f"{path.name} is not in the QASPER layout with answers.") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ScoreRefused(f"{path} can't be read: {error.strerror}.") from None


SCORER = Scorer(
    run=score,
    flags={
        "text-evidence-only": _("leave figures and tables out of the gold evidence"),
        "human": _("score each answer against the others, for questions with three or more"),
    },
)
