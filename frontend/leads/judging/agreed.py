"""What the meeting of a round changed, for its lead: shares by consensus beside the first marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from annotation.judging.agreed import RIGHT, AgreedResults
from annotation.models import JudgingRound
from annotation.statistics.estimates import Estimate
from frontend.access.judging import has_met
from frontend.leads import estimates
from tasks.judging.meeting import agenda, room
from tasks.measuring import judging_rounds


@dataclass(frozen=True)
class AgreedRow:
    """A mark: how many have it by consensus or from all, and its share in percent with the bootstrap's interval and
    Wilson's, each over both bounds where some are open; "" until they have been computed."""

    title: str
    settled: int
    share: str
    ends: str
    wilson: str


def part_of(row: JudgingRound) -> dict[str, Any]:
    """What the page of a round shows of its meeting; nothing if there was none."""
    if not has_met(row):
        return {}
    found, figures = agenda.marks_after_meeting(row), judging_rounds.of_page(row)
    kept = figures.values.get("agreed") if figures else None
    current = kept if kept and kept["consensus"] == found.consensus else None
    rows = list(_rows(found, current))
    met = {"meeting_time": room.time_in(row)}
    return {"agreed": found, "agreed_rows": rows, "agreed_computed": current is not None} | met


def _rows(after: AgreedResults, kept: Mapping[str, Any] | None) -> Iterator[AgreedRow]:
    titles = {mark.key: mark.title for mark in after.rubric.marks} | {RIGHT: gettext("Right")}
    for name, settled_ones in after.counts().items():
        shares = kept["shares"].get(name) if kept else None
        yield _row(titles[name], settled_ones, shares)


def _row(title: str, settled_ones: int, kept: Mapping[str, Any] | None) -> AgreedRow:
    if kept is None:
        return AgreedRow(title, settled_ones, "", "", "")
    low, high = (Estimate.from_list(kept[bound]["share"]) for bound in ("if_none", "if_all"))
    ends = "" if low.low is None or high.high is None else _range(low.low, high.high)
    wilson = _range(kept["if_none"]["wilson"][0], kept["if_all"]["wilson"][1])
    missing = estimates.no_interval(low if low.low is None else high)
    return AgreedRow(title, settled_ones, _range(low.value, high.value), ends or missing, wilson)


def _range(low: float | None, high: float | None) -> str:
    first, last = (f"{100 * (end or 0):.0f}" for end in (low, high))
    return f"{first} %" if low == high else f"{first} – {last} %"
