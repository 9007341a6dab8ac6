"""The record can't be changed: not through the models, and not with SQL after any migration."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import IntegrityError, connection, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation import clock
from annotation.engine import recording
from annotation.models import Adjudication, Annotation
from annotation.triggers import append_only
from qualification.models import Grant
from tasks.background import long_jobs
from tests.builders import Worker, open_with, questions
from tests.people import NOON

pytestmark = pytest.mark.on_both_databases

REFUSED = "the record refuses this"
KEPT = [apps.get_model(label) for label in (*append_only.append_only(), *append_only.WRITE_ONCE)]


@pytest.fixture
def fresh_database(transactional_db: None, tmp_path):
    """An empty database in place of the default one."""
    aside, name = connections["default"], f"fresh_{uuid.uuid4().hex}"
    made = connections.create_connection("default")
    place = tmp_path / name if aside.vendor == "sqlite" else name
    made.settings_dict = made.settings_dict | {"NAME": place}
    if aside.vendor == "postgresql":
        with aside._nodb_cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{name}"')
    connections["default"] = made
    yield made
    made.close()
    connections["default"] = aside
    if aside.vendor == "postgresql":
        with aside._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}"')


def some(field: models.Field) -> Any:
    """A value that the column accepts."""
    if isinstance(field, models.UUIDField):
        return uuid.uuid4().hex if connection.vendor == "sqlite" else uuid.uuid4()
    kinds = {models.DateTimeField: NOON, models.DateField: NOON.date(), models.JSONField: "{}"}
    kinds |= {models.CharField: "x", models.TextField: "x", models.BooleanField: True, models.BinaryField: b"x"}
    return next((value for kind, value in kinds.items() if isinstance(field, kind)), 7)


def insert(cursor, model: type[models.Model]) -> None:
    """Insert a row with the required columns that exist so far; foreign keys may dangle until the commit."""
    there = {found.name for found in connection.introspection.get_table_description(cursor, model._meta.db_table)}
    fields = [f for f in model._meta.concrete_fields if not f.null and f.column in there]
    values = ["" if field.blank and field.empty_strings_allowed else some(field) for field in fields]
    columns, places = ", ".join(f.column for f in fields), ", ".join(["%s"] * len(fields))
    cursor.execute(f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({places})", values)


def is_refused(cursor, statement: str, *values: Any) -> bool:
    """Whether one of our triggers refuses the statement."""
    try:
        with transaction.atomic():
            cursor.execute(statement, values)
    except IntegrityError as error:
        return REFUSED in str(error)
    return False


def what_can_be_changed(model: type[models.Model]) -> list[str]:
    """Statements on a row of the model that the database wrongly executes."""
    table, vendor = model._meta.db_table, connection.vendor
    # Setting a fixed column of a write-once row to itself changes nothing.
    key = model._meta.pk.column
    changes = {Annotation: "opened_at = NULL", Adjudication: "reason = 'another'", Grant: "reason = 'another'"}
    change = changes.get(model, f"{key} = {key}")
    with transaction.atomic(), connection.cursor() as cursor:
        insert(cursor, model)
        statements = [f"UPDATE {table} SET {change}", f"DELETE FROM {table}"]
        done = [statement for statement in statements if not is_refused(cursor, statement)]
        transaction.set_rollback(True)
    with connection.cursor() as cursor:
        truncate = f"TRUNCATE {table} CASCADE"
        return done + ([truncate] if vendor == "postgresql" and not is_refused(cursor, truncate) else [])


def test_no_kept_row_can_be_changed_deleted_or_truncated(db):
    assert {model: what_can_be_changed(model) for model in KEPT} == {model: [] for model in KEPT}


@pytest.mark.in_test_all(
    shown_by="tests/annotation/triggers/test_append_only.py::test_no_kept_row_can_be_changed_deleted_or_truncated"
)
def test_after_every_migration_no_kept_row_can_be_changed_deleted_or_truncated(fresh_database):
    executor = MigrationExecutor(fresh_database)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    seen = set()
    for migration, _ in plan:
        call_command("migrate", migration.app_label, migration.name, verbosity=0)
        tables = set(fresh_database.introspection.table_names())
        for model in KEPT:
            if model._meta.db_table in tables:
                assert what_can_be_changed(model) == [], f"after {migration}"
                seen.add(model)
    assert seen == set(KEPT)


def test_the_control_a_table_without_triggers_can_be_changed(db):
    append_only.drop_triggers(connection)
    assert all(what_can_be_changed(model) for model in KEPT)


@pytest.fixture
def annotation(nq, alice, tmp_path) -> Annotation:
    open_with(nq, tmp_path, questions(1))
    return Worker(alice, nq).finish_bad().annotation


def test_the_completion_of_an_annotation_is_written_once(annotation):
    with connection.cursor() as cursor:
        for value in (NOON + timedelta(hours=1), None):
            assert is_refused(cursor, "UPDATE annotation_annotation SET completed_at = %s", value)


def test_no_other_column_of_an_annotation_changes(annotation):
    free = {"completed_at", "excluded_at", "exclusion_reason"}
    fixed = [field for field in Annotation._meta.concrete_fields if field.name not in free]
    with connection.cursor() as cursor:
        for field in fixed:
            statement = f"UPDATE annotation_annotation SET {field.column} = %s"
            other = NOON + timedelta(days=1) if isinstance(field, models.DateTimeField) else some(field)
            assert is_refused(cursor, statement, 7_000 if other == 7 else other), field.name


def test_an_annotation_is_excluded_and_restored(annotation, lena):
    recording.exclude(annotation, by=lena, reason="spam", now=NOON)
    assert Annotation.objects.get().exclusion_reason == "spam"
    recording.restore(annotation, by=lena, reason="was none", now=NOON)
    assert Annotation.objects.get().excluded_at is None


@pytest.mark.parametrize("label", append_only.append_only())
def test_the_models_refuse_before_the_database_does(label):
    model = apps.get_model(label)
    row = model(pk=1)
    row._state.adding = False
    attempts = (
        row.save,
        row.delete,
        model.objects.all().delete,
        lambda: model.objects.update(pk=2),
        lambda: model.objects.bulk_update([row], ["pk"]),
        lambda: model.objects.update_or_create(pk=1),
    )
    for attempt in attempts:
        with pytest.raises(append_only.Immutable):
            attempt()


def test_creating_the_triggers_again_executes_nothing_that_locks(db):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        append_only.install_triggers(connection)
    assert [query["sql"] for query in queries if not query["sql"].lstrip().startswith("SELECT")] == []


def test_a_trigger_of_an_older_definition_is_replaced(db):
    name, (table, _) = next(iter(append_only.triggers(connection.vendor).items()))
    with connection.cursor() as cursor:
        append_only._drop(cursor, connection.vendor, name, table)
        for statement in append_only._statements(connection.vendor, "old", table, "", "DELETE", "gf_of_yesterday"):
            cursor.execute(statement)
    append_only.install_triggers(connection)
    assert append_only.existing_triggers(connection).keys() == append_only.triggers(connection.vendor).keys()


def test_the_health_check_fails_while_any_trigger_is_missing(db, client):
    long_jobs.beat(now=clock.now())
    assert client.get(reverse("health")).status_code == 200
    for number, (name, table) in enumerate(append_only.existing_triggers(connection).items()):
        with transaction.atomic():
            with connection.cursor() as cursor:
                append_only._drop(cursor, connection.vendor, name, table)
            with pytest.raises(append_only.Immutable, match=name):
                append_only.verify()
            if number == 0:  # the page verifies the same
                assert client.get(reverse("health")).status_code == 503
            transaction.set_rollback(True)
