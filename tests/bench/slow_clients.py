"""How well the server answers well-behaved clients, alone and beside slow ones (promise P19).

Requests per second and the times of one request in ms, for the log-in page of an empty site. 200 clients send half a
body; 50 request the page and read nothing; 100 fetch the largest script again and again, each reading 40 KB a second.
"""

from __future__ import annotations

import contextlib
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.bench.yardstick import beside_yardstick
from tests.site import Site

PEOPLE = 4
SECONDS = 5
SLOW_SENDERS = 200
SLOW_READERS = 50
SCRIPT_READERS = 100


def measure(host: str, port: int) -> dict[str, float]:
    """Requests per second, and the median and 95th percentile of one in ms."""
    times: list[float] = []
    end = time.monotonic() + SECONDS

    def person() -> None:
        connection = HTTPConnection(host, port, timeout=30)
        while time.monotonic() < end:
            begun = time.perf_counter()
            connection.request("GET", "/login/")
            connection.getresponse().read()
            times.append((time.perf_counter() - begun) * 1000)

    people = [threading.Thread(target=person) for _ in range(PEOPLE)]
    for one in people:
        one.start()
    for one in people:
        one.join()
    return {
        "requests_per_s": round(len(times) / SECONDS),
        "median_ms": round(statistics.median(times), 1),
        "p95_ms": round(statistics.quantiles(times, n=20)[-1], 1),
    }


def be_rude(host: str, port: int, stack: ExitStack) -> None:
    """Open connections that send half a body, and others that request pages and read none; all of them stay open."""
    half = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf"
    unread = b"GET /login/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for text, times in ((half, SLOW_SENDERS), (unread, SLOW_READERS)):
        for _ in range(times):
            rude = stack.enter_context(socket.socket())
            rude.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            rude.connect((host, port))
            rude.sendall(text)


def read_slowly(host: str, port: int, path: str, end: threading.Event) -> None:
    """Fetch a file over and over, never faster than the socket's small buffer is emptied."""
    while not end.is_set():
        with socket.socket() as slow, contextlib.suppress(OSError):
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect((host, port))
            slow.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            while slow.recv(4096) and not end.wait(0.1):
                pass


@contextlib.contextmanager
def script_readers(site: Site, host: str, port: int) -> Iterator[None]:
    """100 of them, until the block ends."""
    scripts = (site.folder / "static").rglob("*.js")
    path = max(scripts, key=lambda script: script.stat().st_size).relative_to(site.folder)
    end = threading.Event()
    readers = [threading.Thread(target=read_slowly, args=(host, port, f"/{path}", end)) for _ in range(SCRIPT_READERS)]
    for one in readers:
        one.start()
    try:
        yield
    finally:
        end.set()
        for one in readers:
            one.join()


def measure_all() -> dict[str, dict[str, Any]]:
    """The figures alone and beside slow clients."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder)).prepare().start()
        try:
            place = urlsplit(site.url)
            beside = f"beside {SLOW_SENDERS} slow senders and {SLOW_READERS} slow readers"
            fetching = f"beside {SCRIPT_READERS} slow readers of the largest script"
            for label in ("alone", beside, fetching):
                with ExitStack() as stack:
                    if label == beside:
                        be_rude(place.hostname, place.port, stack)
                    elif label == fetching:
                        stack.enter_context(script_readers(site, place.hostname, place.port))
                    figures[label] = beside_yardstick(partial(measure, place.hostname, place.port))
        finally:
            site.stop()
    return figures
