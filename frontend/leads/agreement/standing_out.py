"""The person who stands out by agreeing less with the others than these do with each other, as a board names them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from annotation.models import Agreement, User
from annotation.statistics.estimates import Estimate
from frontend.leads.agreement.asked import AgreementQuery


@dataclass(frozen=True)
class StandsOut:
    """Somebody's code, the measure, their agreement with the others and that of the others with each other, and where
    the page of agreement lists them."""

    code: str
    measure: Any
    theirs: Estimate
    others: Estimate
    url: str


def person_standing_out(row: Agreement, measures: Iterable[Any], *, slug: str) -> StandsOut | None:
    """By the first of these measures under which anybody does; None if nobody does, or there is too little to tell."""
    kept = row.numbers.get("stands_out", {})
    for one in measures:
        if one.key in kept:
            person, theirs, others = kept[one.key]
            code = User.objects.filter(pk=person).values_list("worker_code", flat=True).first()
            if code:
                query = AgreementQuery(row.activity, one.key).query
                url = f"{reverse('agreement', args=[slug])}?{query}#{anchor(code)}"
                return StandsOut(code, one.title, Estimate.from_list(theirs), Estimate.from_list(others), url)
    return None


def anchor(code: str) -> str:
    """The id of somebody's row on the page of agreement."""
    return f"person-{code}"
