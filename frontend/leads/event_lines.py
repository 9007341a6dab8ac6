"""Events as pages list them: what happened, by whom, when and why; and what a job waits for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NotRequired, TypedDict, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Event, User
from tasks.background.long_jobs import JobWait


class EventLine(TypedDict):
    """A line of a history: `by` whom (a name, "" if nobody did it), `at` which time, and `why`.

    A list has of the others what it says of its events: `what` was done, to `whom`, and whether it can be undone.
    """

    by: str
    at: datetime
    why: str
    what: NotRequired[str]
    whom: NotRequired[str]
    role: NotRequired[str]
    reason: NotRequired[str]
    lines: NotRequired[Any]
    added: NotRequired[bool]
    id: NotRequired[int]
    undo: NotRequired[Any]
    undone_at: NotRequired[datetime | None]


def event_lines(events: Iterable[Event], **said: Callable[[Event], Any]) -> list[EventLine]:
    """A line for each, with what is `said` of it."""
    rows = list(events)
    names = dict(User.objects.filter(pk__in={row.by for row in rows if row.by}).values_list("pk", "username"))
    lines = (
        {"by": names.get(row.by or 0, ""), "at": row.at, "why": row.data.get("reason", "")}
        | {name: of(row) for name, of in said.items()}
        for row in rows
    )
    return [cast(EventLine, line) for line in lines]


def lines_by_subject(events: Iterable[Event], **said: Callable[[Event], Any]) -> dict[str, list[EventLine]]:
    """The same by what the events are about, in their order."""
    rows, found = list(events), defaultdict[str, list[EventLine]](list)
    for row, line in zip(rows, event_lines(rows, **said), strict=True):
        found[row.subject].append(line)
    return found


def wait_in_words(wait: JobWait) -> str:
    """Of a job that waits for no other one of its kind and project: what for, and its place."""
    if not wait.running:
        return _("It begins within a few seconds.")
    said = ngettext(
        "It waits for %(n)s job of this site to end",
        "It waits for one of %(n)s jobs of this site to end",
        wait.running,
    ) % {"n": wait.running}
    if not wait.before:
        return _("%(said)s, and is next.") % {"said": said}
    place = ngettext("%(n)s other comes before it", "%(n)s others come before it", wait.before) % {"n": wait.before}
    return _("%(said)s; %(place)s.") % {"said": said, "place": place}
