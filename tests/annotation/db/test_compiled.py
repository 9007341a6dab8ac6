"""Compiled queries return the rows of the queryset, from any thread and at any time."""

from __future__ import annotations

from threading import Thread

import pytest
from django.db import connection, transaction
from django.db.models import CharField, Exists, OuterRef, QuerySet
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from annotation.db.compiled import Param, Prepared, PreparedUpdate
from annotation.models import Membership, Project, Role, User
from tests.builders import project
from tests.factories.people import UserFactory
from tests.people import join

pytestmark = pytest.mark.on_both_databases


def of_name(name) -> QuerySet:
    member = Membership.objects.filter(user=OuterRef("pk"), role=Role.ANNOTATOR)
    return User.objects.filter(username=name).annotate(member=Exists(member))


@pytest.fixture
def people(db):
    found = project()
    return [join(found, name) for name in ("alice", "bob")]


def test_every_call_has_the_rows_of_the_queryset_for_its_values(people):
    prepared = Prepared(lambda: of_name(Param("name", CharField())))
    for name in ("alice", "bob", "nobody", "alice"):
        expected = list(of_name(name))
        got = prepared(name=name)
        assert [(row, row.member) for row in got] == [(row, row.member) for row in expected]


def test_rows_are_fresh_and_not_those_of_the_previous_call(people):
    prepared = Prepared(lambda: User.objects.filter(pk=Param("user")))
    first = prepared.first(user=people[0].pk)
    User.objects.filter(pk=people[0].pk).update(username="renamed")
    again = prepared.first(user=people[0].pk)
    assert (first.username, again.username) == ("alice", "renamed")
    assert prepared.first(user=0) is None


def test_values_that_change_the_conditions_are_compiled_separately(people):
    @Prepared
    def prepared(names: int) -> QuerySet:
        return User.objects.filter(username__in=[Param(f"name{n}", CharField()) for n in range(names)])

    assert {row.username for row in prepared(1, name0="alice")} == {"alice"}
    assert {row.username for row in prepared(2, name0="alice", name1="bob")} == {"alice", "bob"}
    assert {row.username for row in prepared(1, name0="bob")} == {"bob"}


def test_related_rows_come_along_without_a_second_query(people):
    rows = Membership.objects.select_related("project", "user").filter(user=Param("user")).order_by("pk")
    prepared = Prepared(lambda: rows)
    for person in people:
        with CaptureQueriesContext(connection) as captured:
            found = prepared.first(user=person.pk)
            assert (found.user, found.project) == (person, Project.objects.get())
        assert len(captured) == 2


def test_an_update_applies_its_values_and_returns_how_many_rows(people):
    @PreparedUpdate
    def rename():
        return User.objects.filter(username=Param("old", CharField())), {"username": Param("new", CharField())}

    assert [rename(old="alice", new="ann"), rename(old="alice", new="x"), rename(old="bob", new="ben")] == [1, 0, 1]
    assert set(User.objects.filter(pk__in=[row.pk for row in people]).values_list("username", flat=True)) == {
        "ann",
        "ben",
    }


@pytest.mark.postgresql_only
def test_locking_outside_a_transaction_is_refused_by_a_later_call_too(transactional_db):
    prepared = Prepared(lambda: User.objects.select_for_update().filter(pk=Param("user")))
    with transaction.atomic():
        assert prepared(user=0) == []
    with pytest.raises(TransactionManagementError):
        prepared(user=0)


def test_every_thread_uses_its_own_connection(transactional_db):
    prepared = Prepared(lambda: User.objects.filter(username=Param("name", CharField())))
    UserFactory(username="alice")
    found = []

    def ask() -> None:
        found.append([row.username for row in prepared(name="alice")])
        connection.close()

    for thread in [Thread(target=ask) for _ in range(3)]:
        thread.start()
        thread.join()
    assert found == [["alice"]] * 3
    connection.close()
    assert [row.username for row in prepared(name="alice")] == ["alice"]
