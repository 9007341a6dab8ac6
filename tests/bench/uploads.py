"""A lead's upload of 1 GB beside annotators at work: its speed, the memory of the server, and what annotators notice.

100 annotators with 10 s of think time on average, whose screens send traces, for a minute: alone, and while one file of
1 GB after another is uploaded in parts of 1 MB, one part at a time, as a browser does. The time of a request is until
its last byte. `peak_mb` is the peak memory of the server so far: before an upload, and after the last one. Server,
database, annotators and the one who uploads share the machine's cores.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
import zlib
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.bench.annotators import CSRF
from tests.bench.databases import production_servers
from tests.bench.loops import annotators, memory
from tests.site import Site

QUESTIONS, PEOPLE, SECONDS, THINK = 5000, 100, 60, 10
SIZE, PART = 2**30, 2**20
FORM = "application/x-www-form-urlencoded"
SESSION = """
from tests import signed_in
from annotation.models import Project
print("SESSION", signed_in.session_of(signed_in.member(Project.objects.get(slug="loops"), "lead", role="lead")))
"""


class Lead:
    """Somebody who uploads one file after another until `stop`; at least one is uploaded as a whole."""

    def __init__(self, url: str, session: str) -> None:
        place = urlsplit(url)
        self.headers = {
            "Host": place.netloc,
            "Cookie": f"goldfinch_session={session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Accept": "application/json",
        }
        self.connection = HTTPConnection(place.hostname, place.port, timeout=60)
        self.stop = threading.Event()
        self.parts: list[float] = []

    def work(self) -> None:
        """Upload until it is enough; the time of each part is noted."""
        block = os.urandom(PART)
        number = 0
        while not (number and self.stop.is_set()):
            number += 1
            beginning = zlib.crc32(block)
            sent = {"name": f"{number}.jsonl", "size": SIZE, "beginning": beginning}
            state = self._ask("/projects/loops/imports/uploads/", urlencode(sent).encode())
            checksum = 0
            for offset in range(0, SIZE, PART):
                checksum = zlib.crc32(block, checksum)
                begun = time.monotonic()
                place = {"Upload-Offset": str(offset), "Upload-Checksum": str(checksum)}
                self._ask(state["url"], block, kind="application/octet-stream", **place)
                self.parts.append(time.monotonic() - begun)
            self._ask(state["remove"], b"", reads=False)

    def _ask(
        self,
        path: str,
        body: bytes,
        *,
        kind: str = "application/x-www-form-urlencoded",
        reads: bool = True,
        **more: str,
    ) -> Any:
        self.connection.request("POST", path, body, self.headers | {"Content-Type": kind} | more)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{answer.status}: {content[:300]!r}")
        return json.loads(content) if reads else None


@contextmanager
def uploading(lead: Lead, figures: dict[str, Any]):
    """One file after another, until the block ends; the figures of the parts go into `figures`."""
    thread = threading.Thread(target=lead.work)
    begun = time.monotonic()
    thread.start()
    yield
    lead.stop.set()
    thread.join()
    took, times = time.monotonic() - begun, sorted(lead.parts)
    figures |= {
        "mb": len(times),
        "mb_per_s": round(len(times) / took, 1),
        "part_median_ms": round(times[len(times) // 2] * 1000, 1),
        "part_p95_ms": round(times[int(len(times) * 0.95)] * 1000, 1),
    }


def measure(site: Site) -> dict[str, Any]:
    """The annotators alone, and beside uploads, on a fresh database."""
    made = json.loads(site.prepare().python("tests.bench.furnishing", str(QUESTIONS), str(PEOPLE), str(site.folder)))
    session = site.manage("shell", "--no-imports", "-c", SESSION).split()[-1]
    site.start()
    try:
        load: dict[str, Any] = {"think": THINK, "seconds": SECONDS, "telling": True}
        alone = annotators([site.url], made["sessions"], **load)
        before, upload = memory(site.server.pid), {}
        with uploading(Lead(site.url, session), upload):
            beside = annotators([site.url], made["sessions"], **load)
        peaks = {"before": before, "after": memory(site.server.pid)}
        return {"alone": alone, "beside uploads": beside, "upload": upload, "peak_mb": peaks}
    finally:
        site.stop()


def measure_all() -> dict[str, Any]:
    """SQLite in embedded mode; PostgreSQL with Redis, by one web process."""
    with tempfile.TemporaryDirectory() as folder:
        figures = {"sqlite": measure(Site(Path(folder)))}
    with production_servers() as (place, urls):
        return figures | {"postgresql": measure(Site(place, **urls))}
