"""Append-only tables, belt and braces: models and database triggers both refuse; a test checks the lists of tables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections, models

WRITE_ONCE = {
    "annotation.Annotation": ("completed_at",),
    "annotation.Adjudication": ("taken_back_at",),
    "qualification.Grant": (),
}
"""Rows that are never deleted: these columns may be set once, those in MUTABLE_COLUMNS changed, all others neither."""
MUTABLE_COLUMNS = {
    "annotation.Annotation": ("excluded_at", "exclusion_reason"),
    "annotation.Adjudication": (),
    "qualification.Grant": ("state", "decisions", "decided_at", "decided_by", "decided_why", "undone"),
}
FIXED_ONCE = {
    "annotation.JudgingRound": (
        "state <> 'draft'",
        ("state", "population", "sha256", "sealed_at", "ended_at", "chair", "stopped_why"),
    ),
    "annotation.Rater": ("locked_at IS NOT NULL", ()),
}
"""Rows that are never deleted, and of which only these columns change, once this holds of them."""


Row = TypeVar("Row", bound=models.Model, covariant=True)


class Immutable(Exception):
    """An attempt to change an append-only row."""


class ImmutableQuerySet(models.QuerySet[Row]):
    """Refuses updates and deletes."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Immutable(f"{self.model.__name__} is append-only.")

    update = delete = bulk_update = update_or_create = _refuse


class ImmutableModel(models.Model):
    """A row of an append-only table, in any layer."""

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise Immutable(f"{type(self).__name__} is append-only.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Immutable(f"{type(self).__name__} is append-only.")


def append_only() -> tuple[str, ...]:
    """The labels of the append-only tables."""
    return tuple(model._meta.label for model in apps.get_models() if issubclass(model, ImmutableModel))


def triggers(vendor: str, *, columns: Mapping[str, Container[str]] | None = None) -> dict[str, tuple[str, list[str]]]:
    """Name -> (table, statements) of every trigger that must exist; the name ends with a hash of its definition.

    `columns`: those that the tables have so far, while a later migration adds some.
    """
    from annotation.triggers import outbox, payloads, rounds

    wanted: dict[str, tuple[str, list[str]]] = {}

    def add(label: str, table: str, statements: Callable[[str], list[str]]) -> None:
        name = f"gf_{label}_{hashlib.sha256(''.join(statements('NAME')).encode()).hexdigest()[:10]}"
        wanted[name] = (table, statements(name))

    def want(label: str, table: str, condition: str, event: str) -> None:
        add(label, table, lambda name: _statements(vendor, label, table, condition, event, name))

    for model_label in append_only():
        table = apps.get_model(model_label)._meta.db_table
        for event in ("UPDATE", "DELETE"):
            want(f"{table}_{event.lower()}", table, "", event)
    differs = "IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM"
    for model_label, once in WRITE_ONCE.items():
        table, fixed = _fixed(model_label, {*once, *MUTABLE_COLUMNS[model_label]}, columns)
        condition = " OR ".join(
            [f"OLD.{column} {differs} NEW.{column}" for column in fixed]
            + [f"(OLD.{column} IS NOT NULL AND OLD.{column} {differs} NEW.{column})" for column in once]
        )
        want(f"{table}_update", table, condition, "UPDATE")
        want(f"{table}_delete", table, "", "DELETE")
    for model_label, (fixed_when, changeable) in FIXED_ONCE.items():
        table, fixed = _fixed(model_label, changeable, columns)
        changed = " OR ".join(f"OLD.{column} {differs} NEW.{column}" for column in fixed)
        want(f"{table}_update", table, f"OLD.{fixed_when} AND ({changed})", "UPDATE")
        want(f"{table}_delete", table, f"OLD.{fixed_when}", "DELETE")
    if vendor == "postgresql":
        for model_label in (*append_only(), *WRITE_ONCE):
            table = apps.get_model(model_label)._meta.db_table
            want(f"{table}_truncate", table, "", "TRUNCATE")
    response = apps.get_model("annotation.Response")._meta.db_table
    for label, condition in payloads.conditions(vendor):
        want(f"shape_{label}", response, condition, "INSERT")
    for label, table, condition, event in rounds.conditions():
        want(label, table, condition, event)
    add(outbox.LABEL, outbox.TABLE, lambda name: outbox.outbox_statements(vendor, name))
    return wanted


def _statements(vendor: str, label: str, table: str, condition: str, event: str, name: str) -> list[str]:
    message = f"{label}: the record refuses this"
    if vendor == "sqlite":
        when = f" WHEN {condition}" if condition else ""
        return [
            f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}"{when} BEGIN SELECT RAISE(ABORT, \'{message}\'); END'
        ]
    level = "STATEMENT" if event == "TRUNCATE" else "ROW"
    when = f" WHEN ({condition})" if condition and event != "INSERT" else ""
    refuse = f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation';"
    body = f"IF {condition} THEN {refuse} END IF; RETURN NEW;" if condition and event == "INSERT" else refuse
    return [
        f'CREATE OR REPLACE FUNCTION "{name}"() RETURNS trigger LANGUAGE plpgsql AS $gf$ BEGIN {body} END $gf$',
        f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" FOR EACH {level}{when} EXECUTE FUNCTION "{name}"()',
    ]


