"""A served site under the load of a few people, whose ledger has what was acknowledged, on disk, line by line."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from annotation.models import Response
from tests.bench.annotators import FIELD, PLACE, Annotator
from tests.bench.annotators import Ledger as Figures
from tests.builders import open_with, questions
from tests.proving import size
from tests.races.crowd import people
from tests.site import Site

PEOPLE, QUESTIONS = 4, size(600, 20_000)
SECONDS = 120
"""How long anything may take before the rig itself is broken."""


class Ended(Exception):
    """The rig has seen enough."""


class Ledger:
    """What was acknowledged: a line of the file, synced before the client goes on; and what went wrong meanwhile."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("w+b")
        self.count = 0
        self.refused: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.end = threading.Event()
        self._changed = threading.Condition()

    def add(self, key: str, work: str) -> None:
        """This answer to that work was acknowledged."""
        with self._changed:
            self.file.write(json.dumps({"key": key, "work": work}).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
            self.count += 1
            self._changed.notify_all()

    def wait_for(self, more: int) -> None:
        """Return as soon as so many more answers were acknowledged."""
        with self._changed:
            enough = self.count + more
            if not self._changed.wait_for(lambda: self.count >= enough, SECONDS):
                raise AssertionError(f"nothing goes on: {self.failed}, {self.refused}")

    def lines(self) -> list[dict[str, str]]:
        """What the file has."""
        self.file.seek(0)
        return [json.loads(line) for line in self.file]


class Stubborn(Annotator):
    """Sends a request again, as it was, until it is answered."""

    def __init__(self, url: str, session: str, ledger: Ledger) -> None:
        super().__init__(urlsplit(url), session, Figures())
        self.said = ledger

    def send(self, path: str, fields: dict[str, str]) -> tuple[int, bytes]:
        while not self.said.end.is_set():
            try:
                status, content = self.post(path, fields)
            except (HTTPException, OSError):
                self.connection.close()
                status = 0
            if 0 < status < 500:
                return status, content
            self.said.failed[str(status or "no answer")] += 1
            self.said.end.wait(0.1)
        raise Ended

    def work(self, slug: str) -> None:
        """Answer "bad" again and again; where an answer is refused, ask for other work."""
        page = b""
        try:
            while True:
                place = PLACE.search(page)
                if place is None:
                    _status, page = self.send(f"/projects/{slug}/annotate/next/", {})
                    continue
                fields = {name.decode(): value.decode() for name, value in FIELD.findall(page)}
                status, page = self.send(place[1].decode(), fields | {"verdict": "bad", "reasons": "ambiguous"})
                if status < 400:
                    self.said.add(fields["submission_key"], place[2].decode())
                else:
                    self.said.refused[str(status)] += 1
        except Ended:
            self.connection.close()


@contextmanager
def load(site: Site, sessions: list[str]) -> Iterator[Ledger]:
    """Everybody works until the block ends."""
    ledger = Ledger(site.folder / "ledger.jsonl")
    crowd = [Stubborn(site.url, session, ledger) for session in sessions]
    threads = [threading.Thread(target=one.work, args=("study",)) for one in crowd]
    for thread in threads:
        thread.start()
    try:
        yield ledger
    finally:
        ledger.end.set()
        for thread in threads:
            thread.join(SECONDS)


def faults(site: Site, ledger: Ledger) -> list[str]:
    """What was acknowledged and is not stored as it was sent, or is stored twice."""
    stored = told(site, "tell")
    found = []
    for line in ledger.lines():
        rows = [row for row in stored if line["work"] in row["works"]]
        if [(row["key"], row["verdict"]) for row in rows] != [(line["key"], "bad")]:
            found.append(f"{line}: {rows}")
    return found


def told(site: Site, name: str) -> Any:
    """What a function of this module prints that runs in a child, on the data of the site."""
    return json.loads(site.manage("shell", "-c", f"from tests.proofs import served; served.{name}()").splitlines()[-1])


def furnish() -> None:
    """In a child: a project, its people; prints their session keys."""
    from django.conf import settings
    from django.test import Client

    from tests.builders import project

    made = project("study")
    with tempfile.TemporaryDirectory() as folder:
        open_with(made, Path(folder), questions(QUESTIONS))
    keys = []
    for user in people(made, PEOPLE):
        client = Client()
        client.force_login(user)
        keys.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
    print(json.dumps(keys))


def tell() -> None:
    """In a child: prints every response."""
    rows: list[dict[str, Any]] = [
        {
            "key": str(row.submission_key),
            "verdict": row.payload["verdict"],
            "works": [str(each.uuid) for each in row.annotation.assignments.all()],
        }
        for row in Response.objects.select_related("annotation").prefetch_related("annotation__assignments")
    ]
    print(json.dumps(rows))
