"""Refresh PostgreSQL's planner statistics (ANALYZE) after a bulk insert."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model


def analyze(*models: type[Model]) -> None:
    """ANALYZE these tables now: autovacuum would take a minute or so, with bad query plans until then.

    A no-op on SQLite, which plans by its indexes alone.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)
        cursor.execute(f"ANALYZE {tables}")
