"""The sealed exhibits of a round, for leads who don't judge in it: which are judged, and which were defects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Defect, Exhibit, ExhibitUse, JudgingRound, Response, RoundState
from annotation.values.exhibits import ShownExhibit

PER_PAGE = 25


@dataclass(frozen=True)
class ExhibitRow:
    """An exhibit as raters see it. `replaces`: the place of the defect that it stands for, None for none; `is_marked`:
    whether anybody has marked it, so that it can't be flagged any more."""

    exhibit: Exhibit
    shown: ShownExhibit
    defect: Defect | None
    replaces: int | None
    is_marked: bool
    can_be_flagged: bool


def exhibits_page(row: JudgingRound, *, page: str) -> Page[ExhibitRow]:
    """A page of them."""
    found: Page[Any] = Paginator(exhibits_of(row).order_by("place"), PER_PAGE).get_page(page)
    found.object_list = [shown_row(row, each) for each in found]
    return found


def exhibits_of(row: JudgingRound) -> QuerySet[Exhibit]:
    """What is or was to be judged, each with whether it is `marked`; spares once they have replaced something."""
    marks = Response.objects.filter(annotation__exhibit=OuterRef("pk"))
    rows = row.exhibits.filter(Q(use=ExhibitUse.DRAWN) | Q(replaces__isnull=False))
    return rows.select_related("item", "defect__replaced_by", "replaces__exhibit").annotate(marked=Exists(marks))


def shown_row(row: JudgingRound, each: Any) -> ExhibitRow:
    """Of an exhibit with `marked`, by the query above."""
    defect, replaced, marked = getattr(each, "defect", None), getattr(each, "replaces", None), each.marked
    return ExhibitRow(
        exhibit=each,
        shown=ShownExhibit.model_validate(each.shown, strict=False),
        defect=defect,
        replaces=replaced.exhibit.place if replaced else None,
        is_marked=marked,
        can_be_flagged=row.state == RoundState.SEALED and defect is None and not marked,
    )
