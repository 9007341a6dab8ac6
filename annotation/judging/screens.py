"""Which exhibits raters see on one screen: each by itself, or all of one item together (pure)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from string import ascii_uppercase
from typing import Protocol, TypeVar

from annotation.judging.rules import Rules


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
