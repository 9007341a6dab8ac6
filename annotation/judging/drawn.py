"""What can be drawn for a judging round: exhibits, and units of them that are drawn as one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from annotation.models import Annotation, ExhibitUse, Item, Prediction
from annotation.values.exhibits import ShownExhibit

Progress = Callable[[int, int], None]
AT_ONCE = 500
"""Annotations or predictions that are read together."""


@dataclass(frozen=True)
class DrawnExhibit:
    """An exhibit that could be drawn. `type`: of its item, "" if none.

    Of a person's answer the `annotation` as it is now, with its first `responses` responses, and a turn of it; of a
    system's the `prediction`, whose place is the turn.
    """

    shown: ShownExhibit
    type: str
    turn: int
    annotation: Annotation | None = None
    responses: int = 0
    prediction: Prediction | None = None
    use: str = ExhibitUse.DRAWN

    @property
    def item(self) -> Item:
        """What it answers."""
        about = self.annotation or self.prediction
        assert about is not None, "an exhibit is of a person or a system"
        return about.item

    @property
    def item_id(self) -> int:
        """The key of what it answers."""
        return self.item.pk

    @property
    def name(self) -> str:
        """What the order of the draw and the hash of the round know it by; the same wherever the project is."""
        if self.prediction:
            return f"{self.prediction.set.uuid}/{self.turn}/{self.item.external_id}"
        return f"{self.annotation and self.annotation.uuid}/{self.turn}"


class DrawnUnit(NamedTuple):
    """What is drawn as one: an exhibit; or all answers to an item, where systems are judged or raters see these
    together."""

    name: str
    exhibits: tuple[DrawnExhibit, ...]
    type: str
