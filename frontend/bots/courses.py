"""How pieces of work of bots end, at which rates, and with how much care they are done."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any

from annotation import randomness, registry
from annotation.models import Project
from annotation.protocol import Activity
from annotation.values.sheets import Sheet


class WorkEnding(StrEnum):
    """How a piece of work ends."""

    IN_TIME = "in time"
    LATE = "late"
    ABANDONED = "abandoned"
    RETURNED = "returned"


@dataclass(frozen=True)
class Rates:
    """Shares (0..1) of all pieces of work; `wrong` is independent of the others."""

    wrong: float = 0.15
    late: float = 0.02
    abandoned: float = 0.03
    returned: float = 0.05

    def __post_init__(self) -> None:
        shares = (self.late, self.abandoned, self.returned)
        if not all(0 <= share <= 1 for share in (self.wrong, *shares)) or sum(shares) > 1:
            raise ValueError("Rates must be between 0 and 1, and late, abandoned and returned add up to at most 1.")

    def draw(self, rng: Random) -> WorkEnding:
        """How the next piece ends."""
        shares = (self.late, self.abandoned, self.returned)
        courses = (WorkEnding.LATE, WorkEnding.ABANDONED, WorkEnding.RETURNED, WorkEnding.IN_TIME)
        return rng.choices(courses, (*shares, 1 - sum(shares)))[0]


@dataclass
class Thinker:
    """What a bot answers: all careful ones give the same answer to a step of an item, whatever the crowd's seed; a
    careless one (`wrong`) gives a random answer, which may happen to be the same."""

    project: Project
    activity: Activity
    rng: Random
    wrong: bool = False

    def think(self, sheet: Sheet, where: str, rng: Random) -> dict[str, Any]:
        """The payload for a sheet; `where`: the item and, in work of several turns, the step."""
        bots = registry.get(self.project.protocol).bots
        if bots is None:
            raise AssertionError(f"{self.project.protocol} has no bots")
        known = randomness.rng("careful", self.activity.key, where, sheet.stage)
        return bots.pretend(sheet, rng if self.wrong else known)
