"""Of many people who have the code of a fresh site at once, one makes the admin's account."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from django.test import Client

from annotation.models import User
from frontend.accounts import first_run
from tests.factories.people import UserFactory
from tests.proving import size
from tests.races.rigs.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
AT_ONCE = 8


def post(code, name):
    return Client(SERVER_NAME="127.0.0.1").post("/", {"username": name, "password": "a few easy words", "code": code})


def test_of_many_with_the_code_one_becomes_the_admin():
    for _ in range(size(2, 50)):
        User.objects.all().delete()
        code = first_run.offer()
        together([partial(post, code, f"person-{number}") for number in range(AT_ONCE)])
        assert User.objects.get().is_superuser


def test_codes_can_be_tried_while_the_first_account_is_made():
    over = threading.Event()

    def come_and_go():
        try:
            for _ in range(size(3, 1_000)):
                first_run.offer()
                user = UserFactory(username="admin", password=None)
                assert not first_run.is_open()
                user.delete()
        finally:
            over.set()

    def guess():
        return any(first_run.is_right("wrong") for _ in iter(over.is_set, True))

    assert together([come_and_go, *[guess] * 4]) == [None, *[False] * 4]
