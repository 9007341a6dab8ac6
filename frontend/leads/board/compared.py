"""The project's own figures beside the published ones, as a picture: the protocol says which there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from frontend.leads import figures
from frontend.leads.board.cards import Card, Note, whole_number_in_words
from frontend.leads.board.numbers import BoardNumbers
from frontend.leads.estimates import no_interval
from frontend.leads.plots import rows


def card(numbers: BoardNumbers) -> Card | None:
    """The first group of shares; the table below the board has all figures."""
    found = figures.compared(numbers.project)
    groups = [group for group in found.groups if any(row.share is not None for row in group.rows)] if found else []
    if not groups:
        return None
    named = [group for group in groups if group.heading] or groups
    shown = [row for row in named[0].rows if row.share is not None]
    drawn = [
        rows.PlotRow(
            row.label,
            row.ours,
            row.share or 0.0,
            _beside(row),
            row.estimate.low if row.estimate else None,
            row.estimate.high if row.estimate else None,
            mark=row.share_published,
        )
        for row in shown
    ]
    return Card(
        key="figures",
        title=named[0].heading or _("Figures"),
        about=_("beside the published dataset"),
        link=("#figures", _("all figures")),
        plot=rows.bars(drawn, label="; ".join(f"{row.name} {row.text}, {row.beside}" for row in drawn)),
        notes=[Note("", _("Of all finished work and imports."))] if numbers.asked.is_part else [],
        legend=_("Whiskers: 95 %, by item. Upright line: published, for plausibility"),
        header=("group", "figure", "ours", "low", "high", "of", "n", "no_interval", "published"),
        rows=list(_numbers(found)),
    )


def _beside(row: figures.FigureRow) -> str:
    """The interval, if there is one, of how many the share is, and the published one."""
    said = [row.interval] if row.interval else []
    if row.of is not None:
        said.append(_("of %(n)s") % {"n": whole_number_in_words(row.of)})
    return " · ".join([" ".join(said), _("published %(share)s") % {"share": row.published}]).removeprefix(" · ")


def _numbers(compared: figures.Compared | None) -> Iterator[tuple[Any, ...]]:
    """Every figure: shares as numbers, others as they are written."""
    for group in compared.groups if compared else ():
        for row in group.rows:
            ours, published = (row.share, row.share_published) if row.share is not None else (row.ours, row.published)
            one = row.estimate
            found = (one.low, one.high, row.of, one.n, no_interval(one)) if one else (None,) * 5
            yield group.heading, row.label, ours, *found, published
