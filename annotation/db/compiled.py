"""Querysets compiled to SQL once and then only executed, for the few queries of every annotator's loop.

Building a queryset with several joins and compiling it takes Django ten times as long as the database needs to run it
(docs/performance.md). Write the query as usual, with a `Param` for each value that is supplied later:

    _OWN = Prepared(lambda: Assignment.objects.filter(uuid=Param("uuid", UUIDField()), annotator=Param("user")))
    rows = _OWN(uuid=uuid, user=user.pk)

Values that change the shape of the query (which conditions, or how many) are positional: they are passed to the
function that builds it, and the SQL is cached per set of them, thread and connection. There is no compiled INSERT: it
saved a twentieth of a loop, while compiled updates save a sixth.

`field__any_of={...}`: like `in`, but with all values in one parameter, since compiling hundreds of parameters takes
Django longer than fetching the rows (docs/performance.md).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any

import orjson
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import BigIntegerField, Field, ForeignKey, Lookup, QuerySet, UUIDField, Value
from django.db.models.sql import UpdateQuery
from django.db.transaction import TransactionManagementError


class Param(Value):
    """A query parameter whose value is given when the query runs; `output_field` converts it."""

    def __init__(self, name: str, output_field: Field[Any, Any] | None = None) -> None:
        super().__init__(name, output_field=output_field or BigIntegerField())

    # The stubs are those of Django 6, where parameters are a tuple.
    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        """A placeholder; the Param itself marks the position of its value."""
        return "%s", [self]


class _Ready:
    """A compiled SELECT for one connection."""

    def __init__(self, rows: QuerySet[Any], connection: Any) -> None:
        self.rows, self.connection, self.locks = rows, connection, rows.query.select_for_update
        self.compiler = rows.query.get_compiler(connection=connection)
        self.sql, self.params = self.compiler.as_sql()
        self.compiler.as_sql = self._filled
        # The columns stay the same, and so do their converters.
        converters = self.compiler.get_converters([column for column, _sql, _alias in self.compiler.select])
        self.compiler.get_converters = lambda _columns: converters
        # On this one query only.
        rows.query.get_compiler = lambda *_args, **_options: self.compiler  # type: ignore[method-assign]
        self.values: dict[str, Any] = {}

    def _filled(self, *_args: Any, **_options: Any) -> tuple[str, tuple[Any, ...]]:
        return self.sql, tuple(self._value(each) if isinstance(each, Param) else each for each in self.params)

    def _value(self, place: Param) -> Any:
        return place.output_field.get_db_prep_value(self.values[place.value], connection=self.connection)

    def run(self, values: dict[str, Any]) -> list[Any] | int:
        if self.locks and self.connection.get_autocommit():
            raise TransactionManagementError("select_for_update cannot be used outside of a transaction.")
        self.values = values
        rows: Any = self.rows._iterable_class(self.rows)  # no __iter__ in the stubs
        return list(rows)


class _ReadyUpdate(_Ready):
    """A compiled UPDATE for one connection."""

    def __init__(self, compiled: tuple[QuerySet[Any], dict[str, Any]], connection: Any) -> None:
        rows, values = compiled
        query = rows.query.chain(UpdateQuery)
        assert isinstance(query, UpdateQuery)
        query.add_update_values(values)
        self.rows, self.connection = rows, connection
        self.sql, self.params = query.get_compiler(connection=connection).as_sql()
        self.values = {}

    def run(self, values: dict[str, Any]) -> int:
        self.values = values
        with self.connection.cursor() as cursor:
            cursor.execute(*self._filled())
            return int(cursor.rowcount)


class _Compiled:
    """Compiles once per thread, connection and shape."""

    ready: type[_Ready] = _Ready

    def __init__(self, build: Callable[..., Any]) -> None:
        self._build = build
        self._of_thread = threading.local()

    def __call__(self, *shape: Hashable, **values: Any) -> Any:
        """Run it with these values; `shape` is passed to the function that builds the query."""
        known: dict[Any, _Ready] = self._of_thread.__dict__.setdefault("known", {})
        ready = known.get(shape)
        if ready is None or connections[DEFAULT_DB_ALIAS] is not ready.connection:
            ready = known[shape] = self.ready(self._build(*shape), connections[DEFAULT_DB_ALIAS])
        return ready.run(values)


class Prepared(_Compiled):
    """A queryset with Params; calling it with their values returns its rows as a list."""

    def first(self, *shape: Hashable, **values: Any) -> Any:
        """The first row, or None; adds no LIMIT to the query."""
        return next(iter(self(*shape, **values)), None)


class PreparedUpdate(_Compiled):
    """A queryset and the values to set, both with Params; calling it returns the number of rows updated."""

    ready = _ReadyUpdate


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
