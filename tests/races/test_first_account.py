"""Of many people who have the code of a fresh site at once, one makes the admin's account."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import Client

from annotation.models import User
from frontend.accounts import first_run
from tests.proving import size
from tests.races.rigs.crowd import together

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 8


def post(code, name):
    return Client(SERVER_NAME="127.0.0.1").post("/", {"username": name, "password": "a few easy words", "code": code})


def test_of_many_with_the_code_one_becomes_the_admin():
    for _ in range(size(2, 50)):
        User.objects.all().delete()
        code = first_run.offer()
        together([partial(post, code, f"person-{number}") for number in range(AT_ONCE)])
        assert User.objects.get().is_superuser
