"""The rules of a judging round, which are sealed with it (pure)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from annotation.values.schemas import Payload

MOST = 10_000
"""Exhibits of a round, at most."""
MOST_PRACTICE, MOST_REPEATS = 20, 50
"""Exhibits for practice, and repeated ones of 100, at most."""
PREVIEWED = 3
"""Exhibits that are previewed at a time."""
MOST_PREVIEWED = 30
"""Exhibits of a round that are previewed, at most: they leave what is drawn from."""


class Rules(Payload):
    """Which annotations are drawn from, and how many.

    `kind`: the key of a kind of exhibits of the protocol; `split`: "" for all. `sample`: how many are drawn, None for
    all that there are. `of_an_item`: whether of an item with several annotations one is drawn, or all are judged.
    `meeting`: whether the raters meet about what differs once all have locked.

    `systems`: the sets of predictions (their `uuid`) that are judged in place of people's answers. `strata`: how many
    are drawn of each type of item, in place of `sample`. `judged_by`: how many raters judge each exhibit, None for all
    of them. `together`: raters see the answers to one item on one screen, labelled A, B, C ...; then `sample`,
    `strata`, `practice` and `repeats` are of items, each with all of its answers. `practice`: how many exhibits
    everybody judges first, for practice. `repeats`: how many of 100 exhibits each rater judges twice.
    `without`: names of exhibits that were previewed, which leave the population.
    """

    kind: str
    split: str = ""
    sample: int | None = Field(default=None, ge=1, le=MOST)
    of_an_item: Literal["one", "all"] = "one"
    meeting: bool = False
    systems: tuple[str, ...] = ()
    strata: dict[str, int] = Field(default_factory=dict)
    judged_by: int | None = Field(default=None, ge=1)
    together: bool = False
    practice: int = Field(default=0, ge=0, le=MOST_PRACTICE)
    repeats: int = Field(default=0, ge=0, le=MOST_REPEATS)
    without: tuple[str, ...] = ()
