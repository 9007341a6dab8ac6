"""What the database believes of its tables, after many rows have come at once."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model


def analyze(*models: type[Model]) -> None:
    """Let PostgreSQL count these tables again now; by itself it would within a minute or so, and plan badly till then.

    SQLite's plans rest on its indexes alone.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)
        cursor.execute(f"ANALYZE {tables}")
