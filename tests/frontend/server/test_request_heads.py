"""A head that is too large is refused while it arrives, and none of it stays in memory."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from frontend.server import request_heads
from tests.site import Site

BEGUN = "GET / HTTP/1.1\nHost: here\n"
GROWTH = 32
"""Megabytes by which the server may grow; without the limits it grows by more than the size of a head."""
MEGABYTES = 96


def _status(answer: bytes) -> int:
    return int(answer.split()[1])


def _sent(rig, text: str) -> int:
    """The status of the response to exactly this."""
    return _status(rig.raw(text).makefile("rb").read())


def test_a_head_within_the_limits_is_served(wrapped):
    headers = {f"X-{number}": "x" * 400 for number in range(request_heads.MOST_HEADERS - 3)}
    response, _ = wrapped.ask(path="/" + "a" * (request_heads.LONGEST_ADDRESS - 100), headers=headers)
    assert response.status == 200


def test_a_header_over_64_kb_is_refused_before_it_ends(wrapped, views):
    assert _sent(wrapped, f"{BEGUN}X-Long: {'x' * request_heads.LONGEST_HEAD}") == 431
    assert not views.entered.acquire(blocking=False)


def test_many_headers_are_refused_together_as_one_long_one_is(wrapped):
    lines = "".join(f"X-{number}: {'x' * 1000}\n" for number in range(90))
    assert _sent(wrapped, BEGUN + lines) == 431


def test_more_than_100_headers_are_refused(wrapped, views):
    assert _sent(wrapped, BEGUN + "X: y\n" * request_heads.MOST_HEADERS + "\n") == 431
    assert not views.entered.acquire(blocking=False)


def test_an_address_over_32_kb_is_refused(wrapped, views):
    address = "a" * request_heads.LONGEST_ADDRESS
    assert _sent(wrapped, f"GET /{address} HTTP/1.1\nHost: here\n\n") == 414
    assert _sent(wrapped, f"GET /?{address}") == 414
    assert not views.entered.acquire(blocking=False)


def test_trailers_count_as_headers(wrapped, views):
    chunked = "POST / HTTP/1.1\nHost: here\nTransfer-Encoding: chunked\n\n1\nx\n0\n"
    client = wrapped.raw(f"{chunked}X-Long: {'x' * 2 * request_heads.LONGEST_HEAD}\n\n")
    with contextlib.suppress(ConnectionResetError):
        assert client.makefile("rb").read() == b""
    wrapped.until_quiet()
    assert views.stored == []


def test_a_long_body_is_not_mistaken_for_a_head(wrapped, views):
    body = b"x" * (4 * request_heads.LONGEST_HEAD)
    assert wrapped.ask("POST", "/save", body=body)[0].status == 200
    assert wrapped.ask("POST", "/save", body=iter([body[:1]] * 200), encode_chunked=True)[0].status == 200
    assert views.stored == [body, body[:200]]


def test_a_request_after_another_on_one_connection_has_limits_of_its_own(wrapped):
    connection = wrapped.raw(f"{BEGUN}X-Long: {'x' * 60_000}\n\n{BEGUN}X-Long: {'x' * 60_000}\nConnection: close\n\n")
    assert connection.makefile("rb").read().count(b"HTTP/1.1 200") == 2


def test_a_head_that_does_not_arrive_in_time_is_disconnected(wrapped, monkeypatch):
    monkeypatch.setattr(request_heads, "HEAD_SECONDS", 0.1)
    assert wrapped.raw(BEGUN).makefile("rb").read() == b""
    assert wrapped.raw("").makefile("rb").read() == b""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Site:
    return Site(tmp_path_factory.mktemp("site")).prepare()


@pytest.fixture
def served(prepared) -> Iterator[Site]:
    """A new server for each test, since a peak stays."""
    yield prepared.start()
    prepared.stop()


def _peak_mb(site: Site) -> float:
    """The most memory that the server has ever had."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{site.server.pid}/status").read_text())[1]) / 1024


FLOODS = {
    "a long header": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"x" * 2**20),
    "a long address": (b"GET /", b"x" * 2**20),
    "many headers": (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Many: short\r\n" * (2**20 // 15)),
    "long trailers": (
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Long: ",
        b"x" * 2**20,
    ),
}


MORE = pytest.mark.in_test_all(
    shown_by="tests/frontend/server/test_request_heads.py::test_the_memory_of_the_server_does_not_grow_with_a_head"
)


@pytest.mark.parametrize("flood", ["a long header", *(pytest.param(each, marks=MORE) for each in [*FLOODS][1:])])
def test_the_memory_of_the_server_does_not_grow_with_a_head(served, flood):
    begin, more = FLOODS[flood]
    before, place = _peak_mb(served), urlsplit(served.url)
    with socket.create_connection((place.hostname, place.port), timeout=60) as client, contextlib.suppress(OSError):
        client.sendall(begin)
        for _ in range(MEGABYTES):
            client.sendall(more)
    assert _peak_mb(served) - before < GROWTH
