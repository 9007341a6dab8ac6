"""The exhibits of a round, for leads who don't judge in it: previews before the seal, then what is judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.judging import drawing, rounds
from annotation.judging.drawn import DrawnExhibit
from annotation.judging.rules import MOST_PREVIEWED, PREVIEWED, Rules, letter_of
from annotation.models import Defect, Exhibit, ExhibitUse, JudgingRound, Response, RoundState, User
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


@dataclass(frozen=True)
class PreviewedExhibit:
    """An exhibit that is previewed, with its number among all that were, from 0; `letter`: if it is with others."""

    at: int
    drawn: DrawnExhibit
    letter: str = ""


def latest_previewed(row: JudgingRound) -> list[PreviewedExhibit]:
    """The three that were previewed last, or fewer; all answers to one item if raters see them together."""
    rules = rounds.rules_of(row)
    if rules.together:
        return _last_item(row, rules)
    begin = (len(rules.without) - 1) // PREVIEWED * PREVIEWED if rules.without else 0
    names = rules.without[begin:]
    found = {each.name: each for each in drawing.named(row.project, rules, names)}
    return [PreviewedExhibit(begin + at, found[name]) for at, name in enumerate(names) if name in found]


def _last_item(row: JudgingRound, rules: Rules) -> list[PreviewedExhibit]:
    """What was previewed of the item that was previewed last."""
    found = {each.name: each for each in drawing.named(row.project, rules, rules.without)}
    every = [PreviewedExhibit(at, found[name]) for at, name in enumerate(rules.without) if name in found]
    last = [each for each in every if each.drawn.item_id == every[-1].drawn.item_id]
    return [replace(each, letter=letter_of(number)) for number, each in enumerate(last)]


def previewed_at(row: JudgingRound, number: int) -> DrawnExhibit | None:
    """The one with this number among all that were previewed."""
    rules = rounds.rules_of(row)
    found = drawing.named(row.project, rules, rules.without[number : number + 1])
    return found[0] if found else None


def draw_others(row: JudgingRound, *, by: User, now: datetime) -> None:
    """Preview three more, which leave what is drawn from; WrongMove if there are no more, or were enough."""
    rules = rounds.rules_of(row)
    if len(rules.without) + (1 if rules.together else PREVIEWED) > MOST_PREVIEWED:
        raise WrongMove(_("Enough were previewed: each of them leaves what is drawn from."))
    found = drawing.preview(row.project, rules, seed=row.seed, n=PREVIEWED)
    if not found:
        raise WrongMove(_("There is nothing more to preview."))
    without = (*rules.without, *(each.name for each in found))
    rounds.change(row, rules=rules.model_copy(update={"without": without}), by=by, now=now)


def preview_page(row: JudgingRound) -> dict[str, Any]:
    """The page of a preview."""
    rules, previewed = rounds.rules_of(row), latest_previewed(row)
    return {
        "project": row.project,
        "round": row,
        "rubric": rounds.rubric_of(row),
        "previewed": previewed,
        "together": rules.together,
        "left_out": len(rules.without),
    }
