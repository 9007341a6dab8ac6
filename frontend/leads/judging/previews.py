"""Exhibits as raters will see them, before the seal: those that a lead has looked at leave what is drawn from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.judging import drawing, rounds
from annotation.judging.drawn import DrawnExhibit
from annotation.judging.rules import MOST_PREVIEWED, PREVIEWED, Rules, letter_of
from annotation.models import JudgingRound, User


@dataclass(frozen=True)
class PreviewedExhibit:
    """An exhibit that is previewed, with its number among all that were, from 0; `letter`: if it is with others."""

    at: int
    drawn: DrawnExhibit
    letter: str = ""


def latest(row: JudgingRound) -> list[PreviewedExhibit]:
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


def at(row: JudgingRound, number: int) -> DrawnExhibit | None:
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


def page_of(row: JudgingRound) -> dict[str, Any]:
    """The page of a preview."""
    rules, previewed = rounds.rules_of(row), latest(row)
    return {
        "project": row.project,
        "round": row,
        "rubric": rounds.rubric_of(row),
        "previewed": previewed,
        "together": rules.together,
        "left_out": len(rules.without),
    }
