"""Services that run once more when the database refused them for what happened at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import DatabaseError, connection

Given = ParamSpec("Given")
Result = TypeVar("Result")
CROSSED = frozenset({"40001", "40P01", "23505"})
"""PostgreSQL: serialization failure, deadlock, unique violation. On SQLite writers wait, so none of them happens."""


def retry_on_conflict(service: Callable[Given, Result]) -> Callable[Given, Result]:
    """Run the service a second time if it crossed another transaction: then it sees what that one has written."""

    @wraps(service)
    def run(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return service(*args, **kwargs)
        except DatabaseError as error:
            if connection.in_atomic_block or _code(error) not in CROSSED:
                raise
        return service(*args, **kwargs)

    return run


def _code(error: DatabaseError) -> Any:
    return getattr(error.__cause__, "pgcode", None)
