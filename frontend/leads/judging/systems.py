"""Systems that were judged, on the page of results: the shares of each, and any two with their paired difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.formats import number_format

from annotation.judging.rubrics import Rubric
from annotation.statistics.estimates import Estimate
from frontend.leads import estimates
from frontend.leads.judging.result_rows import percent


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


def table(kept: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    """The rows of the CSV: the mean score of each system, and each pair."""
    said = kept.get("systems") or {"by": {}, "pairs": []}
    for name, each in said["by"].items():
        if each["mean"]:
            yield [
                "system score",
                None,
                f"system {name}",
                None,
                *estimates.cells(Estimate.from_list(each["mean"])),
                *NONE,
            ]
    for pair in said["pairs"]:
        of = f"system {pair['one']} against {pair['other']}"
        for key in ("difference", "better", "worse", "equal"):
            yield [f"paired {key}", None, of, pair["items"], *estimates.cells(Estimate.from_list(pair[key])), *NONE]


NONE = (None, None, None)
"""The last columns, which these figures have not: Wilson's interval and what was published."""
