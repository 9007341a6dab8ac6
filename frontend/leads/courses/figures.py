"""The numbers of a course in words and as tables: the funnel, by week and source, and its items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.errors import NotFound
from annotation.statistics.intervals import Share
from frontend.leads.courses import dot_plots
from qualification.courses import candidates as people
from qualification.courses import editing
from qualification.courses.candidates import CourseCandidate, FunnelStep
from qualification.courses.item_figures import ENOUGH, ENOUGH_FOR_WORDS, ItemFigures, item_figures
from qualification.models import Outcome, Qualification

STEPS: dict[str, Any] = {
    "invited": _("Invited"),
    "consented": _("Gave their consent"),
    "begun": _("Began the course"),
    "read": _("Read the guidelines"),
    "tutorial": _("Did the tutorial"),
    "issued": _("Began the exam"),
    "finished": _("Finished an attempt"),
    **dict(Outcome.choices),
}
SOURCES = {
    people.SITE: _("From a recruitment site"),
    people.INVITED: _("By an invitation"),
    people.ADDED: _("Added by a lead"),
}


@dataclass(frozen=True)
class Group:
    """Candidates of a week or a source: how many began, sat, finished, and what share of these is admitted."""

    title: Any
    begun: int
    issued: int
    finished: int
    share: Share | None


def _group(title: Any, rows: Sequence[CourseCandidate]) -> Group:
    issued, finished = sum(each.issued for each in rows), sum(each.finished for each in rows)
    return Group(title, len(rows), issued, finished, people.admitted_of(rows))


def by_week(rows: Sequence[CourseCandidate]) -> list[Group]:
    """By the week in which they began, the latest first."""
    weeks = sorted({each.week for each in rows}, reverse=True)
    return [_group(week, [each for each in rows if each.week == week]) for week in weeks]


def by_source(rows: Sequence[CourseCandidate]) -> list[Group]:
    """By how they came; no group without anybody."""
    groups = [_group(words, [each for each in rows if each.source == source]) for source, words in SOURCES.items()]
    return [each for each in groups if each.begun]


def figures_context(qualification: Qualification, sent: Mapping[str, str]) -> dict[str, Any]:
    """What the page shows; `sent`: the query, which may name other marks to look at."""
    rows = people.candidates(qualification)
    steps = people.funnel(qualification, rows)
    return {
        "project": qualification.project,
        "qualification": qualification,
        "steps": [(STEPS[step.key], step, STEPS.get(step.of, "")) for step in steps],
        "admitted": people.admitted_of(rows),
        "published": people.PUBLISHED,
        "weeks": by_week(rows),
        "sources": by_source(rows),
        "items": item_figures(qualification),
        "dots": dot_plots.dots_of_blocks(qualification, sent),
        "left": dot_plots.LEFT,
        "right": dot_plots.RIGHT,
        "draft": editing.draft_of(qualification),
        "enough": ENOUGH,
        "enough_for_words": ENOUGH_FOR_WORDS,
        "tab": "figures",
    }


def _share_cells(share: Share | None) -> list[Any]:
    return [share.value, share.low, share.high, share.n] if share else ["", "", "", ""]


CELLS = ["share", "low", "high", "of"]


def _step_lines(qualification: Qualification) -> list[list[Any]]:
    steps: list[FunnelStep] = people.funnel(qualification, people.candidates(qualification))
    return [["step", "n", "of_step", *CELLS]] + [
        [each.key, each.n, each.of, *_share_cells(each.share)] for each in steps
    ]


def _group_lines(groups: Sequence[Group], name: str) -> list[list[Any]]:
    lines = [[str(each.title), each.begun, each.issued, each.finished, *_share_cells(each.share)] for each in groups]
    return [[name, "begun", "issued", "finished", *(f"admitted_{cell}" for cell in CELLS)], *lines]


def _week_lines(qualification: Qualification) -> list[list[Any]]:
    return _group_lines(by_week(people.candidates(qualification)), "week")


def _source_lines(qualification: Qualification) -> list[list[Any]]:
    return _group_lines(by_source(people.candidates(qualification)), "source")


def _item_lines(qualification: Qualification) -> list[list[Any]]:
    names = ["item", "block", "concept", "version", "answers", "right", *(f"right_{cell}" for cell in CELLS)]
    return [
        [*names, "discrimination", "median_seconds", "remark", "leaked_since"],
        *map(_item_line, item_figures(qualification)),
    ]


def _item_line(each: ItemFigures) -> list[Any]:
    about = [each.item.key, each.block, each.item.concept, each.version, each.n, each.right]
    words = {"too easy": each.too_easy, "misleading": each.misleading, "leaked": each.leaked}
    remark = ", ".join(word for word, holds in words.items() if holds)
    since = each.jump.since if each.jump and each.leaked else ""
    return [*about, *_share_cells(each.share), each.discrimination, each.seconds, remark, since]


TABLES: dict[str, Callable[[Qualification], list[list[Any]]]] = {
    "steps": _step_lines,
    "weeks": _week_lines,
    "sources": _source_lines,
    "items": _item_lines,
}


def lines_of_table(qualification: Qualification, table: str) -> list[list[Any]]:
    """One of the tables for a file; NotFound if there is none of this name."""
    if table not in TABLES:
        raise NotFound
    return TABLES[table](qualification)
