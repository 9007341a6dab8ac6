"""The tables behind kept numbers: stored in rows of their own, and the last few in the memory of the process.

A process that measured the last pass itself need not read the table again, which is some megabytes, nor the items that
changed since it was stored.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from annotation.models import Agreement, AgreementTable
from tasks.measuring.changes import Marks

if TYPE_CHECKING:
    from annotation.agreement.table import RatingsTable

MOST, LARGE = 4, 50_000
"""So many tables stay in memory, each of at most so many annotations: 4 MB."""
_kept: OrderedDict[UUID, Behind] = OrderedDict()


@dataclass
class Behind:
    """A table, what it surely includes, and the items in which the stored one differs from it."""

    table: RatingsTable
    includes: Marks
    unstored: set[int] = field(default_factory=set)


def of_last_pass(row: Agreement) -> Behind:
    """The table of the pass that measured these numbers, if this process did; else the stored one."""
    kept = _kept.pop(row.measured_by, None) if row.measured_by else None
    if kept is None:
        return Behind(stored(row), Marks(row.up_to, row.responses_up_to))
    return kept


def stored(row: Agreement) -> RatingsTable:
    """The stored table behind kept numbers."""
    from annotation.agreement.table import RatingsTable

    data = AgreementTable.objects.filter(agreement=row).values_list("data", flat=True).get()
    return RatingsTable.unpacked(bytes(data))


def remember(measured_by: UUID, behind: Behind) -> None:
    """Keep the table of a pass, unless it is large; the one that was used longest ago goes."""
    if len(behind.table.annotation) > LARGE:
        return
    _kept[measured_by] = Behind(behind.table, behind.includes, set(behind.unstored))
    while len(_kept) > MOST:
        _kept.popitem(last=False)
