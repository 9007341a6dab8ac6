"""Passwords can't be guessed by trying: after a few failures one has to wait, and the answers tell nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
import redis
from django.core.cache import caches
from django.test import Client

from annotation.models import User
from frontend import log_in_limits
from tests.factories.people import UserFactory

RIGHT, WRONG = "the-right-password", "another-password"
KINDS = ("embedded", "redis")
OF_BOTH_KINDS = pytest.mark.parametrize("shared_cache", KINDS, indirect=True)
OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/test_log_in_limits.py::test_after_five_failures_a_name_has_to_wait_whatever_the_password"
)


@pytest.fixture(params=["embedded", pytest.param("redis", marks=OTHERS)])
def shared_cache(request, settings):
    """Empty counters, in the process and in Redis."""
    if request.param == "redis":
        location = {"BACKEND": "django.core.cache.backends.redis.RedisCache"}
        location["LOCATION"] = request.getfixturevalue("redis_url")
        settings.CACHES = settings.CACHES | {log_in_limits.CACHE: location}
    caches[log_in_limits.CACHE].clear()
    yield caches[log_in_limits.CACHE]
    caches[log_in_limits.CACHE].clear()


@pytest.fixture
def anna(db, shared_cache) -> User:
    return UserFactory(username="anna", password=RIGHT)


def log_in(name: str, password: str, *, address: str = "192.0.2.1", **headers):
    """The response to one attempt, from a new browser."""
    browser = Client(SERVER_NAME="127.0.0.1", REMOTE_ADDR=address, headers=headers)
    return browser.post("/login/", {"username": name, "password": password})


def fail(name: str, times: int, **kwargs) -> list[int]:
    return [log_in(name, WRONG, **kwargs).status_code for _ in range(times)]


@OF_BOTH_KINDS
def test_after_five_failures_a_name_has_to_wait_whatever_the_password(anna):
    assert fail("anna", 6) == [200] * 5 + [429]
    refused = log_in("anna", RIGHT)
    assert (refused.status_code, refused["Retry-After"]) == (429, "300")
    assert "_auth_user_id" not in refused.client.session
    page = refused.content.decode()
    assert "Wait 5 minutes, then try again." in page
    assert 'value="anna"' in page


def test_capitals_and_spaces_do_not_make_another_name(anna):
    assert fail("anna", 3) + fail(" Anna", 2) + fail("ANNA", 1) == [200] * 5 + [429]


def test_the_name_can_still_log_in_elsewhere(anna):
    fail("anna", 6)
    assert log_in("anna", RIGHT, address="198.51.100.7").status_code == 302


def test_after_thirty_failures_an_address_has_to_wait_whatever_the_name(anna):
    for number in range(28):
        log_in_limits.count_try(f"name-{number}", "192.0.2.1")
    assert fail("name-28", 1) + fail("name-29", 1) == [200, 200]
    assert log_in("anna", RIGHT).status_code == 429
    assert log_in("anna", RIGHT, address="192.0.2.2").status_code == 302


def test_a_client_cannot_say_that_it_is_elsewhere(anna):
    tried = [log_in("anna", WRONG, **{"X-Forwarded-For": f"198.51.100.{number}"}).status_code for number in range(6)]
    assert tried == [200] * 5 + [429]


def test_all_addresses_of_an_ipv6_subscriber_count_as_one(anna, settings):
    settings.LOG_IN_LIMITS = settings.LOG_IN_LIMITS | {"address": (3, 5)}
    for number in range(3):
        fail(f"name-{number}", 1, address=f"2001:db8::{number}")
    assert log_in("anna", RIGHT, address="2001:db8::ffff").status_code == 429
    assert log_in("anna", RIGHT, address="2001:db8:0:1::1").status_code == 302


def test_a_name_tried_from_many_addresses_has_to_wait(anna):
    for number in range(98):
        assert log_in_limits.count_try("anna", f"192.0.2.{number}") is None
    for number in (98, 99):
        assert fail("anna", 1, address=f"192.0.2.{number}") == [200]
    refused = log_in("anna", RIGHT, address="198.51.100.7")
    assert (refused.status_code, refused["Retry-After"]) == (429, "3600")


@OF_BOTH_KINDS
def test_the_right_password_forgives_earlier_failures(anna):
    for _ in range(3):
        assert fail("anna", 4) == [200] * 4
        assert log_in("anna", RIGHT).status_code == 302


def test_logging_in_does_not_use_up_the_tries_of_an_address_and_does_not_forgive_those_of_others(anna, settings):
    settings.LOG_IN_LIMITS = settings.LOG_IN_LIMITS | {"address": (3, 5)}
    tried = [log_in("anna", RIGHT).status_code for _ in range(5)]
    for number in range(3):
        tried += [*fail(f"name-{number}", 1), log_in("anna", RIGHT).status_code]
    assert tried == [302] * 5 + [200, 302, 200, 302, 200, 429]


@pytest.mark.in_test_all(
    shown_by="tests/frontend/test_log_in_limits.py::test_waiting_people_who_try_again_do_not_wait_longer"
)
def test_a_limit_ends_with_its_time(anna, settings):
    settings.LOG_IN_LIMITS = settings.LOG_IN_LIMITS | {"name_at_address": (1, 1 / 60), "address": (10**9, 5)}
    fail("anna", 2)
    while (answer := log_in("anna", RIGHT)).status_code == 429:
        pass
    assert answer.status_code == 302


def test_waiting_people_who_try_again_do_not_wait_longer(shared_cache, settings):
    settings.LOG_IN_LIMITS = settings.LOG_IN_LIMITS | {"name_at_address": (1, 1 / 60), "address": (10**9, 5)}
    tried = (log_in_limits.count_try("anna", "192.0.2.1") for _ in count())
    assert (next(tried), next(tried)) == (None, log_in_limits.Limit(1, 1 / 60))
    assert next(found for found in tried if found is None) is None


@OF_BOTH_KINDS
def test_simultaneous_tries_do_not_exceed_a_limit(shared_cache):
    with ThreadPoolExecutor(16) as guessers:
        found = guessers.map(lambda _n: log_in_limits.count_try("anna", "192.0.2.1"), range(50))
        assert sum(limit is None for limit in found) == 5


def test_counters_in_redis_end_by_themselves(redis_url, settings):
    location = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": redis_url}
    settings.CACHES = settings.CACHES | {log_in_limits.CACHE: location}
    caches[log_in_limits.CACHE].clear()
    log_in_limits.count_try("anna", "192.0.2.1")
    with redis.Redis.from_url(redis_url) as client:
        left = sorted(client.ttl(key) for key in client.scan_iter("*log-in*"))
    assert left == pytest.approx([300, 300, 3600], abs=60)


@pytest.mark.parametrize("password", [RIGHT, WRONG])
def test_a_dialog_is_told_how_long_to_wait(anna, password):
    fail("anna", 5)
    refused = log_in("anna", password, **{"X-Requested-With": "fetch"})
    assert (refused.status_code, refused.content) == (429, b"Wait 5 minutes, then try again.")


def _world(name: str, password: str) -> list[tuple]:
    """Everything seen in eight tries, with the name replaced."""
    seen = [log_in(name, WRONG) for _ in range(7)] + [log_in(name, password)]
    headers = [{key: value for key, value in each.headers.items() if key != "Expires"} for each in seen]
    bodies = [each.content.replace(name.encode(), b"?") for each in seen]
    cookies = [{name: each.cookies[name].value for name in each.cookies} for each in seen]
    return list(zip([each.status_code for each in seen], headers, cookies, bodies, strict=True))


def test_a_name_that_exists_and_one_that_does_not_cannot_be_told_apart(anna, monkeypatch):
    monkeypatch.setattr("django.middleware.csrf.get_random_string", lambda length, allowed_chars: "x" * length)
    world = _world("anna", RIGHT)
    assert world == _world("otto", WRONG)
    assert [status for status, *_rest in world] == [200] * 5 + [429] * 3
