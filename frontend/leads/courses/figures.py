"""The numbers of a course: the funnel, by week and source, its items, and scores of known people as dots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation.errors import NotFound
from annotation.statistics.intervals import Share
from frontend.leads.courses.forms import MARK
from frontend.leads.courses.overview import points_in_words
from frontend.leads.plots import svg
from frontend.leads.plots.svg import Scale, places_of_labels
from qualification.courses import candidates as people
from qualification.courses import editing
from qualification.courses.candidates import CourseCandidate, FunnelStep
from qualification.courses.content import ExamBlock
from qualification.courses.item_figures import (
    CANDIDATES,
    ENOUGH,
    ENOUGH_FOR_WORDS,
    LEADS,
    WORKING,
    ItemFigures,
    KnownScores,
    item_figures,
    known_scores,
)
from qualification.models import Outcome, Qualification
from tasks.models import Assignment
from tasks.models.states import AssignmentState

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
        "dots": dots_of_blocks(qualification, sent),
        "left": LEFT,
        "right": RIGHT,
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


GROUPS: dict[str, Any] = {
    LEADS: _("Leads and experts, in trials"),
    WORKING: _("People who have worked here"),
    CANDIDATES: _("Other candidates"),
}
LEFT, RIGHT, RADIUS, TOP, ROW = 12, 348, 4, 18, 16
MOST_IN_A_STACK = 5
"""Dots above each other; of more, the number stands in their place."""


@dataclass(frozen=True)
class BlockDots:
    """A block: its plot (None if nobody has sat it), and what share of each group passes at the mark.

    `mark`: as the field shows it; `is_other`: whether it is another one than the course has.
    """

    block: ExamBlock
    plot: svg.SvgPlot | None
    shares: list[tuple[Any, int, Share | None]]
    mark: str
    is_other: bool


def dots_of_blocks(qualification: Qualification, sent: Mapping[str, str]) -> list[BlockDots]:
    """Each block of the draft or else of what was published last; `sent` may have another mark for one."""
    version = editing.draft_of(qualification) or editing.published(qualification)
    if version is None:
        return []
    rows = Assignment.objects.filter(task__queue__project=qualification.project, state=AssignmentState.SUBMITTED)
    sat = qualification.attempts.values("user")
    working = set(rows.filter(annotator__in=sat).order_by().values_list("annotator", flat=True).distinct())
    return [_dots(qualification, block, working, sent) for block in editing.read(version).blocks]


def _dots(qualification: Qualification, block: ExamBlock, working: set[int], sent: Mapping[str, str]) -> BlockDots:
    groups = known_scores(qualification, block, working=working)
    typed = sent.get(f"mark-{block.key}", "").replace(",", ".").strip()
    mark = typed if MARK.fullmatch(typed) and Fraction(typed) <= block.draw else block.mark
    some = any(each.points for each in groups)
    return BlockDots(
        block=block,
        plot=_plot(block, groups, Fraction(mark)) if some else None,
        shares=[(GROUPS[each.group], len(each.points), each.passing(Fraction(mark))) for each in groups],
        mark=mark,
        is_other=Fraction(mark) != block.needed,
    )


def _plot(block: ExamBlock, groups: Sequence[KnownScores], mark: Fraction) -> svg.SvgPlot:
    """A row for each group that has anybody: a dot for each person, equal ones above each other."""
    scale, parts, y = Scale(0, block.draw, LEFT, RIGHT), [], TOP
    for each in groups:
        if not each.points:
            continue
        stacks = Counter(each.points)
        tallest = min(MOST_IN_A_STACK, max(stacks.values()))
        parts.append(svg.text(LEFT - 8, y, gettext(GROUPS[each.group])))
        y += ROW + (tallest - 1) * 2 * RADIUS
        parts += [_stack(scale(float(points)), y, points, n) for points, n in sorted(stacks.items())]
        y += ROW + 4
    x = scale(float(mark))
    parts.insert(0, svg.line(x, x, TOP - 4, y - 6, "mark", title=gettext("The mark")))
    for number in places_of_labels(block.draw + 1, most=8):
        at = scale(number)
        parts.append(svg.text(at, y + 10, number_format(number), anchor="middle", class_="quiet"))
    label = gettext("%(block)s: a dot for the points of each person, and the mark at %(mark)s.") % {
        "block": block.title,
        "mark": points_in_words(mark),
    }
    return svg.SvgPlot(y + 16, label, svg.join(*parts))


def _stack(x: float, y: float, points: Fraction, n: int) -> Any:
    words = ngettext("%(n)s person: %(points)s points", "%(n)s people: %(points)s points", n)
    title = words % {"n": n, "points": points_in_words(points)}
    if n > MOST_IN_A_STACK:
        dot = svg.element("circle", cx=x, cy=y, r=RADIUS, class_="score", title=title)
        return svg.join(dot, svg.text(x, y - RADIUS - 3, number_format(n), anchor="middle", title=title))
    dots = [svg.element("circle", cx=x, cy=y - 2 * RADIUS * k, r=RADIUS, class_="score", title=title) for k in range(n)]
    return svg.join(*dots)
