"""Predictions of models as their files have them: what was answered to which item (pure)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple


class ReadPrediction(NamedTuple):
    """One answer of a file: the id of its item there, 0, 1, 2 ... of its answers or turns, and what it says (JSON)."""

    external_id: str
    place: int
    payload: dict[str, Any]


@dataclass(frozen=True)
class PredictionLayout:
    """A layout of prediction files. `read` raises ScoreRefused, with a sentence, for a file that has another.

    `for_all`: whether it is offered in the projects of every protocol.
    """

    key: str
    title: Any
    description: Any
    read: Callable[[Path], Sequence[ReadPrediction]]
    for_all: bool = False
