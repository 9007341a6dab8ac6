"""The project's own figures beside the published ones, as a picture: the protocol says which there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from frontend.leads import figures
from frontend.leads.board.cards import Card, Note
from frontend.leads.board.numbers import BoardNumbers
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
            _("published %(share)s") % {"share": row.published},
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
        legend=_("Upright line: published, for plausibility"),
        header=("group", "figure", "ours", "published"),
        rows=list(_numbers(found)),
    )


def _numbers(compared: figures.Compared | None) -> Iterator[tuple[Any, ...]]:
    """Every figure: shares as numbers, others as they are written."""
    for group in compared.groups if compared else ():
        for row in group.rows:
            values = (row.share, row.share_published) if row.share is not None else (row.ours, row.published)
            yield group.heading, row.label, *values
