"""Tests run on real servers of their own, on the requested database."""

import os

import pytest
import redis
from django.db import connection, connections


@pytest.mark.django_db
def test_the_database_is_the_requested_one(request):
    assert connection.vendor == request.config.getoption("database")


@pytest.mark.django_db
def test_the_sqlite_test_database_is_a_file_that_threads_can_race_on():
    if connection.vendor == "sqlite":
        assert os.path.isfile(connection.settings_dict["NAME"])


@pytest.mark.django_db
def test_the_snapshot_alias_sees_rows_of_a_test_that_never_commits():
    from annotation.models import User
    from tests.factories.people import UserFactory

    UserFactory(username="here")
    assert User.objects.using("snapshot").filter(username="here").exists()


def test_a_real_snapshot_sees_committed_rows_only(real_snapshot):
    assert connections["snapshot"] is not connection
    from annotation.models import User
    from tests.factories.people import UserFactory

    UserFactory(username="committed")
    assert User.objects.using("snapshot").filter(username="committed").exists()


def test_redis_answers(redis_url):
    with redis.Redis.from_url(redis_url) as client:
        assert client.ping()
