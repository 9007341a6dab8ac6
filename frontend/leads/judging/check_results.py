"""What raters said to checks beside the mark, as the page of results and its CSV show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext

from annotation.judging.rubrics import Check, Rubric


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


def tables_of(rubric: Rubric, kept: Mapping[str, Any], types: Mapping[str, str]) -> Iterator[CheckTable]:
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
    return _n(yes), _n(no), _percent(yes / (yes + no) if yes + no else None), _n(counts["unanswered"])


def _counted_cells(counts: Mapping[str, Any]) -> tuple[str, ...]:
    counted = gettext("%(n)s of %(m)s") % {"n": _n(counts["n"]), "m": _n(counts["m"])} if counts["answered"] else "–"
    return counted, _percent(counts["mean"]), _n(counts["answered"]), _n(counts["unanswered"])


def _n(number: int) -> str:
    return str(number_format(number, 0, use_l10n=True, force_grouping=True))


def _percent(part: float | None) -> str:
    return "–" if part is None else f"{number_format(round(100 * part))} %"


def csv_rows(kept: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    """(key of the check / what was said, of what, how many marks, how many said so) at full precision."""
    for key, said in kept.items():
        groups = {"all": said["all"]} | {f"mark {mark}": each for mark, each in said["by_mark"].items()}
        for of, each in (groups | said["by_type"]).items():
            marks = each["unanswered"] + (each["answered"] if "answered" in each else each["yes"] + each["no"])
            for name, value in each.items():
                yield f"{key}/{name}", of, marks, value
