"""Bots rehearse every protocol on a copy; nothing of it is left, and nothing that was sent is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connections

from annotation import clock, registry
from annotation.models import Event, Job, JobLease, User
from frontend.bots.bot import Bot
from frontend.management.commands import rehearse
from frontend.rehearsal import job as rehearsal
from frontend.rehearsal import played
from tasks.background import long_jobs
from tasks.engine import queues
from tests.builders import load, project, questions, write_lines
from tests.factories.people import UserFactory
from tests.factories.qualification import QualificationFactory
from tests.protocols.examples import Example

ITEMS = {"coqa": 1}
"""Bots need ten seconds for a conversation."""
RATES = {"wrong": 0.2, "late": 0.05, "abandoned": 0.05, "returned": 0.05}


def rehearsed(of, *, items=3, rates=RATES):
    """The job of a rehearsal, done in this process but for the bots."""
    by = UserFactory(username="lena-rehearses")
    asked = {"items": items, "rates": rates}
    row = long_jobs.ask(of, rehearsal.KIND, subject="3", asked=asked, by=by, now=clock.now())
    long_jobs.run(row.pk)
    row.refresh_from_db()
    return row


def refuses(bot, url, fields):
    raise AssertionError("the page answered 409")


def rows():
    """How many rows every table of the site has, but those that every job leaves."""
    return {model: model.objects.count() for model in apps.get_models() if model not in (Event, Job, JobLease, User)}


def test_all_that_bots_send_is_kept_and_the_project_is_as_it_was(db):
    all_is_kept("squad")


# The copy is on SQLite whatever the site uses; reading a project from PostgreSQL is the same for every protocol.
@pytest.mark.sqlite_only
@pytest.mark.in_test_all(
    shown_by="tests/frontend/rehearsal/test_playing.py::test_all_that_bots_send_is_kept_and_the_project_is_as_it_was"
)
@pytest.mark.parametrize("protocol", ["nq", "qasper", "coqa"])
def test_the_other_protocols_can_be_rehearsed_alike(db, protocol):
    all_is_kept(protocol)


def all_is_kept(protocol):
    """Rehearse a protocol's example; nothing that bots sent is lost, and nothing of them is left."""
    made, example = project(f"rehearsed-{protocol}", protocol), Example(registry.get(protocol))
    load(made, example.path("items.jsonl"))
    for activity in example.protocol.activities:
        queues.open_queue(made, activity.key, by=None, now=clock.now())
    # Bots need no qualification in the copy.
    QualificationFactory(project=made, needed_for=[example.protocol.activities[0].key])
    before = rows()
    row = rehearsed(made, items=ITEMS.get(protocol, 2))
    assert (row.state, row.error) == (Job.State.DONE, "")
    found = row.report["result"]
    assert found["refused"] == ""
    assert found["sent"] >= found["courses"]["in_time"] > 0
    assert found["lost"] == 0
    assert found["taken"] == sum(found["courses"].values()) > 0
    assert sum(one["done"] for one in found["activities"]) > 0
    assert {one["why"] for one in found["formats"]} == {""}
    assert rows() == before
    assert not list((Path(settings.GOLDFINCH_DATA) / "rehearsals").iterdir())


def test_an_empty_project_is_refused_with_a_sentence(db):
    row = rehearsed(project("nothing-yet"))
    assert (row.state, row.error) == ("failed", "The project has no items that it could be rehearsed with.")


def test_the_play_says_how_far_it_is_and_what_was_finished_and_written(db, tmp_path):
    made, said = project("rehearsed-here"), []
    load(made, write_lines(tmp_path / "lights.jsonl", questions(2)))
    found = played.play(made, {"rates": RATES}, progress=lambda done, total: said.append((done, total)))
    assert said[0] == (1, 2)
    assert found["activities"] == [{"activity": "annotate", "wants": 1, "done": 2, "disputed": 0, "open": 0}]
    assert (found["lost"], found["people"]) == (0, 3)
    assert [(one["why"], one["items"]) for one in found["formats"]] == [("", 2)] * len(found["formats"])


def test_a_page_that_refuses_an_answer_ends_the_play_and_is_named(db, tmp_path, monkeypatch):
    made = project("rehearsed-refused")
    load(made, write_lines(tmp_path / "lights.jsonl", questions(1)))
    monkeypatch.setattr(Bot, "post", refuses)
    found = played.play(made, {"rates": RATES}, progress=lambda done, total: None)
    assert found["refused"] == "the page answered 409"
    assert found["activities"][0]["open"] == 1


@pytest.fixture
def new_and_migrated(db, tmp_path, settings):
    """An empty database in the place of the default one, and that."""
    settings.MIGRATION_MODULES = {}  # what the command sets in its own process is undone here
    aside = connections["default"]
    made = connections.create_connection("default")
    made.settings_dict = made.settings_dict | {"NAME": tmp_path / "new.sqlite3"}
    connections["default"] = made
    yield made, aside
    made.close()
    connections["default"] = aside


TABLES = "sqlite_master m, pragma_{}(m.name) x WHERE m.type = 'table' AND m.name <> 'django_migrations'"
SCHEMA = {
    "columns": f'SELECT m.name, x.name, x.type, x."notnull", x.pk FROM {TABLES.format("table_info")}',
    "references": f'SELECT m.name, x."from", x."table", x."to" FROM {TABLES.format("foreign_key_list")}',
    "indexes and triggers": "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql <> ''",
}


def schema(connection):
    """All that the tables of a database have, in no order: of what holds for their columns, the names and numbers."""
    with connection.cursor() as cursor:
        found = {what: sorted(cursor.execute(query).fetchall()) for what, query in SCHEMA.items()}
        tables = cursor.execute("SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'").fetchall()
    rules = {name: (sorted(re.findall(r'CONSTRAINT "(\w+)"', sql)), sql.count("CHECK")) for name, sql in tables}
    return found | {"rules": {name: rule for name, rule in rules.items() if name != "django_migrations"}}


@pytest.mark.sqlite_only
def test_the_copy_has_the_tables_and_triggers_of_a_migrated_site(new_and_migrated):
    new, migrated = new_and_migrated
    rehearse.make_tables()
    assert schema(new) == schema(migrated)


def test_only_a_new_copy_is_played_on(db, settings, tmp_path):
    settings.GOLDFINCH_DATA = tmp_path
    with pytest.raises(CommandError, match="is not a new copy of a project"):
        call_command("rehearse", "{}")


def test_there_are_enough_bots_for_what_is_only_asked_during_the_play(db, monkeypatch):
    made = project("rehearsed-wide", "qasper", activities={"answer": {"overlap": {"train": 6}}})
    load(made, registry.get("qasper").demo.items)
    monkeypatch.setattr(played, "LONGEST", 0)
    found = played.play(made, {"rates": RATES}, progress=lambda done, total: None)
    assert found["people"] == 2 * (6 + played.SPARE)
