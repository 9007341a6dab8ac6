"""What a transactional test writes is gone after it, append-only rows too, and the triggers are as before."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.test import TransactionTestCase

from annotation.triggers import append_only
from tests.builders import Worker, open_with, project, questions
from tests.databases import emptying
from tests.people import join

pytestmark = pytest.mark.django_db(transaction=True)


def rows() -> dict[str, list[Model]]:
    """The rows of each table that has some."""
    models = apps.get_models(include_auto_created=True)
    found = {model._meta.db_table: list(model._base_manager.order_by("pk")) for model in models if model._meta.managed}
    return {table: there for table, there in found.items() if there}


@pytest.fixture
def at_first(transactional_db):
    """The rows that there are without a test."""
    return {table: rows()[table] for table in emptying.KEPT}


@pytest.fixture
def answered(at_first, tmp_path):
    made = project()
    open_with(made, tmp_path, questions(2))
    Worker(join(made, "alice"), made).finish_bad()
    assert {"annotation_event", "annotation_response", "tasks_assignment"} <= rows().keys()


def test_all_rows_but_those_from_before_are_gone(answered, at_first):
    emptying.undo(TransactionTestCase())
    assert rows() == at_first
    append_only.verify()


def test_triggers_that_a_test_has_dropped_are_back(answered):
    append_only.drop_triggers(connection)
    emptying.undo(TransactionTestCase())
    append_only.verify()
    assert rows().keys() <= {*emptying.KEPT, "annotation_idkey"}
    emptying.undo(TransactionTestCase())
    append_only.verify()


@pytest.mark.postgresql_only
def test_large_tables_are_truncated(answered, at_first, monkeypatch):
    monkeypatch.setattr(emptying, "PAGES", 0)
    emptying.undo(TransactionTestCase())
    assert rows() == at_first
    append_only.verify()


@pytest.mark.postgresql_only
def test_a_role_that_may_not_still_has_all_rows_flushed(answered, monkeypatch):
    monkeypatch.setattr(emptying, "_delete", lambda connection: False)
    emptying.undo(TransactionTestCase())
    assert rows().keys() == {*emptying.KEPT, "annotation_idkey"}
    append_only.verify()
