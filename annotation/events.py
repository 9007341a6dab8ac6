"""Write lines of history: one event per thing that happened, in the transaction in which it happened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import models

from annotation.models.event import Event

_TOWARDS_PROJECT = ("lease", "queue", "task", "item", "annotation")
"""By which of its fields a row leads to its project."""
_ORIGIN: ContextVar[dict[str, str]] = ContextVar("from where what happens now was asked for")
_WAITING: ContextVar[list[Event] | None] = ContextVar("events that one statement will write", default=None)


@contextmanager
def coming_from(**origin: str) -> Iterator[None]:
    """Let claims and screens that begin inside say where they came from: `session` and `ui_build`."""
    token = _ORIGIN.set(origin)
    try:
        yield
    finally:
        _ORIGIN.reset(token)


def origin() -> dict[str, str]:
    """From where this was asked for: a pseudonym of the sign-in and the build of the pages; of a command nothing."""
    return _ORIGIN.get({})


@contextmanager
def together() -> Iterator[None]:
    """Write the events of a service in one statement at its end, in their order; inside its transaction.

    Inside another one nothing is written yet: the outer one writes all of them, in the order in which they happened.
    """
    if _WAITING.get() is not None:
        yield
        return
    token = _WAITING.set([])
    try:
        yield
        Event.objects.bulk_create(_WAITING.get() or ())
    finally:
        _WAITING.reset(token)


def record(kind: str, subject: models.Model, *, by: Any, now: Any, **data: Any) -> None:
    """Append an event about `subject` (named by its uuid where it has one, else its key) by a user or None."""
    event = Event(
        at=now,
        by=by.pk if by is not None else None,
        kind=kind,
        subject=name(subject),
        project_id=_project(subject),
        data=data,
    )
    waiting = _WAITING.get()
    if waiting is None:
        event.save(force_insert=True)
    else:
        waiting.append(event)


def name(subject: models.Model) -> str:
    """`assignment:6f1c...`, `item:12`: how events speak of a row."""
    return f"{type(subject).__name__.lower()}:{getattr(subject, 'uuid', None) or subject.pk}"


def _project(subject: Any) -> int | None:
    """The project of a row, by way of the rows that came along with it; where none did, they are read."""
    return _project_at_hand(subject) or _project_read(subject)


def _project_at_hand(subject: Any) -> int | None:
    if type(subject).__name__ == "Project":
        return subject.pk
    if getattr(subject, "project_id", None):
        return subject.project_id
    beside = (subject._state.fields_cache.get(name) for name in _TOWARDS_PROJECT)
    return next((found for row in beside if row is not None and (found := _project_at_hand(row))), None)


def _project_read(subject: Any) -> int | None:
    for name in _TOWARDS_PROJECT:
        beside = getattr(subject, name, None) if hasattr(subject, f"{name}_id") else None
        if beside is not None:
            return _project(beside)
    return None
