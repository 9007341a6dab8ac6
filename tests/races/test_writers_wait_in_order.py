"""A fair lock: writers of one SQLite file in one process are served in order, and errors release it."""

from __future__ import annotations

import threading

import pytest
from django.db import IntegrityError, connection, connections, transaction

from annotation.models import User
from tests.factories.people import UserFactory
from tests.races.rigs.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_only]


def lock():
    from frontend.server.sqlite.base import lock_of

    return lock_of(str(connection.settings_dict["NAME"]))


def writer(number: int, order: list[int], asking: threading.Event) -> threading.Thread:
    def write() -> None:
        asking.set()
        with transaction.atomic():
            order.append(number)
            UserFactory(username=f"writer-{number}")
        connections.close_all()

    return threading.Thread(target=write)


def test_writers_are_served_first_come_first_served():
    order: list[int] = []
    threads = []
    with transaction.atomic():
        for number in range(12):
            asking = threading.Event()
            threads.append(writer(number, order, asking))
            threads[-1].start()
            asking.wait(20)
            while len(lock().waiting) <= number:  # until this one is in the queue
                asking.wait(0.001)
    for thread in threads:
        thread.join(60)
    assert order == list(range(12))


def test_an_error_in_a_transaction_releases_the_lock():
    UserFactory(username="anna")
    with pytest.raises(IntegrityError), transaction.atomic():
        UserFactory(username="anna")
    assert together([lambda: UserFactory(username="olaf").username]) == ["olaf"]


def test_closing_the_connection_in_a_transaction_releases_the_lock():
    def close() -> None:
        with transaction.atomic():
            UserFactory(username="lost")
            connection.close()

    together([close])
    assert together([lambda: UserFactory(username="next").username]) == ["next"]
    assert not User.objects.filter(username="lost").exists()


def test_a_writer_that_gives_up_is_not_waited_for():
    with transaction.atomic():
        assert not lock().acquire(0)
        assert not lock().waiting
    assert lock().acquire(0)
    lock().release()
