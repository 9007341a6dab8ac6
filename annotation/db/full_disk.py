"""Recognise a full disk, whoever reports it: the operating system, SQLite or PostgreSQL."""

from __future__ import annotations

import errno

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
SQLITE_FULL = "SQLITE_FULL"
POSTGRESQL_FULL = "53100"


def is_full(error: BaseException) -> bool:
    """Whether an exception means that a disk, or somebody's quota on it, is full."""
    if isinstance(error, OSError) and error.errno in FULL:
        return True
    cause = error.__cause__  # Django wraps the exceptions of the drivers
    return (
        getattr(cause, "sqlite_errorname", "") == SQLITE_FULL
        or getattr(cause, "pgcode", "") == POSTGRESQL_FULL
        or "database or disk is full" in str(error)
    )
