"""The rules of a judging round, which are sealed with it, and which exhibits are on one screen by them (pure)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from string import ascii_uppercase
from typing import Literal, Protocol, TypeVar

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


class HasItem(Protocol):
    """Anything that is about an item, by its key."""

    @property
    def item_id(self) -> int: ...


Each = TypeVar("Each", bound=HasItem)


def by_screen(rules: Rules, exhibits: Iterable[Each]) -> list[list[Each]]:
    """The exhibits of each screen; screens and what is on each in the order in which they come."""
    found: dict[Hashable, list[Each]] = {}
    for at, each in enumerate(exhibits):
        found.setdefault(("item", each.item_id) if rules.together else at, []).append(each)
    return list(found.values())


def letter_of(number: int) -> str:
    """What the exhibits on a screen are called, from 0: A to Z, then AA, AB ..."""
    rest, last = divmod(number, len(ascii_uppercase))
    return (letter_of(rest - 1) if rest else "") + ascii_uppercase[last]
