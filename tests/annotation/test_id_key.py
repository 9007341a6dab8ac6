"""A database whose ids were made with another key is not opened, and says what to restore."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from annotation import pseudonyms
from annotation.models import IdKey
from tests.factories.corpus import IdKeyFactory
from tests.forking import ForkedSite

KEY = "an id key for tests only"


@pytest.fixture(autouse=True)
def unseen(monkeypatch):
    monkeypatch.setattr(pseudonyms, "_seen", {})


@pytest.fixture
def site(tmp_path, fork_server_of_all):
    made = ForkedSite(tmp_path, GOLDFINCH_ID_KEY=KEY, SECRET_KEY="a key for tests only")
    made.forked_by = fork_server_of_all
    made.prepare()
    with closing(sqlite3.connect(tmp_path / "goldfinch.sqlite3")) as opened, opened:
        opened.execute("INSERT INTO annotation_idkey (fingerprint) VALUES (?)", [pseudonyms.fingerprint(KEY)])
    yield made
    made.close()


def test_after_migrate_the_key_of_the_site_is_kept_as_a_fingerprint(db, settings):
    IdKey.objects.all().delete()
    settings.GOLDFINCH_ID_KEY = "ours"
    pseudonyms.keep_after_migrate()
    settings.GOLDFINCH_ID_KEY = "another"
    pseudonyms.keep_after_migrate()
    assert IdKey.objects.get().fingerprint == pseudonyms.fingerprint("ours")
    assert "ours" not in pseudonyms.fingerprint("ours")


def test_the_fingerprint_of_an_earlier_version_is_taken_over(db, settings):
    IdKey.objects.all().delete()
    earlier = settings.GOLDFINCH_DATA / pseudonyms.EARLIER
    earlier.parent.mkdir()
    earlier.write_text(f"{pseudonyms.fingerprint('ours')}\n")
    pseudonyms.keep_after_migrate()
    assert IdKey.objects.get().fingerprint == pseudonyms.fingerprint("ours")


def test_a_database_of_another_key_is_refused_each_time_and_asked_once(db, settings, django_assert_num_queries):
    IdKey.objects.all().delete()
    IdKeyFactory()
    settings.GOLDFINCH_ID_KEY = "another"
    with django_assert_num_queries(1):
        for _again in range(2):
            with pytest.raises(ImproperlyConfigured, match="is not the key that the ids of this site were made with"):
                pseudonyms.check(connection)
    settings.GOLDFINCH_ID_KEY = "ours"
    pseudonyms.check(connection)


def test_a_command_and_the_server_with_another_key_are_refused_and_say_what_to_restore(site):
    site.environment["GOLDFINCH_ID_KEY"] = "another"
    for words in (["check", "--database", "default"], ["serve", "--port", "0"]):
        said = site.run(*words)
        assert said.returncode == 1
        assert "Restore it from a backup." in said.stderr
