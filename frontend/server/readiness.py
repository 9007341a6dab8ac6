"""Whether this process can do its work, in plain words that say nothing about the machine: anybody may read them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import cache

from django.conf import settings
from django.core.cache import caches
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from annotation import clock
from annotation.db import full_disk
from annotation.triggers import append_only
from tasks.background import long_jobs

ROOM = 1024 * 1024
"""Bytes that must fit on the disk of the data folder."""
AWAY = (OperationalError, InterfaceError)


def why_not_ready() -> list[str]:
    """A sentence for each thing that is missing; none if all is well."""
    return [*_disk(), *_database(), *_redis()]


def _disk() -> Iterator[str]:
    try:
        for folder in {settings.GOLDFINCH_DATA, settings.GOLDFINCH_STORAGE or settings.GOLDFINCH_DATA}:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(ROOM))
                file.flush()
    except OSError as error:
        yield _("The disk is full.") if full_disk.is_full(error) else _("The data folder can’t be written.")


def _database() -> Iterator[str]:
    try:
        missing = bool(_migrations() - MigrationRecorder(connection).applied_migrations().keys())
        # Of an older database, tables may be missing.
        problems = [_("The database is older than the code: run `manage.py migrate`.")] if missing else _in_tables()
        yield from problems
    except AWAY:
        yield _("The database does not answer.")


def _in_tables() -> Iterator[str]:
    try:
        append_only.verify()
    except append_only.Immutable:
        yield _("A trigger that keeps the record append-only is missing: run `manage.py migrate`.")
    last = long_jobs.last_beat()
    if last is None:
        yield _("No background job has run yet.")
    elif clock.now() - last > long_jobs.LONGEST_SILENCE:
        minutes = long_jobs.LONGEST_SILENCE.total_seconds() / 60
        yield _("No background job has run for more than %(minutes)d minutes.") % {"minutes": minutes}


@cache
def _migrations() -> set[tuple[str, str]]:
    """The migrations that the code of this process needs, by app and name."""
    return set(MigrationLoader(None).graph.nodes)


def _redis() -> Iterator[str]:
    if not settings.EMBEDDED:
        try:
            caches["default"].get("ready")
        except RedisError:
            yield _("Redis does not answer.")
