"""The list of items as a table: every item that a filter leaves, with the columns of the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from annotation.models import Project
from frontend.leads.items.filters import Filter
from frontend.leads.items.listing import all_rows

HEADER = (
    "item", "id", "text", "split", "state", "annotations", "wanted", "excluded", "reported", "agreement",
    "last_finished",
)  # fmt: skip
"""`item` is the number in the address of its page, `id` the one of its file; times are in UTC."""


def rows(project: Project, wanted: Filter) -> Iterator[Sequence[Any]]:
    """The names of the columns, then a row for each item, read while the rows before it are sent."""
    yield HEADER
    for row in all_rows(project, wanted):
        last = row.last.isoformat(timespec="seconds") if row.last else ""
        agreement = "" if row.agreement is None else round(row.agreement, 4)
        yield (
            row.pk, row.external_id, row.caption, row.split, row.state, row.finished, row.wanted, row.excluded,
            row.reported, agreement, last,
        )  # fmt: skip
