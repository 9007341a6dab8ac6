"""Whatever was acknowledged is on disk: no connection turns off what a commit needs to survive a power cut."""

from __future__ import annotations

import pytest
from django.db import connection, connections

pytestmark = pytest.mark.django_db

FULL = 2
"""The value of `PRAGMA synchronous`: with NORMAL a WAL loses acknowledged commits in a power cut."""


@pytest.mark.sqlite_only
def test_every_connection_to_sqlite_syncs_each_commit(real_snapshot):
    for each in (connection, real_snapshot, connections.create_connection("default")):
        each.ensure_connection()
        with each.cursor() as cursor:
            found = [cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")]
        assert found == [FULL, "wal"]
        if each is not connection:
            each.close()


@pytest.mark.postgresql_only
def test_no_connection_to_postgresql_weakens_the_durability_of_its_server(real_snapshot):
    for each in (connection, real_snapshot):
        with each.cursor() as cursor:
            cursor.execute("SELECT name, source FROM pg_settings WHERE name IN ('synchronous_commit', 'fsync')")
            found = dict(cursor.fetchall())
        assert len(found) == 2
        assert not {"client", "user", "database", "session"} & set(found.values())
