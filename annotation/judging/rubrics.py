"""Rubrics: the marks that raters give, each with its definition; presets as published; the spread of marks (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from annotation.i18n import _
from annotation.values.schemas import Payload

PART_KEYS = "abdefghijklmnopqrstvwxyz"
"""Keys of the parts of a mark on the screen, in their order; C is the comment, U undoes."""
CHECK_KEYS = "qwrtyiopfghjklsxzvnmabde"
"""Keys of the checks, in their order, but for those of parts: the last ones are the first of `PART_KEYS`."""
MOST_CHECKS = 9
MOST_COUNTED = 999
"""What a check counts of an exhibit, at most."""
KEY = Field(pattern=r"^[A-Za-z0-9_]{1,20}$")


class SubMark(Payload):
    """A finer kind of a mark."""

    key: str = KEY
    title: str = Field(min_length=1, max_length=80)


class Mark(Payload):
    """One of the marks of a rubric; `says`: when it is given. `parts`: raters say which of them, too."""

    key: str = KEY
    title: str = Field(min_length=1, max_length=80)
    says: str = Field(default="", max_length=600)
    parts: tuple[SubMark, ...] = Field(default=(), max_length=len(PART_KEYS))

    @property
    def keyed_parts(self) -> Iterator[tuple[str, SubMark]]:
        """The parts, each with the key that chooses it."""
        return zip(PART_KEYS, self.parts, strict=False)


CheckAnswer = bool | tuple[Annotated[int, Field(ge=0, le=MOST_COUNTED)], Annotated[int, Field(ge=1, le=MOST_COUNTED)]]
"""What a rater says to a check: yes or no; of one that is counted, (n, m) for n of m."""


class Check(Payload):
    """Something that raters also say about an exhibit; it never computes the mark.

    `counted`: they say how many of how many (entities that are there), else yes or no (the opinion is right).
    """

    key: str = KEY
    title: str = Field(min_length=1, max_length=80)
    counted: bool = False


class Rubric(Payload):
    """What raters are asked about each exhibit, and the marks that they choose from, in order.

    `ordinal`: neighbours in that order are more alike than others. `right`: the marks that count as right together
    (as in a published evaluation: Psi is the share of C and Cd).
    """

    title: str = Field(min_length=1, max_length=80)
    asks: str = Field(min_length=1, max_length=200)
    marks: tuple[Mark, ...] = Field(min_length=2, max_length=9)
    ordinal: bool = False
    right: tuple[str, ...] = ()
    checks: tuple[Check, ...] = Field(default=(), max_length=MOST_CHECKS)

    def mark(self, key: str) -> Mark:
        """The mark with this key, or KeyError."""
        return {mark.key: mark for mark in self.marks}[key]

    @property
    def keyed_checks(self) -> Iterator[tuple[str, Check]]:
        """The checks, each with its key on the screen, which no part of a mark has; "" once all letters are taken."""
        taken = {key for mark in self.marks for key, _part in mark.keyed_parts}
        free = [key for key in CHECK_KEYS if key not in taken] + [""] * len(self.checks)
        return zip(free, self.checks, strict=False)

    def problems(self) -> Sequence[str]:
        """Why no round can be judged under it, in sentences."""
        keys = [mark.key for mark in self.marks]
        if len(set(keys)) < len(keys):
            return [str(_("Two marks have the same key."))]
        if len({check.key for check in self.checks}) < len(self.checks):
            return [str(_("Two checks have the same key."))]
        unknown = [key for key in self.right if key not in keys]
        return [
            str(_("A mark that counts as right is none of the rubric’s: %(key)s.") % {"key": key}) for key in unknown
        ]


def preset(
    title: Any,
    asks: Any,
    *marks: tuple[Any, ...],
    ordinal: bool = False,
    right: tuple[str, ...] = (),
    checks: Sequence[tuple[str, Any, bool]] = (),
) -> Rubric:
    """A rubric in the language of now; each mark is (key, title, definition), or with its parts, each (key, title).

    `checks`: each (key, title, whether it is counted).
    """
    return Rubric(
        title=str(title),
        asks=str(asks),
        marks=tuple(_mark(*mark) for mark in marks),
        ordinal=ordinal,
        right=right,
        checks=tuple(Check(key=key, title=str(name), counted=counted) for key, name, counted in checks),
    )


def _mark(key: str, title: Any, says: Any, parts: Sequence[tuple[str, Any]] = ()) -> Mark:
    made = tuple(SubMark(key=part, title=str(name)) for part, name in parts)
    return Mark(key=key, title=str(title), says=str(says), parts=made)


class Spread(NamedTuple):
    """The largest distance of two marks, and the mean of all pairs; both are 0 where all agree.

    A distance is that of the places in an ordinal rubric; in others it is 1 for any two marks.
    """

    largest: float
    mean: float


def spread_of(rubric: Rubric, marks: Sequence[str]) -> Spread:
    """The spread of these marks of one exhibit."""
    places = {mark.key: place for place, mark in enumerate(rubric.marks)}
    apart = [abs(places[one] - places[other]) for one, other in combinations(marks, 2)]
    if not rubric.ordinal:
        apart = [min(each, 1) for each in apart]
    return Spread(max(apart, default=0), sum(apart) / len(apart) if apart else 0)
