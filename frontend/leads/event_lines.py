"""Events as pages list them: what happened, by whom, when and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from annotation.models import Event, User


def event_lines(events: Iterable[Event], **said: Callable[[Event], Any]) -> list[dict[str, Any]]:
    """A line for each: `by` whom (a name, "" if nobody did it), `at` which time, `why`; and what is `said` of it."""
    rows = list(events)
    names = dict(User.objects.filter(pk__in={row.by for row in rows if row.by}).values_list("pk", "username"))
    return [
        {"by": names.get(row.by or 0, ""), "at": row.at, "why": row.data.get("reason", "")}
        | {name: of(row) for name, of in said.items()}
        for row in rows
    ]


def lines_by_subject(events: Iterable[Event], **said: Callable[[Event], Any]) -> dict[str, list[dict[str, Any]]]:
    """The same by what the events are about, in their order."""
    rows, found = list(events), defaultdict[str, list[dict[str, Any]]](list)
    for row, line in zip(rows, event_lines(rows, **said), strict=True):
        found[row.subject].append(line)
    return found
