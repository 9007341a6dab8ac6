"""An annotator's loop ("bad", and the next question) and whole examples (a box and a span) over HTTP.

10,000 questions, one annotation each. 20 and 100 annotators without think time; 20 who answer whole examples about a
page of 110 KB, with its frame and a saved draft at two of the three stages; 100 whose screens send traces, as in a
browser; 100 of these with 10 s of think time on average, alone and while an import (of 300 such pages) and an export
run continuously, in a process each. The time of a request is until its last byte. Server, database and annotators share
the machine's cores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.bench.annotators import BAD
from tests.bench.databases import production_servers
from tests.bench.files import raw_lines
from tests.bench.yardstick import yardstick
from tests.site import CHECKOUT, Site

QUESTIONS, PEOPLE, SECONDS, THINK = 10_000, 100, 20, 10
IMPORTS = 50
"""Projects to import into: more than there will be imports."""
CREATE = """
from annotation import clock
from tests.factories.corpus import ProjectFactory
for number in range({count}):
    slug = f"incoming-{{number}}"
    ProjectFactory(slug=slug, created_at=clock.now())
"""


def annotators(
    urls: list[str],
    sessions: list[str],
    *,
    slug: str = "loops",
    seconds: float = SECONDS,
    think: float = 0,
    answers: Any = BAD,
    telling: bool = False,
) -> dict[str, Any]:
    """Let these people work for a while; the yardstick is measured just before."""
    measured = yardstick()
    words = [",".join(urls), slug, str(seconds), str(think), json.dumps(answers), str(int(telling))]
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.annotators", *words],
        cwd=CHECKOUT,
        input="\n".join(sessions),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout) | {"yardstick": measured}


def memory(pid: int) -> int:
    """The peak memory of a process, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) // 1024


@contextmanager
def files_in_and_out(site: Site, done: Counter[str]) -> Iterator[None]:
    """Repeat imports and exports in turn until the block ends; yields how many ended meanwhile."""
    stop = site.folder / "enough"
    file = site.folder / "incoming.jsonl"
    with file.open("wb") as out:
        out.writelines(raw_lines())
    site.manage("shell", "-c", CREATE.format(count=IMPORTS))
    commands = {
        "imports": ("import_items", "incoming-{n}", str(file)),
        "exports": ("export_release", "examples", "--format", "nq", "--partial"),
    }

    def repeat(name: str) -> None:
        done[name] = int(site.python("tests.bench.again", str(stop), *commands[name]))

    both = [threading.Thread(target=repeat, args=(name,)) for name in commands]
    for one in both:
        one.start()
    yield
    stop.touch()
    for one in both:
        one.join()


def measure(sites: list[Site]) -> dict[str, object]:
    """Every load on a fresh database, served by as many processes as there are sites."""
    first = sites[0].prepare()
    made = json.loads(first.python("tests.bench.furnishing", str(QUESTIONS), str(PEOPLE), str(first.folder)))
    sessions = made["sessions"]
    with ExitStack() as running:
        for site in sites:
            running.callback(site.start().stop)
        urls = [site.url for site in sites]
        figures: dict[str, object] = {
            "web_processes": len(sites),
            "20 annotators": annotators(urls, sessions[:20]),
            "100 annotators": annotators(urls, sessions),
            "20 annotators, whole examples": annotators(urls, sessions[:20], slug="examples", answers=made["example"]),
            "100 annotators whose screens tell": annotators(urls, sessions, telling=True),
            "100 annotators who think": annotators(urls, sessions, think=THINK, seconds=6 * THINK, telling=True),
        }
        ended: Counter[str] = Counter()
        with files_in_and_out(first, ended):
            figures["100 who think, beside an import and an export"] = annotators(
                urls, sessions, think=THINK, seconds=6 * THINK, telling=True
            )
        return figures | {
            "imports and exports meanwhile": dict(ended),
            "server_peak_mb": [memory(site.server.pid) for site in sites],
        }


def measure_all() -> dict[str, object]:
    """SQLite in embedded mode, in one process; PostgreSQL with Redis, by one process and by two."""
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        figures["sqlite"] = measure([Site(Path(folder))])
    for processes in (1, 2):
        with production_servers() as (place, urls):
            sites = [Site(place, **urls) for _ in range(processes)]
            figures[f"postgresql, {processes} web process{'es' if processes > 1 else ''}"] = measure(sites)
    return figures
