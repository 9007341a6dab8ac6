"""`@service`: transaction and events, retried once after a serialization failure, deadlock or unique violation."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import DatabaseError, connection, transaction

from annotation import events

Params = ParamSpec("Params")
Result = TypeVar("Result")
CONFLICTS = frozenset({"40001", "40P01", "23505"})
"""SQLSTATEs of PostgreSQL, in that order. On SQLite writers wait for each other, so none of them happens."""


def service(function: Callable[Params, Result]) -> Callable[Params, Result]:
    """Run a function as one unit of work: retry, transaction, and one bulk insert of its events.

    A nested service joins the outer one's transaction: it is retried with it, and the order of events is kept.
    """
    return retry_on_conflict(transaction.atomic(events.batched()(function)))


def retry_on_conflict(function: Callable[Params, Result]) -> Callable[Params, Result]:
    """Run it again once if it conflicted with another transaction: then it sees what the other one has written."""

    @wraps(function)
    def run(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except DatabaseError as error:
            if connection.in_atomic_block or _code(error) not in CONFLICTS:
                raise
        return function(*args, **kwargs)

    return run


def _code(error: DatabaseError) -> Any:
    return getattr(error.__cause__, "pgcode", None)
