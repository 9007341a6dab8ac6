"""`field__any_of={...}`: like `in`, but with all values in one parameter, since compiling hundreds of parameters takes
Django longer than fetching the rows (docs/performance.md)."""

from __future__ import annotations

from typing import Any

import orjson
from django.db.models import Field, ForeignKey, Lookup, UUIDField


@ForeignKey.register_lookup
@Field.register_lookup
class AnyOf(Lookup):
    """For columns of numbers, texts and UUIDs. Takes a set; Django does not validate its values."""

    lookup_name = "any_of"
    prepare_rhs = False

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        """One JSON list; UUIDs are stored as 32 hex digits."""
        column, params = self.process_lhs(compiler, connection)
        values = [value.replace("-", "") for value in self.rhs] if self._of_uuids() else list(self.rhs)
        sql = f"{column} IN (SELECT value FROM json_each(%s))"  # noqa: S608 (a column, and a place for a parameter)
        return sql, [*params, orjson.dumps(values).decode()]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        """One array."""
        column, params = self.process_lhs(compiler, connection)
        kind = self.lhs.output_field.rel_db_type(connection) or self.lhs.output_field.db_type(connection)
        return f"{column} = ANY(%s::{kind}[])", [*params, list(self.rhs)]

    def _of_uuids(self) -> bool:
        return isinstance(self.lhs.output_field, UUIDField)
