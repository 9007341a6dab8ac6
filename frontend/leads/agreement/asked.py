"""The part of an activity whose agreement an address asks for, and the person in it whom a board names first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from annotation.models import Agreement, User
from annotation.statistics.estimates import Estimate
from frontend.requests import parse_day


class PartQuery:
    """A base of dataclasses whose fields are the names in an address; "" and None: all of it."""

    since: date | None
    until: date | None

    @property
    def is_backwards(self) -> bool:
        """Whether it ends before it begins, so that there is no day in it."""
        return self.since is not None and self.until is not None and self.until < self.since

    @property
    def query(self) -> str:
        """As a query string."""
        return urlencode({name: str(value) for name, value in vars(self).items() if value})


@dataclass(frozen=True)
class AgreementQuery(PartQuery):
    """The part of an activity that the address asks for; "" and None: all of it."""

    activity: str = ""
    measure: str = ""
    split: str = ""
    since: date | None = None
    until: date | None = None
    person: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> AgreementQuery:
        """From an address; what is no date is as if it were not there."""
        texts = {name: query.get(name, "") for name in ("activity", "measure", "split", "person")}
        return cls(**texts, since=parse_day(query.get("since", "")), until=parse_day(query.get("until", "")))

    @property
    def is_part(self) -> bool:
        """Whether it is less than the whole activity."""
        return bool(self.split or self.since or self.until or self.person)

    @property
    def is_split(self) -> bool:
        """Whether it is a whole split."""
        return bool(self.split) and not (self.since or self.until or self.person)

    @property
    def whole(self) -> str:
        """The query string of the whole activity."""
        return AgreementQuery(self.activity, self.measure).query


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
