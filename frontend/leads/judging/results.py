"""Results of a judging round, as its page and its picture show them: from what a job has kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import registry
from annotation.judging import checks, drawing, given_marks, rounds
from annotation.judging.results import GivenMark
from annotation.judging.rubrics import Rubric
from annotation.models import Exhibit, JudgingRound
from annotation.statistics.estimates import Estimate
from annotation.values.exhibits import ExhibitKind, ShownExhibit
from frontend.leads import estimates
from frontend.leads.judging import mark_scores, result_rows
from frontend.leads.judging.mark_scores import KeptMarkScores
from frontend.leads.judging.result_rows import (
    FinerKindRow,
    FinerKindTable,
    QuotedRow,
    RaterMark,
    RepeatRow,
    ShareRow,
    TimeRow,
    ends_of,
    percent,
)
from frontend.leads.plots import rows, svg
from tasks.measuring import judging_rounds
from tasks.models import RoundFigures

SCORES = {
    "pearson": _("Pearson’s correlation of two raters"),
    "weighted_kappa": _("Weighted kappa (quadratic)"),
    "icc_absolute_agreement": _("Intraclass correlation (2,1)"),
}
"""What is shown of scores, by `annotation.judging.results.scores_of`."""


@dataclass(frozen=True)
class KeptResults:
    """The results that were measured last, with the words around them."""

    row: JudgingRound
    figures: RoundFigures

    @property
    def kept(self) -> Mapping[str, Any]:
        """What the job has kept."""
        found: Mapping[str, Any] = self.figures.values
        return found

    @property
    def file_name(self) -> str:
        """What a file of the results is called, without its end."""
        return f"{self.row.project.slug}-{slugify(self.row.title) or 'round'}"

    @cached_property
    def rubric(self) -> Rubric:
        """The rubric of the round."""
        return rounds.rubric_of(self.row)

    @cached_property
    def kind(self) -> ExhibitKind:
        """What is judged, with the published figures if they are of these marks."""
        kind = drawing.kind_of(self.row.project, rounds.rules_of(self.row).kind)
        return replace(kind, published=drawing.published_of(kind, self.rubric))

    @property
    def alpha(self) -> Estimate:
        """Krippendorff's."""
        return Estimate.from_list(self.kept["alpha"])

    @property
    def scores(self) -> Iterator[tuple[str, Estimate, list[tuple[str, Estimate]]]]:
        """How raters' scores go together: what it is called, over all, and by type."""
        every = self.kept.get("scores") or {}
        titles = registry.get(self.row.project.protocol).item_types
        for name, title in SCORES.items():
            if found := {group: Estimate.from_list(each[name]) for group, each in every.items()}:
                types = [(gettext(titles.get(key, key)), each) for key, each in found.items() if key != "all"]
                yield str(title), found["all"], types

    @cached_property
    def by_system(self) -> result_rows.SystemsFound | None:
        """What was found of each system, if systems were judged."""
        return result_rows.systems_found(self.kept, self.rubric)

    @property
    def judged_by(self) -> list[tuple[int, int]]:
        """How many raters judged how many exhibits, if not all of them all; the most raters first."""
        found = [(int(raters), n) for raters, n in self.kept.get("judged_by", {}).items()]
        return sorted(found, reverse=True) if [raters for raters, _n in found] != [len(self.kept["raters"])] else []

    @property
    def types(self) -> list[tuple[str, int]]:
        """The titles of the types that there are, in the order of `by_type`, each with its number of exhibits."""
        titles = registry.get(self.row.project.protocol).item_types
        return [(gettext(titles.get(key, key)), each["exhibits"]) for key, each in self.kept["by_type"].items()]

    @property
    def shares(self) -> Iterator[ShareRow]:
        """A row for each mark; last those that count as right together."""
        for title, keys, said in self._shares():
            of_types = [_kept_of(each, keys) for each in self.kept["by_type"].values()]
            share = Estimate.from_list(said["share"])
            yield ShareRow(
                title=title,
                share=percent(share.value),
                ends=ends_of(share.low, share.high) or estimates.no_interval(share),
                wilson=ends_of(*said["wilson"]),
                published=percent(self.published_of(keys)),
                counts=tuple(sum(given[key] for key in keys) for given in self.kept["by_rater"].values()),
                types=tuple(percent(each["share"][0]) for each in of_types),
            )

    def _shares(self) -> Iterator[tuple[str, Sequence[str], Mapping[str, Any]]]:
        """Title, keys of the marks, and what was kept."""
        for mark in self.rubric.marks:
            yield mark.title, [mark.key], self.kept["shares"][mark.key]
        if self.kept["right"]:
            yield gettext("Right"), self.rubric.right, self.kept["right"]

    def published_of(self, keys: Sequence[str]) -> float | None:
        """The published share of these marks together, None if nothing is published of them."""
        found = [self.kind.published[key] for key in keys if key in self.kind.published]
        return round(sum(found), 6) if found else None

    @property
    def parts(self) -> Iterator[FinerKindTable]:
        """The finer kinds of each mark that has such, most often given first."""
        shares, published = self.kept.get("part_shares", {}), self.kind.published
        for mark in self.rubric.marks:
            if said := shares.get(mark.key):
                rows = [
                    FinerKindRow.from_share(part.title, said[part.key], published.get(f"{mark.key}/{part.key}"))
                    for part in mark.parts
                ]
                has_published = any(f"{mark.key}/{part.key}" in published for part in mark.parts)
                yield FinerKindTable(mark.key, mark.title, sorted(rows, key=lambda row: -row.n), has_published)

    @property
    def checks(self) -> list[mark_scores.CheckTable]:
        """What was said to each check beside the mark."""
        types = {key: gettext(title) for key, title in registry.get(self.row.project.protocol).item_types.items()}
        return list(mark_scores.check_tables(self.rubric, self.kept.get("checks", {}), types))

    @property
    def times(self) -> list[TimeRow]:
        """How long an exhibit took, by rater, and all of them last if there are several."""
        timed = [(int(key) if key else None, said) for key, said in self.kept["seconds"].items()]
        found = sorted((TimeRow(number, **said) for number, said in timed), key=lambda row: row.number or 10**6)
        return found if len(found) > 2 else [row for row in found if row.number]

    @property
    def repeats(self) -> list[RepeatRow]:
        """How alike the two marks are of what was judged twice: by rater, and all of them last."""
        kept = self.kept.get("self_consistency") or {}
        said = [(int(key) if key else None, each) for key, each in kept.items()]
        rows = [RepeatRow(n, one["n"], Estimate.from_list(one["same"]), one["apart"]) for n, one in said]
        return sorted(rows, key=lambda row: row.number or 10**6)

    @property
    def mark_scores(self) -> KeptMarkScores | None:
        """The human score by mark; None of a round without one."""
        kept, of_kind = self.kept.get("score_by_mark"), self.kind.mark_scores
        if not kept or of_kind is None:
            return None
        published = of_kind.published if drawing.has_marks_of_preset(self.kind, self.rubric) else {}
        return KeptMarkScores(of_kind, published, self.rubric, kept)

    @cached_property
    def plot(self) -> svg.SvgPlot:
        """The shares with the bootstrap's interval (Wilson's where there is none), and the published ones."""
        drawn = []
        for title, keys, said in self._shares():
            share = Estimate.from_list(said["share"])
            low, high = (share.low, share.high) if share.low is not None else said["wilson"]
            text, published = percent(share.value), self.published_of(keys)
            drawn.append(
                rows.PlotRow(title, text, share.value or 0.0, ends_of(low, high), low=low, high=high, mark=published)
            )
        return rows.bars(drawn, label=gettext("The share of each mark, with its interval and the published share"))

    @cached_property
    def quoted(self) -> list[QuotedRow]:
        """The exhibits that tell most, with what each rater said."""
        keys = [key for key, _spread in self.kept["quoted"]]
        if not keys:
            return []
        said: dict[int, list[GivenMark]] = {}
        for one in given_marks.of_round(self.row, exhibits=keys):
            if one.rater in self.kept["raters"]:
                said.setdefault(one.exhibit, []).append(one)
        found = Exhibit.objects.select_related("item").in_bulk(keys)
        return [self._quoted(found[key], said.get(key, ())) for key in keys]

    def _quoted(self, exhibit: Exhibit, given: Sequence[GivenMark]) -> QuotedRow:
        shown = ShownExhibit.model_validate(exhibit.shown, strict=False)
        marked = tuple(piece.text for text in shown.texts for piece in text.pieces if piece.marked)
        marks = sorted(given, key=lambda one: one.rater)
        return QuotedRow(
            prompt=shown.prompt,
            words=shown.answers or marked,
            marks=tuple(self._mark(one) for one in marks),
            item=exhibit.item.external_id,
            item_key=exhibit.item_id,
            lang=shown.lang,
        )

    def _mark(self, one: GivenMark) -> RaterMark:
        return RaterMark(one.rater, self._title(one), one.comment, checks.said_to(self.rubric, one.checks))

    def _title(self, one: GivenMark) -> str:
        mark = self.rubric.mark(one.mark)
        part = next((f": {part.title}" for part in mark.parts if part.key == one.part), "")
        return f"{mark.title}{part}"


def of_page(row: JudgingRound) -> KeptResults | None:
    """The results of a round that were measured last, if any."""
    figures = judging_rounds.of_page(row)
    return None if figures is None else KeptResults(row, figures)


def _kept_of(kept: Mapping[str, Any], keys: Sequence[str]) -> Mapping[str, Any]:
    """What is kept of one mark, or of those that count as right: a single one that does has the same share."""
    found: Mapping[str, Any] = kept["shares"][keys[0]] if len(keys) == 1 else kept["right"]
    return found
