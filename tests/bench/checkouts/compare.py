"""The loop of an annotator (tests/bench/loops.py) in this checkout and in another one, side by side.

`python -m tests.bench.checkouts.compare CHECKOUT` starts a server of each checkout (the other with its own `.venv`) and
lets the same annotators work for a few seconds at the one, then at the other, the first of a round being the second of
the next, so that both meet the same hour of a shared machine: SQLite, then PostgreSQL with Redis, one web process each.
The figures are medians over the rounds: questions a second, the p95 of a question in ms, the server's processor time
for a question in ms (in `processor_ms`; without that of PostgreSQL's own processes), and now divided by before. Written
to results/before_and_after.json. With `--rounds N` and `--load LOAD`, which may be repeated, only those loads are
measured anew, on PostgreSQL, and their rows replaced: for when the machine's speed drifts more than the two differ.

`python -m tests.bench.checkouts.compare CHECKOUT BENCH ...` runs those benchmarks of `make bench` instead, each in the
other checkout, twice in this one, and in the other again. Written to results/benches_before_and_after.json.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests import servers
from tests.bench import loops
from tests.bench.yardstick import processor_seconds
from tests.site import CHECKOUT, Site

ROUNDS, SECONDS, QUESTIONS, PEOPLE = 4, 8, 10_000, 100
FIGURES = ("questions_per_s", "p95_ms", "processor_ms")
LOADS: dict[str, dict[str, Any]] = {
    "20 annotators": {"people": 20},
    "100 annotators": {"people": PEOPLE},
    "100 annotators whose screens tell": {"people": PEOPLE, "telling": True},
    "20 annotators, whole examples": {"people": 20, "slug": "examples"},
    "100 annotators who think": {"people": PEOPLE, "telling": True, "think": loops.THINK, "seconds": 20},
}


def furnished(site: Site) -> Any:
    """The sessions of people and the answers to a whole example, on a fresh database; the server is started."""
    made = json.loads(site.prepare().python("tests.bench.furnishing", str(QUESTIONS), str(PEOPLE), str(site.folder)))
    site.start()
    return made


def row(site: Site, made: Any, *, people: int, seconds: int = SECONDS, slug: str = "loops", **options: Any) -> Any:
    """One round of one load."""
    before = processor_seconds(site.server.pid)
    if slug == "examples":
        options["answers"] = made["example"]
    found = loops.annotators([site.url], made["sessions"][:people], slug=slug, seconds=seconds, **options)
    spent = processor_seconds(site.server.pid) - before
    return found | {"processor_ms": round(1000 * spent / found["questions"], 2)}


def compared(now: Site, before: Site, loads: Iterable[str] = LOADS, rounds: int = ROUNDS) -> dict[str, Any]:
    """Loads, in rounds that alternate between the two."""
    sites = {"before": before, "now": now}
    made = {name: furnished(site) for name, site in sites.items()}
    figures: dict[str, Any] = {}
    for load in loads:
        found = [
            {name: row(sites[name], made[name], **LOADS[load]) for name in sorted(sites, reverse=bool(number % 2))}
            for number in range(rounds)
        ]
        median = {
            name: {figure: statistics.median(each[name][figure] for each in found) for figure in FIGURES}
            for name in sites
        }
        ratio = {figure: round(median["now"][figure] / median["before"][figure], 3) for figure in FIGURES}
        errors = {name: sum(sum(each[name]["errors"].values()) for each in found) for name in sites}
        yardsticks = [each["now"]["yardstick"] for each in found]
        figures[load] = (
            {"rounds": rounds} | median | {"now / before": ratio, "errors": errors, "yardsticks": yardsticks}
        )
        print(load, json.dumps(figures[load]), flush=True)
    return figures


@contextmanager
def pair(other: Path, **environment: dict[str, str]) -> Iterator[tuple[Site, Site]]:
    """A site of this checkout and one of the other, each with a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        Path(folder).chmod(0o755)
        sites = []
        for name, checkout in (("now", CHECKOUT), ("before", other)):
            place = Path(folder) / name
            place.mkdir()
            sites.append(Site(place, checkout=checkout, **environment.get(name, {})))
            running.callback(sites[-1].stop)
        yield sites[0], sites[1]


def measure_all(other: Path) -> dict[str, Any]:
    """On both databases."""
    with pair(other) as (now, before):
        figures = {"sqlite": compared(now, before)}
    return figures | {"postgresql": on_postgresql(other)}


@contextmanager
def pair_on_postgresql(other: Path, **environment: dict[str, str]) -> Iterator[tuple[Site, Site]]:
    """The same on PostgreSQL with Redis, each checkout with servers of its own."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        Path(folder).chmod(0o755)
        urls = {}
        for name in ("now", "before"):
            for server in ("postgresql", "redis"):
                (Path(folder) / name / server).mkdir(parents=True)
            database = servers.postgresql(Path(folder) / name / "postgresql", durable=True)
            broker = servers.redis_server(Path(folder) / name / "redis")
            running.callback(database.stop)
            running.callback(broker.stop)
            urls[name] = {"DATABASE_URL": database.url, "REDIS_URL": broker.url} | environment.get(name, {})
        with pair(other, **urls) as sites:
            yield sites


def on_postgresql(other: Path, **options: Any) -> dict[str, Any]:
    """On PostgreSQL with Redis. `options`: which loads, how many rounds."""
    with pair_on_postgresql(other) as (now, before):
        return compared(now, before, **options)


def benches(other: Path, names: list[str]) -> dict[str, Any]:
    """The figures of each named benchmark in both checkouts, as each writes them, twice."""
    figures: dict[str, Any] = {name: {"before": [], "now": []} for name in names}
    both = {"before": other, "now": CHECKOUT}
    for name in names:
        for when in ("before", "now", "now", "before"):
            checkout = both[when]
            subprocess.run([checkout / ".venv/bin/python", "-m", "tests.bench", name], cwd=checkout, check=True)
            written = json.loads((checkout / "tests/bench/results" / f"{name}.json").read_text())
            figures[name][when].append({key: written[key] for key in ("machine", "figures")})
    return figures


def main(words: list[str]) -> None:
    """Compare with the other checkout."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.checkouts.compare")
    parser.add_argument("other", type=Path, metavar="CHECKOUT")
    parser.add_argument("benches", nargs="*", metavar="BENCH")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--load", action="append", choices=LOADS, default=[])
    asked = parser.parse_args(words)
    other = asked.other.resolve()
    commit = ["git", "-C", str(other), "rev-parse", "--short", "HEAD"]
    before = subprocess.run(commit, capture_output=True, text=True, check=True).stdout.strip()
    method = (
        f"{' '.join((__doc__ or '').split())} Before: {before}. Rounds of {SECONDS} s, {ROUNDS} unless a row says else."
    )
    results = CHECKOUT / "tests/bench/results" / f"{'benches_' if asked.benches else ''}before_and_after.json"
    figures = json.loads(results.read_text())["figures"] if results.exists() else {}
    if asked.benches:
        figures |= benches(other, asked.benches)
    elif asked.load:
        figures["postgresql"] |= on_postgresql(other, loads=asked.load, rounds=asked.rounds)
    else:
        figures = measure_all(other)
    results.write_text(json.dumps({"method": method, "figures": figures}, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
