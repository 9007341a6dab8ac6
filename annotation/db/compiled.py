"""Queries that are built and compiled once, and then only run: for the few that every annotator's loop asks.

Building a queryset of several joins and turning it into SQL takes Django ten times as long as the database needs to
answer it (docs/performance.md). A query is written as ever, with `Param` where a value comes later:

    _OWN = Prepared(lambda: Assignment.objects.filter(uuid=Param("uuid", UUIDField()), annotator=Param("user")))
    rows = _OWN(uuid=uuid, user=user.pk)

Values that change which conditions there are, or how many, are positional: they go to the function that builds, and
each set of them is compiled by itself. So is each connection. New rows are written as ever: a compiled INSERT gave a
twentieth of a loop, compiled updates give a sixth.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import BigIntegerField, Field, QuerySet, Value
from django.db.models.sql import UpdateQuery
from django.db.transaction import TransactionManagementError


class Param(Value):
    """The place in a query of a value that is given when it runs; `output_field` says how it is written."""

    def __init__(self, name: str, output_field: Field | None = None) -> None:
        super().__init__(name, output_field=output_field or BigIntegerField())

    # The stubs are those of Django 6, where parameters are a tuple.
    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        """A mark for the value, which is put in its place when the query runs."""
        return "%s", [self]


class _Ready:
    """The compiled query of one connection."""

    def __init__(self, rows: QuerySet, connection: Any) -> None:
        self.rows, self.connection, self.locks = rows, connection, rows.query.select_for_update
        self.compiler = rows.query.get_compiler(connection=connection)
        self.sql, self.params = self.compiler.as_sql()
        self.compiler.as_sql = self._filled
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
        return list(self.rows._iterable_class(self.rows))  # type: ignore[call-overload]  # no __iter__ in the stubs


class _ReadyUpdate(_Ready):
    """The same of an update."""

    def __init__(self, found: tuple[QuerySet, dict[str, Any]], connection: Any) -> None:
        rows, values = found
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
            return cursor.rowcount


class _Compiled:
    """What is compiled once for each thread, its connection and each shape."""

    ready: type[_Ready] = _Ready

    def __init__(self, build: Callable[..., Any]) -> None:
        self._build = build
        self._of_thread = threading.local()

    def __call__(self, *shape: Hashable, **values: Any) -> Any:
        """Run it with these values; `shape` goes to the function that builds the query."""
        known: dict[Any, _Ready] = self._of_thread.__dict__.setdefault("known", {})
        ready = known.get(shape)
        if ready is None or connections[DEFAULT_DB_ALIAS] is not ready.connection:
            ready = known[shape] = self.ready(self._build(*shape), connections[DEFAULT_DB_ALIAS])
        return ready.run(values)


class Prepared(_Compiled):
    """A queryset with places for values; calling it with them gives its rows, as a list."""

    def first(self, *shape: Hashable, **values: Any) -> Any:
        """The first of the rows, or None; the query itself says how many it gives at most."""
        return next(iter(self(*shape, **values)), None)


class PreparedUpdate(_Compiled):
    """A queryset and the values to set, both with places; calling it with them gives how many rows it changed."""

    ready = _ReadyUpdate
