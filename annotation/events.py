"""Write lines of history: one event per thing that happened, in the transaction in which it happened."""

from __future__ import annotations

from typing import Any

from django.db import models

from annotation.models.event import Event


def record(kind: str, subject: models.Model, *, by: Any, now: Any, **data: Any) -> None:
    """Append an event about `subject` (named by its uuid where it has one, else its key) by a user or None."""
    Event.objects.create(
        at=now,
        by=by.pk if by is not None else None,
        kind=kind,
        subject=name(subject),
        project_id=_project(subject),
        data=data,
    )


def name(subject: models.Model) -> str:
    """`assignment:6f1c...`, `item:12`: how events speak of a row."""
    return f"{type(subject).__name__.lower()}:{getattr(subject, 'uuid', None) or subject.pk}"


def _project(subject: Any) -> int | None:
    """The project of a row, where following it needs no query."""
    for path in ("project_id", "queue_project_id"):
        if getattr(subject, path, None):
            return getattr(subject, path)
    return subject.pk if type(subject).__name__ == "Project" else None
