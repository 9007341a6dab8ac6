"""What all factories share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from factory.django import DjangoModelFactory

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""The time of anything whose time does not matter."""
BATCH = 2000
"""Rows of one statement."""


class RowFactory(DjangoModelFactory):
    """A factory whose rows can be written past the services as well."""

    class Meta:
        abstract = True

    @classmethod
    def insert(cls, **columns: Any) -> Any:
        """Write the row as it is."""
        row = cls.build(**columns)
        row.save(force_insert=True)
        return row

    @classmethod
    def insert_many(cls, rows: Iterable[Mapping[str, Any]], **options: Any) -> list[Any]:
        """Write rows with these columns as they are, in few statements; `options` are bulk_create's."""
        made = [cls.build(**columns) for columns in rows]
        return cls._meta.model.objects.bulk_create(made, **{"batch_size": BATCH} | options)
