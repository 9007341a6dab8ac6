"""Imports, exports and claims in this checkout and in another one, in turns of some seconds, on both databases.

`python -m tests.bench.checkouts.in_turns CHECKOUT [WORK ...]` lets a process of each checkout (the other with its own
`.venv`) do the same work, first the one, then the other, the first of a turn being the second of the next: 60 pages of
110 KB imported, 1,000 pages of 1.4 KB, a release of 5,000 published records of 6 KB as `nq`, and ten claims among
80,000 tasks (`claim_plan`; a veteran after each newcomer, one process). The pages of each turn are new ones. Processes
are started anew three times, since one may be a tenth faster than the next for as long as it lives. Seconds, and those
of processors with child processes but without PostgreSQL's own: medians over the turns after the first of each process,
and the median of now divided by before. Written to results/files_before_and_after.json.
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

TIMES, TURNS = 3, {"large pages": 4, "small pages": 8, "release": 11, "claims": 13}
LARGE, SMALL, CLAIMS = 60, 1000, 10
FIGURES = ("seconds", "processor_seconds")


def main(other: Path, works: list[str]) -> None:
    """Compare with the other checkout; the figures of work that is not done stay."""
    from tests import servers
    from tests.bench.yardstick import yardstick
    from tests.prepared import CHECKOUT

    commit = ["git", "-C", str(other), "rev-parse", "--short", "HEAD"]
    before = subprocess.run(commit, capture_output=True, text=True, check=True).stdout.strip()
    checkouts, figures = {"before": other, "now": CHECKOUT}, {}
    for database in ("sqlite", "postgresql"):
        with tempfile.TemporaryDirectory() as name:
            (folder := Path(name)).chmod(0o755)
            running, urls = [], {}
            for when in checkouts:
                (folder / when / "server").mkdir(parents=True)
                urls[when] = f"sqlite:///{folder / when / 'goldfinch.sqlite3'}"
                if database == "postgresql":
                    running.append(servers.postgresql(folder / when / "server", durable=True))
                    urls[when] = running[-1].url
            pairs: dict[str, list[Pair]] = {work: [] for work in works}
            for times in range(1, TIMES + 1):
                if not (mine := [work for work in works if times == 1 or work != "claims"]):
                    break
                workers = {when: _worker(checkouts[when], folder / when, urls[when]) for when in checkouts}
                for work in mine:
                    pairs[work] += _in_turns(workers, work, TURNS[work])
                    print(database, times, work, json.dumps(_summary(pairs[work])), flush=True)
                for worker in workers.values():
                    worker.communicate()
            measured = yardstick()
            figures[database] = {work: _summary(found) | {"yardstick": measured} for work, found in pairs.items()}
            for server in running:
                server.stop()
    results = CHECKOUT / "tests/bench/results/files_before_and_after.json"
    method = f"{' '.join((__doc__ or '').split())} Before: {before}."
    kept = json.loads(results.read_text())["figures"] if results.exists() else {}
    figures = {database: kept.get(database, {}) | found for database, found in figures.items()}
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


Took = dict[str, float]
Pair = tuple[Took, Took]
"""What a turn took now, and before."""


def _in_turns(workers: dict[str, subprocess.Popen[str]], work: str, turns: int) -> list[Pair]:
    found: dict[str, list[Took]] = {when: [] for when in workers}
    for turn in range(turns):
        for when in sorted(workers, reverse=bool(turn % 2)):
            worker = workers[when]
            print(work, file=worker.stdin, flush=True)
            found[when].append(json.loads(worker.stdout.readline()))
    return list(zip(found["now"][1:], found["before"][1:], strict=True))


def _summary(pairs: list[Pair]) -> dict[str, Any]:
    def median(value: Callable[[Pair, str], float], digits: int) -> Took:
        return {each: round(statistics.median(value(pair, each) for pair in pairs), digits) for each in FIGURES}

    return {
        "before": median(lambda pair, each: pair[1][each], 2),
        "now": median(lambda pair, each: pair[0][each], 2),
        "now / before": median(lambda pair, each: pair[0][each] / pair[1][each], 3),
        "turns": len(pairs),
    }


def work_as_told() -> None:
    """Do the work that each line of standard input names, with what both checkouts have; print what it took."""
    import django

    django.setup()
    from annotation import clock, releases
    from annotation.models import Project
    from tests.bench import claim_plan, files, small_pages
    from tests.builders import load, project

    folder = Path(os.environ["GOLDFINCH_DATA"])
    files.BUILDS, files.PAGES, small_pages.PAGES = 1, LARGE, SMALL
    claim_plan.TASKS, claim_plan.HOLDERS, claim_plan.SEEKERS = 80_000, 300, CLAIMS * TURNS["claims"]
    waiting: list[Any] = []
    lines = {"large pages": b"".join(files.raw_lines()), "small pages": "".join(small_pages.lines()).encode()}

    def released() -> Callable[[], Any]:
        if not Project.objects.filter(slug="records").exists():
            files.export(folder)
        records = Project.objects.get(slug="records")
        return lambda: releases.build(records, format="nq", by=None, now=clock.now())

    def claimed() -> Callable[[], Any]:
        if not waiting:
            found, seekers = claim_plan.furnish("nq", "annotate", "example")
            half = len(seekers) // 2
            waiting.extend((found, each) for pair in zip(seekers[:half], seekers[half:], strict=True) for each in pair)
        found, people = waiting[0][0], [waiting.pop(0)[1] for _ in range(CLAIMS)]
        return lambda: claim_plan.claims(found, "annotate", people)

    def imported(work: str, turn: int) -> Callable[[], Any]:
        file, slug = folder / "lines.jsonl", f"{work[:5]}-{os.getpid()}-{turn}"
        file.write_bytes(lines[work].replace(b"<p>The light", f"<p>Light {os.getpid()} {turn}".encode()))
        return lambda: load(project(slug), file, clock=clock.now)

    for turn, line in enumerate(sys.stdin):
        work = line.strip()
        do = released() if work == "release" else claimed() if work == "claims" else imported(work, turn)
        before, begun = _processor_seconds(), time.perf_counter()
        do()
        took = {"seconds": time.perf_counter() - begun, "processor_seconds": _processor_seconds() - before}
        print(json.dumps(took), flush=True)


def _processor_seconds() -> float:
    return sum(os.times()[:4])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]).resolve(), sys.argv[2:] or list(TURNS))
    else:
        work_as_told()
