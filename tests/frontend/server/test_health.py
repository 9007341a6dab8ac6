"""One health check says whether the server can work and, if not, why; the other only that it answers."""

from __future__ import annotations

import errno
import io
import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import caches
from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.urls import reverse
from redis.exceptions import ConnectionError as RedisAway

from annotation import clock
from frontend.celery import app
from frontend.server import readiness
from frontend.server.background import Schedule
from tasks import jobs
from tasks.background import long_jobs
from tests.people import NOON


@pytest.fixture
def now(monkeypatch, db):
    """It is noon, and a background job has just run."""
    monkeypatch.setattr(clock, "now", lambda: NOON)
    jobs.beat_heart()
    return NOON


@pytest.fixture
def ready(client):
    """Return a function: the status of the readiness check, and its reasons."""

    def asked():
        answer = client.get(reverse("health"))
        assert answer.get("Retry-After", "") == ("5" if answer.status_code == 503 else "")
        assert "no-store" in answer["Cache-Control"]
        return answer.status_code, answer.json().get("reasons", [])

    return asked


def test_all_is_well(now, ready):
    assert ready() == (200, [])


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (timedelta(0), (200, [])),
        (timedelta(microseconds=1), (503, ["No background job has run for more than 5 minutes."])),
    ],
)
def test_the_last_job_may_be_five_minutes_ago_and_no_more(now, ready, more, expected):
    long_jobs.beat(now=now - long_jobs.LONGEST_SILENCE - more)
    assert ready() == expected
    jobs.beat_heart()
    assert ready() == (200, [])


def test_without_any_job_it_is_not_ready(db, ready):
    assert ready() == (503, ["No background job has run yet."])


def test_the_schedule_has_that_job_often_enough_and_at_once():
    [entry] = [one for one in app.conf.beat_schedule.values() if one["task"] == jobs.beat_heart.name]
    assert timedelta(seconds=entry["schedule"]) * 4 < long_jobs.LONGEST_SILENCE
    assert Schedule(app=app, lazy=True).Entry(**entry, app=app).is_due().is_due


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_on_a_full_disk_it_is_not_ready(now, ready, monkeypatch, number):
    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr("tempfile.TemporaryFile", lambda dir: Full())
    assert ready() == (503, ["The disk is full."])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_what_does_not_reach_the_disk_is_noticed(now, ready, monkeypatch):
    kept_back = io.BufferedWriter(io.FileIO("/dev/full", "w"), buffer_size=2 * readiness.ROOM)
    monkeypatch.setattr("tempfile.TemporaryFile", lambda dir: kept_back)
    assert ready() == (503, ["The disk is full."])


def test_without_its_folder_it_is_not_ready_and_names_no_path(now, ready, settings, tmp_path):
    settings.GOLDFINCH_DATA = tmp_path / "gone"
    assert ready() == (503, ["The data folder can’t be written."])


def test_nothing_is_left_in_the_data_folder(now, ready, settings, tmp_path):
    settings.GOLDFINCH_DATA = tmp_path
    assert ready() == (200, [])
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_lacks_a_migration_is_not_ready(now, ready):
    recorder = MigrationRecorder(connection)
    [newest] = MigrationLoader(connection).graph.leaf_nodes("tasks")
    recorder.record_unapplied(*newest)
    assert ready() == (503, ["The database is older than the code: run `manage.py migrate`."])
    recorder.record_applied(*newest)
    assert ready() == (200, [])


@pytest.fixture
def away(monkeypatch):
    """The database has gone, with an error that names its host."""

    def gone(*args, **kwargs):
        raise OperationalError('connection to server at "db.internal" failed')

    monkeypatch.setattr(CursorWrapper, "execute", gone)


def test_without_a_database_it_is_not_ready_and_says_no_more(now, away, ready):
    assert ready() == (503, ["The database does not answer."])


def test_without_redis_it_is_not_ready_where_there_should_be_one(now, ready, settings, monkeypatch):
    def gone(*args, **kwargs):
        raise RedisAway("Error 111 connecting to cache.internal:6379")

    monkeypatch.setattr(caches["default"], "get", gone)
    assert ready() == (200, [])
    settings.EMBEDDED = False
    assert ready() == (503, ["Redis does not answer."])


def test_everything_that_is_wrong_is_said_at_once(now, away, ready, settings, tmp_path):
    settings.GOLDFINCH_DATA = tmp_path / "gone"
    assert ready() == (503, ["The data folder can’t be written.", "The database does not answer."])


def test_a_process_that_answers_is_alive_whatever_else_is_wrong(now, away, client, settings, tmp_path):
    settings.GOLDFINCH_DATA = tmp_path / "gone"
    answer = client.get(reverse("health_live"))
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
