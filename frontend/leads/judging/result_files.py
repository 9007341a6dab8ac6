"""The files of the results of a judging round: a CSV with every figure, and a JSON with what was sealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.judging import draw, rounds
from annotation.statistics.estimates import Estimate
from frontend.leads import estimates
from frontend.leads.judging import mark_scores, result_rows
from frontend.leads.judging.results import KeptResults
from tasks.judging.meeting import room

HEAD = ("figure", "mark", "of", "marks", *estimates.CELLS, "wilson_low", "wilson_high", "published")
"""The columns of the CSV. `of`: all, a rater, a type, a mark; `marks`: how many were given in all there; `n`: items."""


@dataclass(frozen=True)
class ResultFiles:
    """Both files of the results that were measured last."""

    found: KeptResults

    def table(self) -> Iterator[Sequence[Any]]:
        """The rows of the CSV, with a heading: everything at full precision."""
        values = self.found.kept
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
        yield from result_rows.system_table(values)
        for what, of, marks, value in mark_scores.check_rows(values.get("checks", {})):
            yield ["check", what, of, marks, value, *[None] * 7]
        yield from self._part_rows()
        yield from self._agreed_rows()
        if scores := self.found.mark_scores:
            yield from scores.table()
        yield ["alpha", None, "all", None, *estimates.cells(self.found.alpha), None, None, None]
        for group, each in (values.get("scores") or {}).items():
            for name, kept in each.items():
                yield [name, None, group, None, *estimates.cells(Estimate.from_list(kept)), None, None, None]
        for row in self.found.repeats:
            who = f"rater {row.number}" if row.number else "all"
            yield ["self-consistency", None, who, row.n, *estimates.cells(row.same), None, None, None]
        for number, said in values["seconds"].items():
            who = f"rater {number}" if number else "all"
            yield ["median seconds", None, who, said["n"], said["median"], *[None] * 7]
        met = room.time_in(self.found.row)
        for who, seconds in (("all", met.all), *((f"rater {number}", spent) for number, spent in met.by_rater)):
            if seconds:
                yield ["meeting seconds", None, who, None, seconds, *[None] * 7]

    def _rows(self, group: str, values: Mapping[str, Any], *, published: bool) -> Iterator[Sequence[Any]]:
        right = {"right": values["right"]} if values["right"] else {}
        for key, said in {**values["shares"], **right}.items():
            reference = (
                self.found.published_of(self.found.rubric.right if key == "right" else [key]) if published else None
            )
            share = estimates.cells(Estimate.from_list(said["share"]))
            yield ["share", key, group, said["of"], *share, *said["wilson"], reference]

    def _part_rows(self) -> Iterator[Sequence[Any]]:
        """Shares of the finer kinds of a mark, of what was given of that mark."""
        for mark, shares in self.found.kept.get("part_shares", {}).items():
            for part, said in shares.items():
                share = estimates.cells(Estimate.from_list(said["share"]))
                key = f"{mark}/{part}"
                yield ["share", key, "all", said["of"], *share, *said["wilson"], self.found.kind.published.get(key)]

    def _agreed_rows(self) -> Iterator[Sequence[Any]]:
        """Shares after the meeting: the bounds if nothing, and if everything, that is open had the mark."""
        for key, bounds in ((self.found.kept.get("agreed") or {}).get("shares") or {}).items():
            for bound, said in bounds.items():
                share = estimates.cells(Estimate.from_list(said["share"]))
                what = f"consensus share {bound.replace('_', ' ')}"
                yield [what, key, "all", said["of"], *share, *said["wilson"], None]

    def as_json(self) -> dict[str, Any]:
        """The file of results: what was sealed, what was found, and the published shares."""
        met = room.time_in(self.found.row)
        results = {key: value for key, value in self.found.kept.items() if key not in ("method", "quoted")}
        return {
            **rounds.sealed(self.found.row),
            "measured_at": self.found.figures.measured_at.isoformat(),
            "published": {"source": self.found.kind.source, "shares": self.found.kind.published}
            | self._published_scores(),
            "defects": draw.told_defects(self.found.row),
            "results": results,
            "meeting_seconds": {"all": met.all, **{str(number): spent for number, spent in met.by_rater}},
        }

    def _published_scores(self) -> dict[str, Any]:
        scores = self.found.mark_scores
        return {"score_by_mark": {"source": scores.source, "scores": scores.published}} if scores else {}
