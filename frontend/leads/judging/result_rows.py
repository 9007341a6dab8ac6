"""The rows of the tables on the page of results of a judging round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.utils.formats import number_format

from annotation.judging.checks import SaidCheck
from annotation.statistics.estimates import Estimate
from frontend.leads import estimates


@dataclass(frozen=True)
class ShareRow:
    """The share of a mark, or of several together, in percent with its intervals and the published one; what a reader
    sees. `counts`: how often each rater gave it; `types`: its share in each type."""

    title: str
    share: str
    ends: str
    wilson: str
    published: str
    counts: tuple[int, ...]
    types: tuple[str, ...]


@dataclass(frozen=True)
class FinerKindRow:
    """A finer kind of a mark: how often it was given, and its share of the mark with its intervals, as in ShareRow."""

    title: str
    n: int
    share: str
    ends: str
    wilson: str
    published: str

    @classmethod
    def from_share(cls, title: str, counts: Mapping[str, Any], published: float | None) -> Self:
        """From what a job has kept of it (`MarkShare.as_json`)."""
        share = Estimate.from_list(counts["share"])
        ends = ends_of(share.low, share.high) or estimates.no_interval(share)
        return cls(title, counts["marks"], tenths(share.value), ends, ends_of(*counts["wilson"]), tenths(published))


@dataclass(frozen=True)
class FinerKindTable:
    """The finer kinds of the mark with this key. `has_published`: whether shares of some are published."""

    key: str
    title: str
    rows: list[FinerKindRow]
    has_published: bool


@dataclass(frozen=True)
class RaterMark:
    """What one rater said of an exhibit."""

    number: int
    title: str
    comment: str
    checks: Sequence[SaidCheck]


@dataclass(frozen=True)
class QuotedRow:
    """An exhibit that raters differ about, or have commented on. `words`: the answer, where the exhibit has its words.

    `item`: the external id of its item, and `item_key` its key.
    """

    prompt: str
    words: tuple[str, ...]
    marks: tuple[RaterMark, ...]
    item: str
    item_key: int
    lang: str


@dataclass(frozen=True)
class TimeRow:
    """How long an exhibit took a rater; `number` is None for all together."""

    number: int | None
    n: int
    median: float
    mean: float


@dataclass(frozen=True)
class RepeatRow:
    """The share of exhibits that a rater (None: all) marked the same when they came again.

    `apart`: of ordinal marks, how many places the two are apart in the mean.
    """

    number: int | None
    n: int
    same: Estimate
    apart: float | None

    @property
    def share(self) -> str:
        """In percent."""
        return percent(self.same.value)

    @property
    def ends(self) -> str:
        """The interval, or why there is none."""
        return ends_of(self.same.low, self.same.high) or estimates.no_interval(self.same)


def tenths(part: float | None) -> str:
    """A share in percent to one decimal place, as what is seldom needs it; "" if there is none."""
    return "" if part is None else f"{number_format(round(100 * part, 1), 1)} %"


def ends_of(low: float | None, high: float | None) -> str:
    """An interval in percent, "" if there is none."""
    return "" if low is None or high is None else f"{percent(low)} – {percent(high)}"


def percent(part: float | None) -> str:
    """A share in whole percent, "" if there is none."""
    return "" if part is None else f"{number_format(round(100 * part))} %"
