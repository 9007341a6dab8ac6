"""Every address of the API with every kind of token, and that a refusal about an object reveals nothing of it."""

from __future__ import annotations

from collections.abc import Iterable

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
from tests.frontend.test_who_may import browser_of_all, forget, made, parts_of
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
    client = browser_of_all(checks_csrf=True)
    client.cookies.clear()
    return client.generic(method, address, b"{}", content_type="application/json", headers=headers)


def test_every_address_of_the_api_is_in_the_table():
    routes = {found.name for found in get_resolver().url_patterns}
    assert {name for name in routes if name.startswith("api_")} == {route for route, _ in TABLE}


Row = tuple[str, str]
"""The name of a route, and a method."""
LIKE = {
    "mallory reads": "otto reads",
    "alice reads": "erin reads",
    "bob works": "alice works",
    "lena works": "bob works",
    "lena leads": "lena reads",
    "otto reads": "otto leads",
}
"""Tokens that open what another one opens, but for some addresses: each merge calls those."""
NO_MORE = pytest.mark.in_test_all(
    shown_by="tests/frontend/api/test_who_may_call.py::test_each_token_gets_what_the_table_says"
)


def expected(caller: str, row: Row) -> int:
    """What that caller gets by the table."""
    return TABLE[row][list(CALLERS).index(caller)]


def is_told_apart(caller: str, row: Row) -> bool:
    """Whether each merge makes that call."""
    if row[0] in PUBLIC:
        return caller == "nobody"
    return caller not in LIKE or expected(caller, row) != expected(LIKE[caller], row)


def hold_against_the_table(caller: str, rows: Iterable[Row], names: dict, secrets: dict[str, str]) -> None:
    """Make all these calls, each in a state of its own."""
    found, wanted = {}, {}
    for route, method in rows:
        with transaction.atomic():
            found[route, method] = call(secrets.get(caller, ""), route, method, names).status_code
            transaction.set_rollback(True)
        wanted[route, method] = expected(caller, (route, method))
        if method != "GET":
            forget()
    assert found == wanted


@pytest.mark.parametrize("caller", CALLERS)
def test_each_token_gets_what_the_table_says(names: dict, secrets: dict[str, str], caller: str):
    hold_against_the_table(caller, [row for row in TABLE if is_told_apart(caller, row)], names, secrets)


@NO_MORE
@pytest.mark.parametrize("caller", CALLERS)
def test_and_so_does_a_token_that_opens_no_more_than_another(names: dict, secrets: dict[str, str], caller: str):
    hold_against_the_table(caller, [row for row in TABLE if not is_told_apart(caller, row)], names, secrets)


OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/api/test_who_may_call.py::test_what_belongs_to_others_looks_like_what_does_not_exist"
)
DIFFERENT = ("bob works", "erin reads", "otto leads")
"""Somebody who works on the same item, a member who reads, and a lead of another project."""


@pytest.mark.parametrize("caller", DIFFERENT)
def test_what_belongs_to_others_looks_like_what_does_not_exist(names: dict, secrets: dict[str, str], caller: str):
    compare_with_nothing(caller, names, secrets)


@OTHERS
@pytest.mark.parametrize("caller", [name for name in CALLERS if name not in ("nobody", *DIFFERENT)])
def test_so_does_it_to_everybody_else(names: dict, secrets: dict[str, str], caller: str):
    compare_with_nothing(caller, names, secrets)


def compare_with_nothing(caller: str, names: dict, secrets: dict[str, str]) -> None:
    """Every byte of what that caller is refused with is what they get where there is nothing."""
    for route, method in TABLE:
        if expected(caller, (route, method)) == 404:
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


def test_a_token_to_read_changes_nothing():
    """The tests above make all these calls."""
    for route, method in TABLE:
        if method != "GET":
            assert expected("lena reads", (route, method)) == 403, (route, method)
