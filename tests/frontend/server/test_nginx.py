"""Behind nginx, as deploy/nginx.conf sets it up, no client can make the site slow for others, or forge its address."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.frontend.server.server_rig import HALF_A_POST, LARGE
from tests.proving import size

READ_NOTHING = "GET /large HTTP/1.1\nHost: here\n\n"
HONEST, AT_ONCE = size(100, 10_000), 20
SENDERS, READERS = size(60, 200), size(10, 50)
OF_ONE_ADDRESS = 100
"""Connections, as deploy/nginx.conf limits them."""
WAITING = 200
"""Requests of one address that wait for their turn, as it limits them."""


@pytest.fixture
def proxied(proxy, wrapped):
    """nginx in front of the gateway."""
    return proxy(wrapped)


def rude_address(number):
    """Different addresses for different rude clients."""
    return f"127.0.1.{number % 200 + 1}"


def answered(front, *, source="127.0.0.9", times=HONEST):
    """How many of the requests of well-behaved people are answered."""

    def one(_number):
        try:
            return front.ask(source=source)[0].status == 200
        except OSError:
            return False

    with ThreadPoolExecutor(AT_ONCE) as people:
        return sum(people.map(one, range(times)))


def test_a_view_sees_the_address_of_the_client_and_no_forged_header(proxied):
    forged = {"X-Forwarded-For": "10.0.0.1", "X-Forwarded-Proto": "https", "X_Forwarded_Proto": "https"}
    _, seen = proxied.ask(source="127.0.0.7", headers=forged)
    environ = json.loads(seen)
    assert environ["HTTP_X_FORWARDED_FOR"] == "127.0.0.7"
    assert environ["HTTP_X_FORWARDED_PROTO"] == "http"


def test_a_head_over_the_limit_reaches_no_view(proxied, views):
    response, _ = proxied.ask(path="/" + "a" * 40_000)
    assert response.status == 414
    response, _ = proxied.ask(headers={"X-Long": "x" * 40_000})
    assert response.status == 400
    assert not views.entered.acquire(blocking=False)


def test_the_longest_address_of_ours_passes(proxied):
    response, _ = proxied.ask(path="/search?text=" + "%D1%8F" * 3_000)
    assert response.status == 200


def test_a_body_over_the_limit_reaches_no_view(proxied, views):
    response, _ = proxied.ask("POST", "/save", body=b"x" * (3 * 2**20 + 1))
    assert response.status == 413
    assert views.stored == []


def test_slow_senders_stay_in_nginx_and_everybody_else_is_answered(proxied, views, record_property):
    record_property("size", HONEST)
    for number in range(SENDERS):
        proxied.raw(HALF_A_POST, source=rude_address(number))
        proxied.raw("GET / HTTP/1.1\nHost: he", source=rude_address(number))
    assert answered(proxied) == HONEST
    proxied.behind.until(lambda: not proxied.behind.server.server_state.tasks)
    assert views.stored == []


def test_slow_readers_leave_the_server_at_once_and_everybody_else_is_answered(proxied, record_property):
    record_property("size", HONEST)
    for number in range(READERS):
        proxied.raw(READ_NOTHING, small_buffer=True, source=rude_address(number))
    proxied.behind.until(lambda: not proxied.behind.server.server_state.tasks)
    assert answered(proxied) == HONEST


def test_a_large_response_arrives_whole(proxied):
    response, body = proxied.ask(path="/large")
    assert (response.status, len(body)) == (200, LARGE)


def test_connections_of_one_address_over_the_limit_are_refused_and_others_are_answered(proxied):
    for _ in range(OF_ONE_ADDRESS):
        proxied.raw(HALF_A_POST, source="127.0.1.1")
    refused = proxied.raw("GET / HTTP/1.1\nHost: here\n\n", source="127.0.1.1")
    assert refused.recv(12) == b"HTTP/1.1 503"
    assert answered(proxied) == HONEST


def test_of_many_requests_of_one_address_most_are_refused_and_others_are_answered(proxied, views):
    pipelined = "GET /one HTTP/1.1\nHost: here\n\n" * 20
    for _ in range(OF_ONE_ADDRESS):
        proxied.raw(pipelined, source="127.0.1.1")
    assert answered(proxied, times=WAITING // 4) == WAITING // 4
    passed = 0
    while views.entered.acquire(blocking=False):
        passed += 1
    assert passed < 20 * OF_ONE_ADDRESS / 2
