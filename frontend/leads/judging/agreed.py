"""What the meeting of a round changed, for its lead: shares by consensus beside the first marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from annotation.judging import rounds
from annotation.judging.agreed import AgreedResults, SettledShare
from annotation.models import JudgingRound
from frontend.access.meetings import has_met
from tasks.judging.meeting import settled


@dataclass(frozen=True)
class AgreedRow:
    """A mark: how many have it by consensus or from all, and the share in percent; two bounds where some are open."""

    title: str
    settled: int
    share: str


def part_of(row: JudgingRound) -> dict[str, Any]:
    """What the page of a round shows of its meeting; nothing if there was none."""
    if not has_met(row):
        return {}
    found = settled.of_round(row)
    return {"agreed": found, "agreed_rows": list(_rows(row, found))}


def _rows(row: JudgingRound, after: AgreedResults) -> Iterator[AgreedRow]:
    for mark in rounds.rubric_of(row).marks:
        yield _row(mark.title, after.shares[mark.key])
    if after.right is not None:
        yield _row(gettext("Right"), after.right)


def _row(title: str, share: SettledShare) -> AgreedRow:
    low, high = (f"{100 * end:.0f}" for end in (share.low, share.high))
    return AgreedRow(title, share.settled, f"{low} %" if share.low == share.high else f"{low} – {high} %")
