"""What was found beside the marks of a round: its human score by mark, and what raters said to checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext

from annotation.judging.answer_metrics import MarkScores
from annotation.judging.rubrics import Check, Rubric
from annotation.statistics.estimates import Estimate
from frontend.leads import estimates
from frontend.leads.estimates import whole_number_in_words as grouped
from frontend.leads.judging.result_rows import percent


@dataclass(frozen=True)
class MarkScoreRow:
    """The mean score of the exhibits with a mark, in percent to one decimal place, with its interval or why there is
    none; `n`: over how many marks. What is not known is "–"."""

    title: str
    n: int
    score: str
    ends: str
    published: str


@dataclass(frozen=True)
class KeptMarkScores:
    """What a job has kept of them. `of_kind`: what they are, and `published`: by mark, {} for marks of one's own."""

    of_kind: MarkScores
    published: Mapping[str, float]
    rubric: Rubric
    kept: Mapping[str, Any]

    @property
    def source(self) -> str:
        """Where the published figures are from; "" without any."""
        return self.of_kind.source if self.published else ""

    @property
    def rows(self) -> Iterator[MarkScoreRow]:
        """A row for each mark of the rubric, and the last for all."""
        for key, title in self._titles():
            said = self.kept["marks"].get(key)
            mean = Estimate.from_list(said["mean"] if said else None)
            published = _score(self.published.get(key))
            yield MarkScoreRow(title, said["marks"] if said else 0, _score(mean.value), _ends(mean), published)

    def _titles(self) -> list[tuple[str, str]]:
        return [*((mark.key, mark.title) for mark in self.rubric.marks), ("", gettext("All"))]

    def table(self) -> Iterator[Sequence[Any]]:
        """Rows of the CSV of results, at full precision, in the order of the rubric."""
        for key, said in ((key, self.kept["marks"].get(key)) for key, _title in self._titles()):
            if said is None:
                continue
            mean = estimates.cells(Estimate.from_list(said["mean"]))
            yield ["mean score", key or None, "all", said["marks"], *mean, None, None, self.published.get(key)]


def _score(value: float | None) -> str:
    return "–" if value is None else number_format(round(100 * value, 1), 1)


def _ends(mean: Estimate) -> str:
    if mean.low is None or mean.high is None:
        return estimates.no_interval(mean) or "–"
    return f"{_score(mean.low)} – {_score(mean.high)}"


@dataclass(frozen=True)
class SaidRow:
    """What was said in all, beside one mark, or about one type: the cells as a reader sees them."""

    title: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class CheckTable:
    """A check: the heads of the columns, and the rows in groups, each with its heading ("" for all)."""

    title: str
    heads: tuple[str, ...]
    groups: tuple[tuple[str, tuple[SaidRow, ...]], ...]


def check_tables(rubric: Rubric, kept: Mapping[str, Any], types: Mapping[str, str]) -> Iterator[CheckTable]:
    """A table for each check that was kept; `types`: the titles of the types, by their keys."""
    marks = {mark.key: mark.title for mark in rubric.marks}
    for check in rubric.checks:
        if said := kept.get(check.key):
            groups = [("", _rows(check, {"": gettext("All")}, {"": said["all"]}))]
            groups.append((gettext("Beside the mark"), _rows(check, marks, said["by_mark"])))
            groups.append((gettext("By type"), _rows(check, types, said["by_type"])))
            yield CheckTable(check.title, _heads(check), tuple(each for each in groups if each[1]))


def _heads(check: Check) -> tuple[str, ...]:
    if check.counted:
        return gettext("Counted"), gettext("Mean share"), gettext("Answered"), gettext("Open")
    return gettext("Yes"), gettext("No"), gettext("Share of yes"), gettext("Open")


def _rows(check: Check, titles: Mapping[str, str], counts: Mapping[str, Any]) -> tuple[SaidRow, ...]:
    cells = _counted_cells if check.counted else _yes_no_cells
    return tuple(SaidRow(titles.get(key, key), cells(each)) for key, each in counts.items())


def _yes_no_cells(counts: Mapping[str, int]) -> tuple[str, ...]:
    yes, no = counts["yes"], counts["no"]
    share = percent(yes / (yes + no) if yes + no else None) or "–"
    return grouped(yes), grouped(no), share, grouped(counts["unanswered"])


def _counted_cells(counts: Mapping[str, Any]) -> tuple[str, ...]:
    words = {"n": grouped(counts["n"]), "m": grouped(counts["m"])}
    counted = gettext("%(n)s of %(m)s") % words if counts["answered"] else "–"
    return counted, percent(counts["mean"]) or "–", grouped(counts["answered"]), grouped(counts["unanswered"])


def check_rows(kept: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    """(key of the check / what was said, of what, how many marks, how many said so) at full precision."""
    for key, said in kept.items():
        groups = {"all": said["all"]} | {f"mark {mark}": each for mark, each in said["by_mark"].items()}
        for of, each in (groups | said["by_type"]).items():
            marks = each["unanswered"] + (each["answered"] if "answered" in each else each["yes"] + each["no"])
            for name, value in each.items():
                yield f"{key}/{name}", of, marks, value
