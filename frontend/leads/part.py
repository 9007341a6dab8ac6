"""What the parts that addresses ask for have in common: days from and to, and how they stand in an address."""

from __future__ import annotations

from datetime import date
from urllib.parse import urlencode


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
