"""A load of annotators over plain HTTP: each answers "bad" and receives the next question, again and again.

A process of its own, so that its work is not the server's: `python -m tests.bench.annotators URLS PROJECT SECONDS
THINK`, the session keys on standard input, one line of JSON on standard output. People are divided over the URLs, which
are divided by commas.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import statistics
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlencode, urlsplit

FIELD = re.compile(rb'<input type="hidden" name="(submission_key|seen|client)" value="([^"]*)">')
PLACE = re.compile(rb'data-url-stage="(/work/([0-9a-f-]{36})/question/)"')
CSRF = "c" * 32
"""Django takes any cookie of the right length that the header repeats."""


@dataclass
class Ledger:
    """What the annotators saw: how long each loop took and when it ended in s, errors by kind, work by who got it."""

    loops: list[tuple[float, float]] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    sent_away: int = 0
    sent: int = 0
    received: int = 0


class Annotator:
    """One person: a connection that stays open, a session, the form of the question they see."""

    def __init__(self, place: Any, session: str, ledger: Ledger) -> None:
        self.place, self.ledger = place, ledger
        self.headers = {
            "Host": place.netloc,
            "Cookie": f"goldfinch_session={session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "HX-Request": "true",
            "Accept-Encoding": "gzip",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.connection = HTTPConnection(place.hostname, place.port, timeout=60)

    def post(self, path: str, fields: dict[str, str]) -> tuple[int, bytes]:
        body = urlencode(fields).encode()
        self.connection.request("POST", path, body, self.headers)
        response = self.connection.getresponse()
        content = response.read()
        self.ledger.sent += len(body)
        self.ledger.received += len(content)
        if response.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return response.status, content

    def claim(self, slug: str) -> bytes:
        """The first question."""
        return self.take(*self.post(f"/projects/{slug}/annotate/next/", {}))

    def take(self, status: int, page: bytes) -> bytes:
        """Note which work it is, or that there is none."""
        if status >= 400:
            self.ledger.errors[str(status)] += 1
            raise HTTPException(str(status))
        if found := PLACE.search(page):
            self.ledger.given[found[2].decode()] += 1
        else:
            self.ledger.sent_away += 1
        return page

    def loop(self, page: bytes) -> bytes:
        """Answer "bad"; the page of the next question."""
        path = PLACE.search(page)[1].decode()
        fields = {name.decode(): value.decode() for name, value in FIELD.findall(page)}
        begun = time.monotonic()
        answer = self.post(path, fields | {"verdict": "bad", "reasons": "ambiguous"})
        ended = time.monotonic()
        self.ledger.loops.append((ended - begun, ended))
        return self.take(*answer)


def work(annotator: Annotator, slug: str, *, begin: threading.Barrier, until: list[float], think: float) -> None:
    """One person's working time, once everybody has a question; they end where there is no more work."""
    try:
        page = annotator.claim(slug)
        begin.wait(300)
        rng = random.Random()
        while time.monotonic() < until[0] and PLACE.search(page):
            if think:
                time.sleep(rng.expovariate(1 / think))
            page = annotator.loop(page)
    except threading.BrokenBarrierError:
        return
    except (HTTPException, OSError) as error:
        begin.abort()
        annotator.ledger.errors[type(error).__name__] += 1


def main(urls: str, slug: str, seconds: str, think: str) -> None:
    """Run them all and print what they saw."""
    ledger, places = Ledger(), [urlsplit(url) for url in urls.split(",")]
    sessions = [line.strip() for line in sys.stdin if line.strip()]
    people = [Annotator(places[number % len(places)], one, ledger) for number, one in enumerate(sessions)]
    until = [0.0]

    def set_the_clock() -> None:
        until[0] = time.monotonic() + float(seconds)

    begin = threading.Barrier(len(people), action=set_the_clock)
    threads = [
        threading.Thread(target=work, args=(one, slug), kwargs={"begin": begin, "until": until, "think": float(think)})
        for one in people
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = sorted(took for took, _ended in ledger.loops)
    in_time = sum(ended <= until[0] for _took, ended in ledger.loops)
    print(
        json.dumps(
            {
                "annotators": len(people),
                "loops": len(times),
                "loops_per_s": round(in_time / float(seconds), 1),
                "median_ms": round(statistics.median(times) * 1000, 1),
                "p95_ms": round(times[int(len(times) * 0.95)] * 1000, 1),
                "worst_ms": round(times[-1] * 1000, 1),
                "errors": dict(ledger.errors),
                "given_twice": sum(count - 1 for count in ledger.given.values()),
                "sent_away": ledger.sent_away,
                "bytes_per_loop": round(ledger.received / max(1, len(times))),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
