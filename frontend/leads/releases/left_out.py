"""What a release leaves out and why, in words: from its manifest or from a preview."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Purpose

PURPOSES = {
    Purpose.CHECK: gettext_lazy("answers to hidden checks (gold)"),
    Purpose.QUIZ: gettext_lazy("answers in exams"),
    Purpose.STUDY: gettext_lazy("answers in studies"),
    Purpose.REFERENCE: gettext_lazy("references of experts"),
}


@dataclass(frozen=True)
class LeftOutRow:
    """So many of what are left out of a split, and why."""

    split: str
    n: int
    why: str
    of_items: bool = False


def rows(
    left_out: Mapping[str, Mapping[str, Any]], counts: Mapping[str, Mapping[str, int]], *, partial: bool
) -> list[LeftOutRow]:
    """By split, whole splits last; `partial`: items that have any annotation at all are in it."""
    splits = sorted({*left_out, *counts}, key=lambda split: ("split" in left_out.get(split, {}), split))
    return [
        row for split in splits for row in _of_split(split, left_out.get(split, {}), counts.get(split, {}), partial)
    ]


def _of_split(split: str, reasons: Mapping[str, Any], counts: Mapping[str, int], partial: bool) -> Iterator[LeftOutRow]:
    if "split" in reasons:
        aside = reasons["split"]["why"] == "sequestered"
        why = _("a sequestered split: it leaves only when it is named") if aside else _("the split was not chosen")
        yield LeftOutRow(split, reasons["split"]["items"], why, of_items=True)
        return
    if n := counts.get("left_out_incomplete"):
        none, some = _("none of their annotations is finished"), _("not all of their annotations are finished")
        yield LeftOutRow(split, n, none if partial else some, of_items=True)
    if n := counts.get("left_out_by_name"):
        yield LeftOutRow(split, n, _("the format can’t represent them, so they were left out by name"), of_items=True)
    if n := counts.get("left_out_by_format"):
        yield LeftOutRow(split, n, _("the format has no place for them, as its notes say"))
    for reason, n in sorted(reasons.get("excluded", {}).items(), key=lambda entry: (-entry[1], entry[0])):
        yield LeftOutRow(
            split, n, _("excluded: %(why)s") % {"why": reason} if reason else _("excluded for other reasons")
        )
    if not reasons and (n := counts.get("left_out_excluded")):
        yield LeftOutRow(split, n, _("excluded"))
    if n := reasons.get("late"):
        yield LeftOutRow(split, n, ngettext("it came too late for a slot", "they came too late for a slot", n))
    if n := reasons.get("after"):
        yield LeftOutRow(split, n, _("finished after the cut-off"))
    for purpose, n in sorted(reasons.get("purposes", {}).items()):
        yield LeftOutRow(split, n, str(PURPOSES.get(Purpose(purpose), purpose)))
    if n := reasons.get("unfinished"):
        yield LeftOutRow(split, n, _("begun, but not finished"))
