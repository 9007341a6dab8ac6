"""Results of a judging round, as its page, its picture and its files show them: from what a job has kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.utils.formats import number_format
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import registry
from annotation.judging import checks, draw, drawing, given_marks, rounds
from annotation.judging.checks import SaidCheck
from annotation.judging.results import GivenMark
from annotation.judging.rubrics import Rubric
from annotation.models import Exhibit, JudgingRound
from annotation.statistics.estimates import Estimate
from annotation.values.exhibits import ExhibitKind, ShownExhibit
from frontend.leads import estimates
from frontend.leads.judging import check_results, systems
from frontend.leads.plots import rows, svg
from tasks.measuring import judging_rounds
from tasks.models import RoundFigures

SCORES = {
    "pearson": _("Pearson’s correlation of two raters"),
    "weighted_kappa": _("Weighted kappa (quadratic)"),
    "icc_absolute_agreement": _("Intraclass correlation (2,1)"),
}
"""What is shown of scores, by `annotation.judging.results.OF_SCORES`."""
HEAD = ("figure", "mark", "of", "marks", *estimates.CELLS, "wilson_low", "wilson_high", "published")
"""The columns of the CSV. `of`: all, a rater, a type, a mark; `marks`: how many were given in all there; `n`: items."""


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
        return _percent(self.same.value)

    @property
    def ends(self) -> str:
        """The interval, or why there is none."""
        return _ends(self.same.low, self.same.high) or estimates.no_interval(self.same)


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
    def by_system(self) -> systems.SystemsFound | None:
        """What was found of each system, if systems were judged."""
        return systems.systems_found(self.kept, self.rubric)

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
                share=_percent(share.value),
                ends=_ends(share.low, share.high) or estimates.no_interval(share),
                wilson=_ends(*said["wilson"]),
                published=_percent(self._published(keys)),
                counts=tuple(sum(given[key] for key in keys) for given in self.kept["by_rater"].values()),
                types=tuple(_percent(each["share"][0]) for each in of_types),
            )

    def _shares(self) -> Iterator[tuple[str, Sequence[str], Mapping[str, Any]]]:
        """Title, keys of the marks, and what was kept."""
        for mark in self.rubric.marks:
            yield mark.title, [mark.key], self.kept["shares"][mark.key]
        if self.kept["right"]:
            yield gettext("Right"), self.rubric.right, self.kept["right"]

    def _published(self, keys: Sequence[str]) -> float | None:
        found = [self.kind.published[key] for key in keys if key in self.kind.published]
        return round(sum(found), 6) if found else None

    @property
    def parts(self) -> Iterator[tuple[str, list[tuple[str, int]]]]:
        """The finer kinds of marks that have such, with how often they were given, most often first."""
        for mark in self.rubric.marks:
            if counts := self.kept["parts"].get(mark.key):
                titles = {part.key: part.title for part in mark.parts}
                yield mark.title, sorted(((titles[key], n) for key, n in counts.items()), key=lambda each: -each[1])

    @property
    def checks(self) -> list[check_results.CheckTable]:
        """What was said to each check beside the mark."""
        types = {key: gettext(title) for key, title in registry.get(self.row.project.protocol).item_types.items()}
        return list(check_results.tables_of(self.rubric, self.kept.get("checks", {}), types))

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

    @cached_property
    def plot(self) -> svg.SvgPlot:
        """The shares with the bootstrap's interval (Wilson's where there is none), and the published ones."""
        drawn = []
        for title, keys, said in self._shares():
            share = Estimate.from_list(said["share"])
            low, high = (share.low, share.high) if share.low is not None else said["wilson"]
            text, published = _percent(share.value), self._published(keys)
            drawn.append(
                rows.PlotRow(title, text, share.value or 0.0, _ends(low, high), low=low, high=high, mark=published)
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

    def table(self) -> Iterator[Sequence[Any]]:
        """The rows of the CSV, with a heading: everything at full precision."""
        values = self.kept
        yield HEAD
        yield from self._rows("all", values, published=True)
        for number, counts in values["by_rater"].items():
            given = sum(counts.values())
            for key, n in counts.items():
                yield ["count", key, f"rater {number}", given, n, *[None] * 7]
        for key, each in values["by_type"].items():
            yield from self._rows(key, each, published=False)
        for mark, counts in values["parts"].items():
            for part, n in counts.items():
                yield ["count", f"{mark}/{part}", "all", sum(counts.values()), n, *[None] * 7]
        for name, each in (values.get("systems") or {"by": {}})["by"].items():
            yield from self._rows(f"system {name}", each, published=False)
        yield from systems.table(values)
        for what, of, marks, value in check_results.csv_rows(values.get("checks", {})):
            yield ["check", what, of, marks, value, *[None] * 7]
        yield from self._agreed_rows()
        yield ["alpha", None, "all", None, *estimates.cells(self.alpha), None, None, None]
        for group, each in (values.get("scores") or {}).items():
            for name, kept in each.items():
                yield [name, None, group, None, *estimates.cells(Estimate.from_list(kept)), None, None, None]
        for row in self.repeats:
            who = f"rater {row.number}" if row.number else "all"
            yield ["self-consistency", None, who, row.n, *estimates.cells(row.same), None, None, None]
        for number, said in values["seconds"].items():
            who = f"rater {number}" if number else "all"
            yield ["median seconds", None, who, said["n"], said["median"], *[None] * 7]

    def _rows(self, group: str, values: Mapping[str, Any], *, published: bool) -> Iterator[Sequence[Any]]:
        right = {"right": values["right"]} if values["right"] else {}
        for key, said in {**values["shares"], **right}.items():
            reference = self._published(self.rubric.right if key == "right" else [key]) if published else None
            share = estimates.cells(Estimate.from_list(said["share"]))
            yield ["share", key, group, said["of"], *share, *said["wilson"], reference]

    def _agreed_rows(self) -> Iterator[Sequence[Any]]:
        """Shares after the meeting: the bounds if nothing, and if everything, that is open had the mark."""
        for key, bounds in ((self.kept.get("agreed") or {}).get("shares") or {}).items():
            for bound, said in bounds.items():
                share = estimates.cells(Estimate.from_list(said["share"]))
                yield [
                    f"consensus share {bound.replace('_', ' ')}",
                    key,
                    "all",
                    said["of"],
                    *share,
                    *said["wilson"],
                    None,
                ]

    def as_json(self) -> dict[str, Any]:
        """The file of results: what was sealed, what was found, and the published shares."""
        found = {key: value for key, value in self.kept.items() if key not in ("method", "quoted")}
        return {
            **rounds.sealed(self.row),
            "measured_at": self.figures.measured_at.isoformat(),
            "published": {"source": self.kind.source, "shares": self.kind.published},
            "defects": draw.told_defects(self.row),
            "results": found,
        }


def of_page(row: JudgingRound) -> KeptResults | None:
    """The results of a round that were measured last, if any."""
    figures = judging_rounds.of_page(row)
    return None if figures is None else KeptResults(row, figures)


def _kept_of(kept: Mapping[str, Any], keys: Sequence[str]) -> Mapping[str, Any]:
    """What is kept of one mark, or of those that count as right: a single one that does has the same share."""
    found: Mapping[str, Any] = kept["shares"][keys[0]] if len(keys) == 1 else kept["right"]
    return found


def _ends(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{_percent(low)} – {_percent(high)}"


def _percent(part: float | None) -> str:
    return "" if part is None else f"{number_format(round(100 * part))} %"
