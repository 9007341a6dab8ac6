"""A served site under the load of a few people, with a ledger of what was sent and what was acknowledged."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from annotation.models import Response
from tests.bench.annotators import FIELD, PLACE, Annotator
from tests.bench.annotators import Ledger as Figures
from tests.builders import BAD, open_with, questions
from tests.proofs.rigs.ledger import FAIL, INFO, INVOKE, OK, SECONDS, Ledger, Verdict, hash_of, judged
from tests.proving import size
from tests.races.rigs.crowd import people
from tests.site import Site

PEOPLE, QUESTIONS = 4, size(300, 200_000)


class Ended(Exception):
    """The rig has seen enough."""


class RetryingAnnotator(Annotator):
    """Retries a request unchanged until it is answered; each answer is in the ledger before it is sent."""

    def __init__(self, url: str, session: str, ledger: Ledger) -> None:
        super().__init__(urlsplit(url), session, Figures())
        self.said = ledger

    def send(self, path: str, fields: dict[str, str], *about: str) -> tuple[int, bytes]:
        """`about`: key, work and hash of the payload, if it is an answer."""
        while not self.said.end.is_set():
            try:
                status, content = self.post(path, fields)
            except (HTTPException, OSError):
                self.connection.close()
                status = 0
            if 0 < status < 500:
                return status, content
            self.said.failed[str(status or "no answer")] += 1
            if about:
                self.said.say(INFO, *about, why=str(status))
            self.said.end.wait(0.1)
        raise Ended

    def work(self, slug: str) -> None:
        """Answer "bad" repeatedly; if an answer is refused, claim other work."""
        page = b""
        try:
            while True:
                place = PLACE.search(page)
                if place is None:
                    _status, page = self.send(f"/projects/{slug}/annotate/next/", {})
                    continue
                fields = {name.decode(): value.decode() for name, value in FIELD.findall(page)}
                about = fields["submission_key"], place[2].decode(), hash_of(BAD)
                self.said.say(INVOKE, *about)
                status, page = self.send(place[1].decode(), fields | {"verdict": "bad", "reasons": "ambiguous"}, *about)
                self.said.say(OK if status < 400 else FAIL, *about, why=str(status))
        except Ended:
            self.connection.close()


@contextmanager
def load(site: Site, sessions: list[str], *, folder: Path | None = None) -> Iterator[Ledger]:
    """Everybody works until the block ends; the ledger is in the site's folder, or in this one."""
    place = folder or site.folder
    ledger = Ledger(place / f"ledger-{len(ledgers(place))}.jsonl")
    crowd = [RetryingAnnotator(site.url, session, ledger) for session in sessions]
    threads = [threading.Thread(target=one.work, args=("study",)) for one in crowd]
    for thread in threads:
        thread.start()
    try:
        yield ledger
    finally:
        ledger.end.set()
        for thread in threads:
            thread.join(SECONDS)


def ledgers(folder: Path) -> list[Path]:
    """The ledgers of all loads there."""
    return sorted(folder.glob("ledger-*.jsonl"))


def verdict(site: Site, ledger: Ledger) -> Verdict:
    """What the rows say of a ledger, ignoring what other concurrent loads have sent."""
    beside = ledgers(Path(ledger.file.name).parent)
    sent = (json.loads(line)["key"] for path in beside for line in path.read_bytes().splitlines())
    found = judged(ledger.lines(), run_in_child(site, "print_responses()"), known=frozenset(sent))
    print(f"{ledger.count} acknowledged, {len(found.recovered)} recovered")
    return found


def run_in_child(site: Site, call: str) -> Any:
    """The output of a function of this module, run in a child on the data of the site."""
    return json.loads(
        site.manage("shell", "-c", f"from tests.proofs.rigs import served; served.{call}").splitlines()[-1]
    )


def furnish(count: int = QUESTIONS) -> None:
    """In a child: create a project with so many questions, and its people; print their session keys."""
    from django.conf import settings
    from django.test import Client

    from tests.builders import project

    made = project("study")
    with tempfile.TemporaryDirectory() as folder:
        open_with(made, Path(folder), questions(count))
    keys = []
    for user in people(made, PEOPLE):
        client = Client()
        client.force_login(user)
        keys.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
    print(json.dumps(keys))


def print_responses() -> None:
    """In a child: print every response."""
    rows: list[dict[str, Any]] = [
        {
            "key": str(row.submission_key),
            "payload": hash_of(row.payload),
            "works": [str(each.uuid) for each in row.annotation.assignments.all()],
        }
        for row in Response.objects.select_related("annotation").prefetch_related("annotation__assignments")
    ]
    print(json.dumps(rows))
