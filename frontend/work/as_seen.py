"""What a lead who looks at a work screen as annotators see it is told above it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AsSeenLink:
    """A screen to look at, or the first of several."""

    title: str
    url: str
    current: bool


@dataclass(frozen=True)
class AsSeenNotice:
    """Where a lead is who looks at an item as annotators see it: what else there is to see, and the way back.

    `groups`: the seats of all activities, () if there is only one; `screens`: those of this seat. `earlier`: there are
    answers before it; `made_up`: one of them is nobody's.
    """

    back: str
    caption: str
    groups: tuple[AsSeenLink, ...]
    screens: tuple[AsSeenLink, ...]
    earlier: bool
    made_up: bool