def _fixed(
    label: str, changeable: Container[str], columns: Mapping[str, Container[str]] | None
) -> tuple[str, list[str]]:
    """The table of a model, and those of the columns that it has so far that may not change."""
    options = apps.get_model(label)._meta
    there = columns.get(options.db_table) if columns else None
    fields = [field for field in options.concrete_fields if there is None or field.column in there]
    return options.db_table, [field.column for field in fields if field.name not in changeable]


def _columns(connection: Any, tables: Container[str]) -> dict[str, set[str]]:
    """The columns that the tables have of which only some may change."""
    found = {}
    with connection.cursor() as cursor:
        for label in (*WRITE_ONCE, *FIXED_ONCE):
            table = apps.get_model(label)._meta.db_table
            if table in tables:
                description = connection.introspection.get_table_description(cursor, table)
                found[table] = {column.name for column in description}
    return found


def existing_triggers(connection: Any) -> dict[str, str]:
    """Name -> table of our triggers that exist in the database."""
    if connection.vendor == "sqlite":
        query = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'gf\\_%%' ESCAPE '\\'"
    else:
        query = (
            "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE NOT t.tgisinternal AND t.tgname LIKE 'gf\\_%%' AND n.nspname = current_schema()"
        )
    with connection.cursor() as cursor:
        cursor.execute(query.replace("%%", "%"))
        return dict(cursor.fetchall())


def install_triggers(connection: Any) -> None:
    """Create missing triggers and drop obsolete ones; without a difference nothing is touched or locked.

    Tables that a later migration creates get theirs after it.
    """
    tables = set(connection.introspection.table_names())
    wanted, have = triggers(connection.vendor), existing_triggers(connection)
    if wanted.keys() == have.keys():
        return
    wanted = triggers(connection.vendor, columns=_columns(connection, tables))
    wanted = {name: one for name, one in wanted.items() if tables.issuperset(_tables_of(*one))}
    with connection.cursor() as cursor:
        for name, table in have.items():
            if name not in wanted:
                _drop(cursor, connection.vendor, name, table)
        for name, (_, statements) in wanted.items():
            if name not in have:
                for statement in statements:
                    cursor.execute(statement)


def _tables_of(table: str, statements: list[str]) -> set[str]:
    """The table of a trigger, and those that it reads or writes."""
    return {table, *re.findall(r"\b(?:FROM|JOIN|INTO) ((?:annotation|qualification|tasks)_\w+)", " ".join(statements))}


def drop_triggers(connection: Any) -> None:
    """Drop all our triggers: only for flushing test databases."""
    with connection.cursor() as cursor:
        for name, table in existing_triggers(connection).items():
            _drop(cursor, connection.vendor, name, table)


@contextmanager
def without_triggers(model: type[models.Model], connection: Any) -> Iterator[None]:
    """Have the triggers of one table stand aside within a transaction: only for erasure."""
    table = model._meta.db_table
    connection.check_constraints()  # PostgreSQL drops no trigger of a table with checks that are still to come
    with connection.cursor() as cursor:
        for name, of_table in existing_triggers(connection).items():
            if of_table == table:
                _drop(cursor, connection.vendor, name, table)
    yield
    connection.check_constraints()
    install_triggers(connection)


def verify(alias: str = DEFAULT_DB_ALIAS) -> None:
    """Raise Immutable if a trigger is missing."""
    connection = connections[alias]
    missing = set(triggers(connection.vendor)) - set(existing_triggers(connection))
    if missing:
        raise Immutable(
            f"Append-only triggers are missing ({', '.join(sorted(missing)[:3])}): run `manage.py migrate`."
        )


def step_aside_before_migrate(*, using: str, app_config: Any, plan: Any, **kwargs: Any) -> None:
    """Signal receiver: on SQLite no table can be made anew while a trigger of another table reads it."""
    if app_config.name == "annotation" and using == DEFAULT_DB_ALIAS and plan and connections[using].vendor == "sqlite":
        wanted, have = triggers("sqlite"), existing_triggers(connections[using])
        with connections[using].cursor() as cursor:
            for name, table in have.items():
                if name not in wanted or _tables_of(*wanted[name]) != {table}:
                    _drop(cursor, "sqlite", name, table)


def install_after_migrate(*, using: str, app_config: Any, **kwargs: Any) -> None:
    """Signal receiver: install the triggers once the tables and the protocols' schemas are known."""
    if app_config.name == "annotation" and using == DEFAULT_DB_ALIAS:
        connection = connections[using]
        if apps.get_model("annotation.Response")._meta.db_table in connection.introspection.table_names():
            install_triggers(connection)


def _drop(cursor: Any, vendor: str, name: str, table: str) -> None:
    if vendor == "sqlite":
        cursor.execute(f'DROP TRIGGER "{name}"')
    else:
        cursor.execute(f'DROP FUNCTION "{name}"() CASCADE')
