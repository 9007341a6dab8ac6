"""What known people have scored in each block as dots, with the mark as a line, and who would pass at another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation.statistics.shares import Share
from frontend.leads.courses.forms import MARK
from frontend.leads.courses.overview import points_in_words
from frontend.leads.plots import svg
from frontend.leads.plots.axes import Scale, places_of_labels
from qualification.courses import editing, item_figures
from qualification.courses.content import ExamBlock
from qualification.courses.item_figures import KnownScores
from qualification.models import Qualification
from tasks.models import Assignment
from tasks.models.states import AssignmentState

GROUPS: dict[str, Any] = {
    item_figures.LEADS: _("Leads and experts, in trials"),
    item_figures.WORKING: _("People who have worked here"),
    item_figures.CANDIDATES: _("Other candidates"),
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

    @property
    def name(self) -> str:
        """What the field of its mark is called."""
        return f"mark-{self.block.key}"


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
    groups = item_figures.known_scores(qualification, block, working=working)
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
