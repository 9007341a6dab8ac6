"""The rows of the tables on the page of results of a judging round, those of systems included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from django.utils.formats import number_format

from annotation.judging.checks import SaidCheck
from annotation.judging.rubrics import Rubric
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


class SystemRow(NamedTuple):
    """What was found of a system, in words: the title and share of each mark, then the mean score with its interval."""

    name: str
    exhibits: int
    shares: Sequence[tuple[str, str]]
    mean: str
    interval: str


class PairRow(NamedTuple):
    """Two systems on the same items: the mean difference with its interval, and on how many either is better."""

    one: str
    other: str
    items: int
    difference: str
    interval: str
    better: str
    worse: str
    equal: str


class SystemsFound(NamedTuple):
    """`heads`: of the shares; `right`: whether the score is how much is right, in percent, and not a number."""

    heads: Sequence[str]
    right: bool
    rows: Sequence[SystemRow]
    pairs: Sequence[PairRow]


def systems_found(kept: Mapping[str, Any], rubric: Rubric) -> SystemsFound | None:
    """What results say of systems; None of people's answers."""
    said = kept.get("systems")
    if not said:
        return None
    right = bool(rubric.right)
    rows = [_row(name, each, rubric, right) for name, each in said["by"].items()]
    return SystemsFound(
        [mark.title for mark in rubric.marks], right, rows, [_pair(each, right) for each in said["pairs"]]
    )


def _row(name: str, each: Mapping[str, Any], rubric: Rubric, right: bool) -> SystemRow:
    mean = Estimate.from_list(each["mean"])
    shares = [(mark.title, percent(each["shares"][mark.key]["share"][0])) for mark in rubric.marks]
    return SystemRow(name, each["exhibits"], shares, _score(mean.value, right), _interval(mean, right))


def _pair(each: Mapping[str, Any], right: bool) -> PairRow:
    difference = Estimate.from_list(each["difference"])
    parts = [percent(each[key][0]) for key in ("better", "worse", "equal")]
    shown = _score(difference.value, right), _interval(difference, right)
    return PairRow(each["one"], each["other"], each["items"], *shown, *parts)


def _score(value: float | None, right: bool) -> str:
    if value is None:
        return ""
    return percent(value) if right else number_format(round(value, 2), 2)


def _interval(estimate: Estimate, right: bool) -> str:
    """From where to where, or why there is no interval; "" for nothing."""
    if estimate.value is None:
        return ""
    if estimate.low is None or estimate.high is None:
        return estimates.no_interval(estimate)
    return f"{_score(estimate.low, right)} – {_score(estimate.high, right)}"


def system_table(kept: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    """The rows of the CSV: the mean score of each system, and each pair."""
    said = kept.get("systems") or {"by": {}, "pairs": []}
    for name, each in said["by"].items():
        if each["mean"]:
            mean = estimates.cells(Estimate.from_list(each["mean"]))
            yield ["system score", None, f"system {name}", None, *mean, *NONE]
    for pair in said["pairs"]:
        of = f"system {pair['one']} against {pair['other']}"
        for key in ("difference", "better", "worse", "equal"):
            yield [f"paired {key}", None, of, pair["items"], *estimates.cells(Estimate.from_list(pair[key])), *NONE]


NONE = (None, None, None)
"""The last columns, which these figures have not: Wilson's interval and what was published."""
