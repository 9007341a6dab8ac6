"""The part of an activity whose agreement is asked for, as the address of the page names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

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
