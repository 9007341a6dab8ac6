"""Simulated annotators over plain HTTP, who answer one question after another in the same way.

This is a process of its own, so that its CPU time is not the server's: `python -m tests.bench.annotators URLS PROJECT
SECONDS THINK ANSWERS TELLING`, with the session keys on standard input and one line of JSON on standard output. People
are distributed over the comma-separated URLs. ANSWERS is JSON, a list of [stage, fields]: the answer to every question.
If a stage shows a page, its frame is fetched and a draft is saved before the answer is sent. With TELLING `1` each
answer carries traces like a browser's (what was done on the screen and how long that took); with `0` none.
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
PLACE = re.compile(rb'data-url-stage="(/work/([0-9a-f-]{36})/([a-z_]+)/)"')
FRAME = re.compile(rb'<iframe [^>]*src="(/page/[^"]+)"')
BAD = [["question", {"verdict": "bad", "reasons": ["ambiguous"]}]]
IDLE = 60
"""Seconds after which a connection may have been closed."""
CSRF = "c" * 32
"""Django accepts any CSRF cookie of the right length that the header repeats."""


@dataclass
class Ledger:
    """What the annotators saw.

    Per question the seconds it took and when it ended; per request the seconds; errors by kind; work by annotator.
    """

    loops: list[tuple[float, float]] = field(default_factory=list)
    requests: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    sent_away: int = 0
    sent: int = 0
    received: int = 0


class Annotator:
    """One person: a keep-alive connection, a session, the form of the current question."""

    def __init__(self, place: Any, session: str, ledger: Ledger, answers: Any = BAD, *, telling: bool = False) -> None:
        self.place, self.ledger, self.answers, self.telling = place, ledger, answers, telling
        self.first = answers[0][0].encode()
        self.headers = {
            "Host": place.netloc,
            "Cookie": f"goldfinch_session={session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "HX-Request": "true",
            "Accept-Encoding": "gzip",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.connection = HTTPConnection(place.hostname, place.port, timeout=60)

    def post(self, path: str, fields: dict[str, Any]) -> tuple[int, bytes]:
        return self.ask("POST", path, urlencode(fields, doseq=True).encode())

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        begun = time.monotonic()
        self.connection.request(method, path, body, self.headers)
        response = self.connection.getresponse()
        content = response.read()
        self.ledger.requests.append(time.monotonic() - begun)
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
        self.check(status, page)
        found = PLACE.search(page)
        if found is None:
            self.ledger.sent_away += 1
        elif found[3] == self.first:
            self.ledger.given[found[2].decode()] += 1
        return page

    def loop(self, page: bytes) -> bytes:
        """Answer a question to its end; return the page of the next one."""
        begun = time.monotonic()
        for stage, fields in self.answers:
            page = self.commit(page, stage, fields)
        ended = time.monotonic()
        self.ledger.loops.append((ended - begun, ended))
        return page

    def commit(self, page: bytes, stage: str, fields: dict[str, Any]) -> bytes:
        """Answer one stage as its screen does; return the next page."""
        path, _uuid, shown = (part.decode() for part in PLACE.search(page).groups())
        if shown != stage:
            raise HTTPException(f"{shown} instead of {stage}")
        hidden = {name.decode(): value.decode() for name, value in FIELD.findall(page)}
        if frame := FRAME.search(page):
            self.check(*self.ask("GET", frame[1].decode()))
            draft = hidden | {"seq": 1, "data": json.dumps(fields)}
            self.check(*self.post(f"{path}draft/", draft))
        return self.take(*self.post(path, hidden | fields | (told() if self.telling else {})))

    def check(self, status: int, _content: bytes) -> None:
        if status >= 400:
            self.ledger.errors[str(status)] += 1
            raise HTTPException(str(status))


def told() -> dict[str, Any]:
    """The traces of a screen after some seconds with a few keys."""
    sent = round(time.time() * 1000)
    lines = [
        [0, "stage_entered", {"width": 1440, "height": 900}, ""],
        [2100, "choice_changed", {"verdict": "bad"}, "keyboard"],
        [4000, "shortcut_used", {"b": 1, "1": 1, "Enter": 1}, "keyboard"],
        [4000, "in_sight", {"ms": 4000, "active": 2500}, "keyboard"],
    ]
    return {"trace": json.dumps([{"n": sent % 2**30 + 1, "at": sent - 4000, "lines": lines}]), "sent": sent}


def work(annotator: Annotator, slug: str, *, begin: threading.Barrier, until: list[float], think: float) -> None:
    """One person's working time, once everybody has a question; ends when there is no more work."""
    try:
        page = annotator.claim(slug)
        begin.wait(300)
        rng = random.Random()
        while time.monotonic() < until[0] and PLACE.search(page):
            if think:
                pause = rng.expovariate(1 / think)
                time.sleep(pause)
                if pause > IDLE:
                    annotator.connection.close()  # as a browser would notice; the next request opens a new one
            page = annotator.loop(page)
    except threading.BrokenBarrierError:
        return
    except (HTTPException, OSError) as error:
        begin.abort()
        annotator.ledger.errors[type(error).__name__] += 1


def main(urls: str, slug: str, seconds: str, think: str, answers: str, telling: str) -> None:
    """Run them all and print what they saw."""
    ledger, places = Ledger(), [urlsplit(url) for url in urls.split(",")]
    sessions = [line.strip() for line in sys.stdin if line.strip()]
    said = json.loads(answers)
    people = [
        Annotator(places[number % len(places)], one, ledger, said, telling=telling == "1")
        for number, one in enumerate(sessions)
    ]
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
    print(json.dumps(summary(ledger, people=len(people), seconds=float(seconds), until=until[0])))


def summary(ledger: Ledger, *, people: int, seconds: float, until: float) -> dict[str, Any]:
    """Questions a second within the time, and the times of one question and of one request in ms."""
    times, requests = sorted(took for took, _ended in ledger.loops), sorted(ledger.requests[people:])
    return {
        "annotators": people,
        "questions": len(times),
        "questions_per_s": round(sum(ended <= until for _took, ended in ledger.loops) / seconds, 1),
        "median_ms": round(statistics.median(times) * 1000, 1),
        "p95_ms": round(times[int(len(times) * 0.95)] * 1000, 1),
        "worst_ms": round(times[-1] * 1000, 1),
        "request_median_ms": round(statistics.median(requests) * 1000, 1),
        "request_p95_ms": round(requests[int(len(requests) * 0.95)] * 1000, 1),
        "errors": dict(ledger.errors),
        "given_twice": sum(count - 1 for count in ledger.given.values()),
        "sent_away": ledger.sent_away,
        "bytes_per_question": round(ledger.received / max(1, len(times))),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
