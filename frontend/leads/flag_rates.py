"""How often people's turns are flagged with good reason, beside cases and with a person's work: never a ranking."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from annotation.models import CaseKind, Item, Project, User
from tasks.pairs import flag_rates


@dataclass(frozen=True)
class FlagRateRow:
    """One person's figures: valid flags in 100 turns, the mean and the ends of its 95 % interval."""

    code: str
    turns: int
    flagged: int
    mean: float
    low: float
    high: float


def of_flagged(item: Item) -> list[FlagRateRow]:
    """Of the people whose turns were flagged in the work on an item, by their codes."""
    flags = Q(responses__cases__kind=CaseKind.FLAG, responses__annotation__item=item)
    return _rows_of_people(item.project, User.objects.filter(flags).distinct())


def of_person(project: Project, person: User) -> list[FlagRateRow]:
    """Of one person; [] if nothing that they did could be flagged."""
    return _rows_of_people(project, [person])


def _rows_of_people(project: Project, people: Iterable[User]) -> list[FlagRateRow]:
    codes = {person.pk: person.worker_code for person in people}
    found = flag_rates.of_people(project, codes) if codes else {}
    rows = [
        FlagRateRow(codes[key], one.turns, one.flagged, 100 * one.rate.mean, 100 * one.rate.low, 100 * one.rate.high)
        for key, one in found.items()
    ]
    return sorted(rows, key=lambda row: row.code)
