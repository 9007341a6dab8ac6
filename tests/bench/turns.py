"""A bare turn of the toy protocol over HTTP: what one seat's commit, and the partner's fetch of it, cost the server.

200 pairs talk for three turns each, one request after another. `processor_ms` is the CPU time of the web process for
one request: the difference of its clock over all requests of a kind, divided by their number. A commit returns the live
part of the committer's page, a fetch that of the partner's. `turn_ms` is how long a request took until its last byte
(median, 95 %). Server, database and client share the machine's cores. The target is 4 ms of CPU time for each, so that
200 pairs can talk through one process.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
import uuid
from collections import defaultdict
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests import signed_in
from tests.bench.annotators import CSRF
from tests.bench.databases import production_servers
from tests.bench.yardstick import beside_yardstick, processor_seconds
from tests.site import Site

PAIRS, TURNS, WARM = 200, 3, 10
TOY = "tests.protocols.toy"


def furnish(pairs: int) -> None:
    """In a process of the site: that many pairs, each seated at its own topic; prints their sessions and work."""
    import django

    django.setup()
    from annotation import clock
    from tasks.pairs import matching
    from tests.factories.corpus import ItemFactory, ProjectFactory
    from tests.factories.work import QueueFactory

    now = clock.now()
    made = ProjectFactory(slug="talks", protocol="toy", created_at=now)
    ItemFactory.insert_many(
        {
            "project": made,
            "kind": "topic",
            "payload": {"topic": f"Topic {number}", "fact": f"Fact {number}"},
            "position": number,
        }
        for number in range(pairs)
    )
    QueueFactory(project=made, activity="talk", filled_at=now)
    found = []
    for number in range(pairs):
        people = [signed_in.member(made, f"{seat}-{number}") for seat in ("asker", "teller")]
        held = matching.seat(made, "talk", people, now=clock.now())
        found.append([[signed_in.session_of(row.annotator), str(row.uuid)] for row in held])
    print(json.dumps(found))


class Person:
    """A keep-alive connection, a session and the URL of the work."""

    def __init__(self, url: str, session: str, work: str) -> None:
        place = urlsplit(url)
        self.work = f"/work/{work}/"
        self.headers = {
            "Host": place.netloc,
            "Cookie": f"goldfinch_session={session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "HX-Request": "true",
            "HX-Target": "live",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.connection = HTTPConnection(place.hostname or "", place.port, timeout=60)

    def ask(self, method: str, path: str, fields: dict[str, Any] | None = None) -> tuple[bytes, float]:
        """The body of the response, which must be a 200, and how long it took in ms."""
        begun = time.monotonic()
        self.connection.request(method, self.work + path, urlencode(fields or {}), self.headers)
        response = self.connection.getresponse()
        content = response.read()
        if response.status != 200:
            raise RuntimeError(f"{method} {path} answered {response.status}: {content[:300]!r}")
        return content, (time.monotonic() - begun) * 1000

    def commit(self, step: str, text: str, seen: int) -> float:
        """Answer a step as an up-to-date page would."""
        fields = {"text": text, "reason": "as it stands", "seen": seen, "submission_key": str(uuid.uuid4())}
        return self.ask("POST", f"{step}/", fields)[1]

    def fetch(self, text: str) -> float:
        """The live part, which must contain the partner's words."""
        content, took = self.ask("GET", "now/")
        if text.encode() not in content:
            raise RuntimeError(f"{text} is not in the live part")
        return took


def talk(site: Site, pairs: list[tuple[Person, Person]]) -> dict[str, Any]:
    """Every pair answers turn after turn; CPU time and latency per kind of request."""
    spent: dict[str, float] = defaultdict(float)
    took: dict[str, list[float]] = defaultdict(list)

    def measured(kind: str, requests: list[Any]) -> None:
        before = processor_seconds(site.server.pid)
        took[kind] += [request() for request in requests]
        spent[kind] += processor_seconds(site.server.pid) - before

    for turn in range(1, TURNS + 1):
        for place, (stage, seen) in enumerate((("ask", 2 * turn - 2), ("tell", 2 * turn - 1))):
            text = f"{stage} {turn}"
            if (stage, turn) == ("tell", TURNS):
                break  # the last answer completes the work: not a bare turn
            measured("commit", [partial(pair[place].commit, f"{stage}-{turn}", text, seen) for pair in pairs])
            measured("fetch", [partial(pair[1 - place].fetch, text) for pair in pairs])
    return {
        kind: {
            "requests": len(took[kind]),
            "processor_ms": round(1000 * spent[kind] / len(took[kind]), 2),
            "turn_ms": [round(statistics.median(took[kind]), 1), round(statistics.quantiles(took[kind], n=20)[-1], 1)],
        }
        for kind in took
    }


def measure(site: Site) -> dict[str, Any]:
    """On a fresh site, after some pairs that warm it up."""
    site.prepare()
    made = json.loads(site.python("tests.bench.turns", str(PAIRS + WARM)))
    site.start()
    try:
        pairs = [tuple(Person(site.url, *seat) for seat in pair) for pair in made]
        talk(site, pairs[:WARM])
        return beside_yardstick(partial(talk, site, pairs[WARM:]))
    finally:
        site.stop()


def measure_all() -> dict[str, Any]:
    """SQLite in embedded mode, and PostgreSQL with Redis; one web process each."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        figures["sqlite"] = measure(Site(Path(folder), GOLDFINCH_PROTOCOLS=TOY))
    with production_servers() as (place, urls):
        figures["postgresql"] = measure(Site(place, GOLDFINCH_PROTOCOLS=TOY, **urls))
    return figures


if __name__ == "__main__":
    furnish(int(sys.argv[1]))
