"""The human score of what a round judged, by mark, beside the published figures: for its page and its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext

from annotation.judging.answer_metrics import MarkScores
from annotation.judging.rubrics import Rubric
from annotation.statistics.estimates import Estimate
from frontend.leads import estimates


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
    def title(self) -> str:
        """What the score is called."""
        return gettext(self.of_kind.title)

    @property
    def procedure(self) -> str:
        """How it is computed."""
        return gettext(self.of_kind.procedure)

    @property
    def source(self) -> str:
        """Where the published figures are from; "" without any."""
        return self.of_kind.source if self.published else ""

    @property
    def refused(self) -> str:
        """Why it can't be computed, or ""."""
        return gettext(self.kept["refused"]) if self.kept.get("refused") else ""

    @property
    def left_out(self) -> int:
        """How many exhibits have no score."""
        return int(self.kept["left_out"])

    @property
    def has_any(self) -> bool:
        """Whether anything that was judged has a score."""
        return bool(self.kept["marks"])

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
