"""Undo a change of a project's settings, texts or queue numbers, unless it has been changed again since."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.errors import NotFound
from annotation.models import Event, Project, User
from annotation.setup import changes
from tasks.setup import opening

UNDO: dict[str, Callable[..., Any]] = {
    changes.CHANGED: opening.undo_settings,
    changes.PUBLISHED: changes.go_back_to_guidelines,
    changes.CONSENT: changes.go_back_to_consent,
    opening.CHANGED: opening.undo,
}
"""What undoes the change that an event of this kind records."""

SAID = {
    changes.CHANGED: _("As before."),
    changes.PUBLISHED: _("The earlier guidelines are in force again, as a new version."),
    changes.CONSENT: _("The earlier consent text counts again. Whoever agreed to it is not asked again."),
    opening.CHANGED: _("The queue has its earlier numbers again."),
}
"""What is said once that is done."""


def undo(project: Project, event: int, *, by: User, now: datetime) -> Event:
    """Set what this event changed as it was before, and return the event; any lead may, at any time.

    Raises NotFound if it is no such change of the project, and WrongMove if it has been changed again since.
    """
    row = Event.objects.filter(pk=event, project_id=project.pk, kind__in=UNDO).first()
    if row is None:
        raise NotFound
    UNDO[row.kind](project, row.pk, by=by, now=now)
    return row


def tag_of(project: Project, changed: Iterable[Event]) -> str:
    """The tag by which a message gets a button that undoes the last of these changes; "" if there is none."""
    keys = [row.pk for row in changed if row.kind in UNDO]
    return f"undo {reverse('undo_setting', args=[project.slug, keys[-1]])}" if keys else ""


def undoing_of(project: Project, rows: Sequence[Event]) -> dict[str, Callable[[Event], Any]]:
    """What lines about these events (newest first) say of undoing; see `event_lines`."""
    can_be_undone, when = undoable(project, rows), undone_at(rows)
    return {
        "id": lambda row: row.pk,
        "undo": lambda row: row.pk in can_be_undone,
        "undone_at": lambda row: when.get(row.pk),
    }


def undoable(project: Project, rows: Sequence[Event]) -> set[int]:
    """The keys of those events (newest first) whose change is in force and has something before it."""
    last = project.guidelines.order_by("-number").first()
    newest = {
        row.pk for row in rows if row.kind == changes.PUBLISHED and last and row.data["number"] == last.number > 1
    }
    return newest | _standing(row for row in rows if row.kind in UNDO and row.kind != changes.PUBLISHED)


def _standing(rows: Iterable[Event]) -> set[int]:
    """Those changes of whose fields none was changed later, without what was undone and what undid it."""
    undone: set[int] = set()
    found: set[int] = set()
    later: set[str] = set()
    for row in rows:
        if row.pk in undone:
            continue
        if "undoes" in row.data:
            undone.add(row.data["undoes"])
            continue
        fields = set(row.data["after"]) if row.kind == changes.CHANGED else {row.kind + row.subject}
        if not fields & later:
            found.add(row.pk)
        later |= fields
    return found


def undone_at(rows: Iterable[Event]) -> dict[int, datetime]:
    """For those of the events that undo a change, by their keys, when that change was made."""
    undoes = {row.pk: row.data["undoes"] for row in rows if "undoes" in row.data}
    at = dict(Event.objects.filter(pk__in=undoes.values()).values_list("pk", "at"))
    return {pk: at[undone] for pk, undone in undoes.items()}
