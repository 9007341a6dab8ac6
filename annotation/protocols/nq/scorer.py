"""The scorer behind `manage.py score nq`: the metrics of nq_eval, for files."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.errors import ScoreRefused
from annotation.i18n import _
from annotation.parsing.strict_json import JsonRefused, strict_loads
from annotation.protocol import Scorer, ScoreRequest
from annotation.protocols.nq import scoring


def score(request: ScoreRequest) -> dict[str, Any]:
    """Long and short answer metrics with nq_eval's names; with `ignore-scores`, over all predictions at any score."""
    if request.predictions is None:
        raise ScoreRefused("A file of predictions is required.")
    gold: dict[int, list[scoring.Label]] = {}
    for path in request.gold:
        gold |= _checked(path, lambda path: scoring.gold_labels(_records(path)))
    predicted = _checked(request.predictions, lambda path: scoring.predicted_labels(strict_loads(_bytes(path))))
    try:
        long, short = scoring.judge(gold, predicted)
    except ValueError as error:
        raise ScoreRefused(str(error)) from None
    if "ignore-scores" in request.flags:
        return scoring.ignoring_scores(long.values(), "long-answer-") | scoring.ignoring_scores(
            short.values(), "short-answer-"
        )
    return scoring.with_scores(long.values(), "long-") | scoring.with_scores(short.values(), "short-")


def _checked(path: Path, read: Any) -> dict[int, Any]:
    try:
        return read(path)
    except (JsonRefused, ValueError) as error:
        raise ScoreRefused(f"{path.name}: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise ScoreRefused(f"{path.name} is not in the layout that nq_eval reads ({error}).") from None


def _records(path: Path) -> Iterator[dict[str, Any]]:
    for line in _bytes(path).split(b"\n"):
        if line.strip():
            yield strict_loads(line)


def _bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError) as error:
        raise ScoreRefused(f"{path} can't be read: {error}.") from None


SCORER = Scorer(
    run=score, flags={"ignore-scores": _("precision, recall and F1 of all predictions, regardless of their scores")}
)
