"""The base of every stored JSON value, and the numbers of a project."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Payload(BaseModel):
    """Base of every stored JSON value: strict types, no unknown key, immutable."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Mix(Payload):
    """A seeded mix of overlaps: `base` for everybody, `more` for a random `share` of the items (0..1)."""

    base: int = Field(ge=1, le=100)
    more: int = Field(ge=1, le=100)
    share: float = Field(ge=0, le=1)


class ActivityConfig(Payload):
    """How one activity of a project is handed out: overlap by split, and the draw (None: by overlap)."""

    overlap: dict[str, int | Mix] = {}
    draw: Literal["in_order", "random"] | None = None
    lease_minutes: int | None = Field(default=None, ge=1)


class ProjectConfig(Payload):
    """The numbers of a project; a protocol adds its own fields.

    `separate_pools`: who works in an activity never works in one that excludes it, in the whole project.
    `pay`: the rate as people read it ("12.60 EUR an hour"); nothing is said about pay where it is empty.
    `fast_share`: the floor for fast answers that the guidelines declare (annotation/worktime/fast_answers.py), 0
    for none.
    """

    activities: dict[str, ActivityConfig] = {}
    seed: str = ""
    separate_pools: bool = False
    pay: str = Field(default="", max_length=80)
    fast_share: float = Field(default=0.2, ge=0, le=0.5)
