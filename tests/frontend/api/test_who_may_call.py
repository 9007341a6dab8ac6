"""Every address of the API with every kind of token, and that a refusal about an object reveals nothing of it."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, reverse

from annotation import clock
from annotation.models import Project, User
from qualification import api_tokens
from qualification.models import TokenScope
from tests.frontend.api.scripts import by_script
from tests.frontend.api.who_may_call import CALLERS, MISSING, PUBLIC, TABLE
from tests.frontend.test_who_may import made, parts_of
from tests.frontend.who_may import MISSING as MISSING_OF_PAGES

__all__ = ["made"]
NOWHERE = MISSING_OF_PAGES | MISSING


@pytest.fixture(scope="module")
def secrets_of_all(made: dict) -> dict[str, str]:
    by_script(Project.objects.get(slug="lights"))
    return {name: _secret_of(*whose) for name, whose in CALLERS.items() if whose is not None}


@pytest.fixture
def secrets(secrets_of_all: dict[str, str], db: None) -> dict[str, str]:
    return secrets_of_all


@pytest.fixture
def names(made: dict, secrets: dict[str, str]) -> dict:
    return made | {"rest": "nothing/", "number": 1}


def _secret_of(username: str, scope: TokenScope) -> str:
    user = User.objects.get(username=username)
    led = {"lena": "lights", "otto": "elsewhere"}
    project = Project.objects.get(slug=led[username]) if scope == TokenScope.LEAD else None
    _token, secret = api_tokens.make(user, name=scope, scope=scope, project=project, days=1, now=clock.now())
    return secret


def call(secret: str, route: str, method: str, names: dict) -> HttpResponse:
    """Make one call with that token, by the name of the route, with an empty body."""
    address = reverse(route, kwargs={part: names[part] for part in parts_of(route)})
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    client = Client(SERVER_NAME="127.0.0.1", enforce_csrf_checks=True)
    return client.generic(method, address, b"{}", content_type="application/json", headers=headers)


def test_every_address_of_the_api_is_in_the_table():
    routes = {found.name for found in get_resolver().url_patterns}
    assert {name for name in routes if name.startswith("api_")} == {route for route, _ in TABLE}


@pytest.mark.parametrize(("route", "method"), TABLE)
def test_each_token_gets_what_the_table_says(names: dict, secrets: dict[str, str], route: str, method: str):
    answers = {}
    for caller in CALLERS:
        with transaction.atomic():
            answers[caller] = call(secrets.get(caller, ""), route, method, names).status_code
            transaction.set_rollback(True)
    assert answers == dict(zip(CALLERS, TABLE[route, method], strict=True))


@pytest.mark.parametrize("caller", [name for name in CALLERS if name != "nobody"])
def test_what_belongs_to_others_looks_like_what_does_not_exist(names: dict, secrets: dict[str, str], caller: str):
    for (route, method), row in TABLE.items():
        if row[list(CALLERS).index(caller)] == 404:
            there = call(secrets[caller], route, method, names)
            for part in NOWHERE.keys() & parts_of(route):
                nowhere = call(secrets[caller], route, method, names | {part: NOWHERE[part]})
                assert (there.headers, there.content) == (nowhere.headers, nowhere.content), (route, method, part)


def test_a_session_opens_nothing_and_changes_nothing(names: dict):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(User.objects.get(username="lena"))
    for route, method in TABLE:
        if route not in PUBLIC:
            address = reverse(route, kwargs={part: names[part] for part in parts_of(route)})
            answer = client.generic(method, address, b"{}", content_type="application/json")
            assert answer.status_code == 401, (route, method)


def test_a_token_to_read_changes_nothing(names: dict, secrets: dict[str, str]):
    for route, method in TABLE:
        if method != "GET":
            assert call(secrets["lena reads"], route, method, names).status_code == 403, (route, method)
