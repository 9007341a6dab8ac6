"""Append-only in three belts: models that refuse, database triggers that refuse, and the lists that a test checks."""

from __future__ import annotations

import hashlib
from typing import Any, NoReturn

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections, models

APPEND_ONLY = (
    "annotation.Response", "annotation.Event", "annotation.Consent", "annotation.GuidelineVersion",
    "annotation.Document", "annotation.ItemDocument", "annotation.TimeSpan", "annotation.TimeAmendment",
)  # fmt: skip
WRITE_ONCE = {"annotation.Annotation": ("completed_at",)}
"""Rows that are never deleted: columns outside MUTABLE_COLUMNS are fixed, those named here may be set once."""
MUTABLE_COLUMNS = {"annotation.Annotation": ("excluded_at", "exclusion_reason")}


class Immutable(Exception):
    """Someone tried to change the record."""


class ImmutableQuerySet(models.QuerySet):
    """Refuses what would change or delete rows."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Immutable(f"{self.model.__name__} is append-only.")

    update = delete = bulk_update = update_or_create = _refuse


class ImmutableModel(models.Model):
    """A row that is written once."""

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise Immutable(f"{type(self).__name__} is append-only.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Immutable(f"{type(self).__name__} is append-only.")


def triggers(vendor: str) -> dict[str, tuple[str, list[str]]]:
    """Name -> (table, statements) of every trigger that must stand; the name ends with a hash of its definition."""
    from annotation import payload_triggers

    wanted: dict[str, tuple[str, list[str]]] = {}

    def want(label: str, table: str, condition: str, event: str) -> None:
        body = _statements(vendor, label, table, condition, event, "NAME")
        name = f"gf_{label}_{hashlib.sha256(''.join(body).encode()).hexdigest()[:10]}"
        wanted[name] = (table, _statements(vendor, label, table, condition, event, name))

    for model_label in APPEND_ONLY:
        table = apps.get_model(model_label)._meta.db_table
        for event in ("UPDATE", "DELETE"):
            want(f"{table}_{event.lower()}", table, "", event)
    for model_label, once in WRITE_ONCE.items():
        model = apps.get_model(model_label)
        table = model._meta.db_table
        free = set(once) | set(MUTABLE_COLUMNS[model_label])
        differs = "IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM"
        fixed = [f.column for f in model._meta.concrete_fields if f.name not in free]
        condition = " OR ".join(
            [f"OLD.{column} {differs} NEW.{column}" for column in fixed]
            + [f"(OLD.{column} IS NOT NULL AND OLD.{column} {differs} NEW.{column})" for column in once]
        )
        want(f"{table}_update", table, condition, "UPDATE")
        want(f"{table}_delete", table, "", "DELETE")
    if vendor == "postgresql":
        for model_label in (*APPEND_ONLY, *WRITE_ONCE):
            table = apps.get_model(model_label)._meta.db_table
            want(f"{table}_truncate", table, "", "TRUNCATE")
    response = apps.get_model("annotation.Response")._meta.db_table
    for label, condition in payload_triggers.conditions(vendor):
        want(f"shape_{label}", response, condition, "INSERT")
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


def standing(connection: Any) -> dict[str, str]:
    """Name -> table of the triggers of ours that the database has now."""
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


def arm(connection: Any) -> None:
    """Make the database hold exactly the wanted triggers; where it does already, nothing is touched or locked.

    A table that a later migration makes gets its own then.
    """
    tables = set(connection.introspection.table_names())
    wanted, have = triggers(connection.vendor), standing(connection)
    wanted = {name: (table, statements) for name, (table, statements) in wanted.items() if table in tables}
    with connection.cursor() as cursor:
        for name, table in have.items():
            if name not in wanted:
                _drop(cursor, connection.vendor, name, table)
        for name, (_, statements) in wanted.items():
            if name not in have:
                for statement in statements:
                    cursor.execute(statement)


def disarm(connection: Any) -> None:
    """Drop all triggers of ours: only for the flush of tests and for erasure."""
    with connection.cursor() as cursor:
        for name, table in standing(connection).items():
            _drop(cursor, connection.vendor, name, table)


def verify(alias: str = DEFAULT_DB_ALIAS) -> None:
    """Refuse to go on when a trigger is missing."""
    connection = connections[alias]
    missing = set(triggers(connection.vendor)) - set(standing(connection))
    if missing:
        raise Immutable(
            f"Append-only triggers are missing ({', '.join(sorted(missing)[:3])}): run `manage.py migrate`."
        )


def arm_after_migrate(*, using: str, app_config: Any, **kwargs: Any) -> None:
    """Signal receiver: arm once the record's tables and the protocols' shapes are known."""
    if app_config.name == "annotation" and using == DEFAULT_DB_ALIAS:
        connection = connections[using]
        if apps.get_model("annotation.Response")._meta.db_table in connection.introspection.table_names():
            arm(connection)


def _drop(cursor: Any, vendor: str, name: str, table: str) -> None:
    if vendor == "sqlite":
        cursor.execute(f'DROP TRIGGER "{name}"')
    else:
        cursor.execute(f'DROP FUNCTION "{name}"() CASCADE')
