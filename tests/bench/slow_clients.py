"""How well the server answers well-behaved clients, alone and beside slow ones (promise P19).

Requests per second and the times of one request in ms, for the log-in page of an empty site.
"""

from __future__ import annotations

import socket
import statistics
import tempfile
import threading
import time
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from tests.site import Site

PEOPLE = 4
SECONDS = 5
SLOW_SENDERS = 200
SLOW_READERS = 50


def measure(host: str, port: int) -> tuple[float, float, float]:
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
    return len(times) / SECONDS, statistics.median(times), statistics.quantiles(times, n=20)[-1]


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


def measure_all() -> dict[str, dict[str, float]]:
    """The figures alone and beside slow clients."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder)).prepare().start()
        try:
            place = urlsplit(site.url)
            for label in ("alone", f"beside {SLOW_SENDERS} slow senders and {SLOW_READERS} slow readers"):
                with ExitStack() as stack:
                    if label != "alone":
                        be_rude(place.hostname, place.port, stack)
                    rate, middle, slow = measure(place.hostname, place.port)
                figures[label] = {
                    "requests_per_s": round(rate),
                    "median_ms": round(middle, 1),
                    "p95_ms": round(slow, 1),
                }
        finally:
            site.stop()
    return figures
