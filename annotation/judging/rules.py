"""The rules of a judging round, which are sealed with it (pure)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from annotation.values.schemas import Payload

MOST = 10_000
"""Exhibits of a round, at most."""


class Rules(Payload):
    """Which annotations are drawn from, and how many.

    `kind`: the key of a kind of exhibits of the protocol; `split`: "" for all. `sample`: how many are drawn, None for
    all that there are. `of_an_item`: whether of an item with several annotations one is drawn, or all are judged.
    `meeting`: whether the raters meet about what differs once all have locked.
    """

    kind: str
    split: str = ""
    sample: int | None = Field(default=None, ge=1, le=MOST)
    of_an_item: Literal["one", "all"] = "one"
    meeting: bool = False
