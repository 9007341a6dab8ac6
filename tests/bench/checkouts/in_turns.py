"""Imports and exports in this checkout and in another one, in turns of some seconds, on both databases.

`python -m tests.bench.checkouts.in_turns CHECKOUT` lets a process of each checkout (the other with its own `.venv`) do
the same work, first the one, then the other, the first of a turn being the second of the next: 60 pages of 110 KB
imported, 1,000 pages of 1.4 KB, and a release of 5,000 published records of 6 KB as `nq`. The pages of each turn are
new ones. Seconds, and those of processors with child processes but without PostgreSQL's own: medians over the turns
after the first, and the median of now divided by before. Written to results/files_before_and_after.json.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TURNS = {"large pages": 9, "small pages": 9, "release": 21}
LARGE, SMALL = 60, 1000
FIGURES = ("seconds", "processor_seconds")


def main(other: Path) -> None:
    """Compare with the other checkout."""
    from tests import servers
    from tests.bench.yardstick import yardstick
    from tests.prepared import CHECKOUT

    commit = ["git", "-C", str(other), "rev-parse", "--short", "HEAD"]
    before = subprocess.run(commit, capture_output=True, text=True, check=True).stdout.strip()
    checkouts, figures = {"before": other, "now": CHECKOUT}, {}
    for database in ("sqlite", "postgresql"):
        with tempfile.TemporaryDirectory() as name:
            (folder := Path(name)).chmod(0o755)
            running, workers = [], {}
            for when, checkout in checkouts.items():
                (folder / when / "server").mkdir(parents=True)
                url = f"sqlite:///{folder / when / 'goldfinch.sqlite3'}"
                if database == "postgresql":
                    running.append(servers.postgresql(folder / when / "server", durable=True))
                    url = running[-1].url
                workers[when] = _worker(checkout, folder / when, url)
            figures[database] = {work: _in_turns(workers, work, turns) for work, turns in TURNS.items()}
            figures[database]["yardstick"] = yardstick()
            for worker in workers.values():
                worker.communicate()
            for server in running:
                server.stop()
    results = CHECKOUT / "tests/bench/results/files_before_and_after.json"
    method = f"{' '.join((__doc__ or '').split())} Before: {before}."
    results.write_text(json.dumps({"method": method, "figures": figures}, indent=2) + "\n")


def _worker(checkout: Path, folder: Path, url: str) -> subprocess.Popen[str]:
    """A process of a checkout that does a piece of work for each line that it reads."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "frontend.settings", "GOLDFINCH_DATA": str(folder), "DATABASE_URL": url,
        "REDIS_URL": "", "PYTHONPATH": str(checkout),
    }  # fmt: skip
    python = checkout / ".venv/bin/python"
    for words in (["migrate", "--verbosity=0"], ["collectstatic", "--noinput", "--verbosity=0"]):
        subprocess.run([python, "manage.py", *words], cwd=checkout, env=environment, check=True)
    return subprocess.Popen(
        [python, str(Path(__file__).resolve())], cwd=checkout, env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def _in_turns(workers: dict[str, subprocess.Popen[str]], work: str, turns: int) -> dict[str, Any]:
    found: dict[str, list[dict[str, float]]] = {when: [] for when in workers}
    for turn in range(turns):
        for when in sorted(workers, reverse=bool(turn % 2)):
            worker = workers[when]
            print(work, file=worker.stdin, flush=True)
            found[when].append(json.loads(worker.stdout.readline()))
    pairs = list(zip(found["now"][1:], found["before"][1:], strict=True))
    median = {
        when: {each: round(statistics.median(one[each] for one in ones[1:]), 2) for each in FIGURES}
        for when, ones in found.items()
    }
    ratios = {each: round(statistics.median(now[each] / before[each] for now, before in pairs), 3) for each in FIGURES}
    print(work, json.dumps(figures := median | {"now / before": ratios, "turns": turns - 1}), flush=True)
    return figures


def work_as_told() -> None:
    """Do the work that each line of standard input names, with what both checkouts have; print what it took."""
    import django

    django.setup()
    from annotation import clock, releases
    from annotation.models import Project
    from tests.bench import files, small_pages
    from tests.builders import load, project

    folder = Path(os.environ["GOLDFINCH_DATA"])
    files.BUILDS, files.PAGES, small_pages.PAGES = 1, LARGE, SMALL
    lines = {"large pages": b"".join(files.raw_lines()), "small pages": "".join(small_pages.lines()).encode()}

    def released() -> Callable[[], Any]:
        if not Project.objects.filter(slug="records").exists():
            files.export(folder)
        records = Project.objects.get(slug="records")
        return lambda: releases.build(records, format="nq", by=None, now=clock.now())

    def imported(work: str, turn: int) -> Callable[[], Any]:
        file, slug = folder / "lines.jsonl", f"{work[:5]}-{turn}"
        file.write_bytes(lines[work].replace(b"<p>The light", f"<p>Light {turn}".encode()))
        return lambda: load(project(slug), file, clock=clock.now)

    for turn, line in enumerate(sys.stdin):
        work = line.strip()
        do = released() if work == "release" else imported(work, turn)
        before, begun = _processor_seconds(), time.perf_counter()
        do()
        took = {"seconds": time.perf_counter() - begun, "processor_seconds": _processor_seconds() - before}
        print(json.dumps(took), flush=True)


def _processor_seconds() -> float:
    return sum(os.times()[:4])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]).resolve())
    else:
        work_as_told()
