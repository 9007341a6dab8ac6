"""Turns of shared work (tests/bench/turns.py) in this checkout and in another one, side by side.

`python -m tests.bench.checkouts.chat CHECKOUT` starts a server of each checkout (the other with its own `.venv`) and
lets 20 pairs of the one talk for three turns, then 20 of the other, the first of a round being the second of the next:
SQLite, then PostgreSQL with Redis, one web process each. Medians over the rounds after the first: the server's
processor time for a commit, and for the partner's fetch of it, in ms, how long the request took, and now divided by
before. Written to results/chat_before_and_after.json.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench import turns
from tests.bench.checkouts.compare import pair, pair_on_postgresql
from tests.bench.yardstick import yardstick
from tests.site import CHECKOUT, Site

ROUNDS, PAIRS = 13, 20
FIGURES = ("processor_ms", "median_ms")


def compared(now: Site, before: Site) -> dict[str, Any]:
    """Medians and ratios per kind of request."""
    sites = {"before": before, "now": now}
    talking = {name: _pairs(site) for name, site in sites.items()}
    rounds = [
        {name: _round(sites[name], next(talking[name])) for name in sorted(sites, reverse=bool(number % 2))}
        for number in range(ROUNDS)
    ][1:]
    figures: dict[str, Any] = {"rounds": len(rounds), "yardstick": yardstick()}
    for kind in ("commit", "fetch"):
        figures[kind] = {
            name: {each: round(statistics.median(one[name][kind][each] for one in rounds), 2) for each in FIGURES}
            for name in sites
        }
        ratios = {each: [one["now"][kind][each] / one["before"][kind][each] for one in rounds] for each in FIGURES}
        figures[kind]["now / before"] = {each: round(statistics.median(ratios[each]), 3) for each in FIGURES}
    print(json.dumps(figures), flush=True)
    return figures


def _pairs(site: Site) -> Iterator[list[tuple[turns.Person, turns.Person]]]:
    """Pairs that have not begun to talk, some at a time; the server is started."""
    made = json.loads(site.prepare().python("tests.bench.turns", str(ROUNDS * PAIRS)))
    site.start()
    pairs = [(turns.Person(site.url, *first), turns.Person(site.url, *second)) for first, second in made]
    return iter([pairs[start : start + PAIRS] for start in range(0, len(pairs), PAIRS)])


def _round(site: Site, pairs: list[tuple[turns.Person, turns.Person]]) -> dict[str, dict[str, float]]:
    found = turns.talk(site, pairs)
    return {kind: {"processor_ms": one["processor_ms"], "median_ms": one["turn_ms"][0]} for kind, one in found.items()}


def main(other: Path) -> None:
    """Compare with the other checkout."""
    commit = ["git", "-C", str(other), "rev-parse", "--short", "HEAD"]
    before = subprocess.run(commit, capture_output=True, text=True, check=True).stdout.strip()
    toy = {name: {"GOLDFINCH_PROTOCOLS": turns.TOY} for name in ("now", "before")}
    with pair(other, **toy) as (now, earlier):
        figures = {"sqlite": compared(now, earlier)}
    with pair_on_postgresql(other, **toy) as (now, earlier):
        figures["postgresql"] = compared(now, earlier)
    method = f"{' '.join((__doc__ or '').split())} Before: {before}."
    results = CHECKOUT / "tests/bench/results/chat_before_and_after.json"
    results.write_text(json.dumps({"method": method, "figures": figures}, indent=2) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
