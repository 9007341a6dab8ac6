"""An annotator's requests beside clients that guess passwords (promise P19).

Four annotators answer "bad" to one question after another with 0.2 s of think time for 30 s on SQLite: alone, beside 32
clients of one address, and beside 32 clients with an address each. A guesser sends a log-in, each time with another
name, and the next one as soon as it is answered. Times of one request in ms; peak memory of the server in MB, from
before to after. Server, annotators and guessers share the machine's cores. The server starts anew for each.

    python -m tests.bench.log_ins URL SECONDS one|each      (the guessers: prints how often each status was the answer)
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.bench.annotators import CSRF
from tests.bench.loops import annotators, memory
from tests.bench.yardstick import beside_yardstick
from tests.site import CHECKOUT, Site

GUESSERS, PEOPLE, QUESTIONS = 32, 4, 2000
SECONDS, THINK = 30, 0.2
BESIDE = {
    "alone": "",
    f"beside {GUESSERS} guessers at one address": "one",
    f"beside {GUESSERS} guessers at an address each": "each",
}


def measure_all() -> dict[str, dict[str, Any]]:
    """The figures alone and beside guessers."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder)).prepare()
        made = json.loads(site.python("tests.bench.furnishing", str(QUESTIONS), str(PEOPLE), folder))
        for label, addresses in BESIDE.items():
            site.start()
            try:
                figures[label] = beside_yardstick(partial(_measure, site, made["sessions"], addresses))
            finally:
                site.stop()
    return figures


def _measure(site: Site, sessions: list[str], addresses: str) -> dict[str, Any]:
    before = _use(site, sessions, seconds=3)["memory_mb"]
    guessers = None
    if addresses:
        words = [sys.executable, "-m", "tests.bench.log_ins", site.url, str(SECONDS), addresses]
        guessers = subprocess.Popen(words, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
        if guessers.stdout is not None:
            guessers.stdout.readline()  # they have begun
    figures = _use(site, sessions, seconds=SECONDS)
    figures["memory_mb"] = [before, figures["memory_mb"]]
    if guessers is not None:
        figures["answers_to_guessers"] = json.loads(guessers.communicate()[0])
    return figures


def _use(site: Site, sessions: list[str], *, seconds: float) -> dict[str, Any]:
    seen = annotators([site.url], sessions, seconds=seconds, think=THINK)
    kept = {name: seen[name] for name in ("questions", "request_median_ms", "request_p95_ms", "errors")}
    return kept | {"memory_mb": memory(site.server.pid)}


def guess(place: Any, number: int, address: str, until: float, answers: Counter[str]) -> None:
    """Try one password after another."""
    headers = {"Host": place.netloc, "Cookie": f"csrftoken={CSRF}", "X-CSRFToken": CSRF}
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    tries = 0
    while time.monotonic() < until:
        connection = HTTPConnection(place.hostname, place.port, timeout=60, source_address=(address, 0))
        try:
            body = urlencode({"username": f"name-{number}-{tries}", "password": f"guess {tries}"})
            connection.request("POST", "/login/", body, headers)
            answers[str(connection.getresponse().status)] += 1
        except (OSError, HTTPException) as error:
            answers[type(error).__name__] += 1
        finally:
            connection.close()
        tries += 1


def main(url: str, seconds: str, addresses: str) -> None:
    """Guess for so long."""
    answers: Counter[str] = Counter()
    until, place = time.monotonic() + float(seconds), urlsplit(url)
    threads = [
        threading.Thread(
            target=guess,
            args=(place, number, f"127.0.1.{number + 1}" if addresses == "each" else "127.0.0.1", until, answers),
        )
        for number in range(GUESSERS)
    ]
    for thread in threads:
        thread.start()
    print("begun", flush=True)
    for thread in threads:
        thread.join()
    print(json.dumps(answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
