"""Append events to the history, each in the transaction of the change that it records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import models

from annotation.models.record import Event

_TOWARDS_PROJECT = ("lease", "queue", "task", "item", "annotation", "qualification", "study")
"""Relations by which a row leads to its project."""
API = "api"
"""The `ui_build` of what a script does through the API."""
_ORIGIN: ContextVar[dict[str, str]] = ContextVar("sign-in and build of the pages of this request")
_RECORDED: ContextVar[list[Event] | None] = ContextVar("events of this block", default=None)
_WAITING: ContextVar[list[Event] | None] = ContextVar("events for one bulk insert", default=None)


@contextmanager
def coming_from(**origin: str) -> Iterator[None]:
    """Set the origin (`session`, `ui_build`) that claims and screen traces record inside this block."""
    token = _ORIGIN.set(origin)
    try:
        yield
    finally:
        _ORIGIN.reset(token)


def origin() -> dict[str, str]:
    """The origin of this request: a pseudonym of the sign-in, and the build of the pages; {} in a command."""
    return _ORIGIN.get({})


def by_script() -> bool:
    """Whether this request comes from a script, not from a page."""
    return origin().get("ui_build") == API


@contextmanager
def batched() -> Iterator[None]:
    """Insert the events of this block in one statement at its end, in their order; use it inside the transaction.

    A nested block writes nothing itself: the outermost one inserts all events in the order in which they happened.
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


def store_waiting() -> None:
    """Insert now what this block has recorded, for a reader of the history before its end; the order stays."""
    if waiting := _WAITING.get():
        Event.objects.bulk_create(waiting)
        waiting.clear()


@contextmanager
def recorded() -> Iterator[list[Event]]:
    """The events that are recorded in this block, in their order; at its end they have their keys.

    Those of a transaction that was begun again are among them, though they were never stored.
    """
    found: list[Event] = []
    token = _RECORDED.set(found)
    try:
        yield found
    finally:
        _RECORDED.reset(token)


def record(kind: str, subject: models.Model, *, by: Any, now: Any, **data: Any) -> None:
    """Append an event about `subject` (named by its uuid if it has one, else by its key), by a user or None."""
    event = Event(
        at=now,
        by=by.pk if by is not None else None,
        kind=kind,
        subject=name(subject),
        project_id=_project(subject),
        data=data,
    )
    if (found := _RECORDED.get()) is not None:
        found.append(event)
    waiting = _WAITING.get()
    if waiting is None:
        event.save(force_insert=True)
    else:
        waiting.append(event)


def name(subject: models.Model) -> str:
    """How events refer to a row: `assignment:6f1c...`, `item:12`."""
    return f"{type(subject).__name__.lower()}:{getattr(subject, 'uuid', None) or subject.pk}"


def _project(subject: Any) -> int | None:
    """The key of a row's project, by relations that are already loaded; if none is, they are queried."""
    return _project_at_hand(subject) or _project_read(subject)


def _project_at_hand(subject: Any) -> int | None:
    if type(subject).__name__ == "Project":
        key: int | None = subject.pk
        return key
    if getattr(subject, "project_id", None):
        return int(subject.project_id)
    beside = (subject._state.fields_cache.get(name) for name in _TOWARDS_PROJECT)
    return next((found for row in beside if row is not None and (found := _project_at_hand(row))), None)


def _project_read(subject: Any) -> int | None:
    for name in _TOWARDS_PROJECT:
        beside = getattr(subject, name, None) if hasattr(subject, f"{name}_id") else None
        if beside is not None:
            return _project(beside)
    return None
