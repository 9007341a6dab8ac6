"""Repeat the browser suite and the races, and keep a log of how often a test was red.

    python -m tests.flake [--quiet N] [--busy N] [--again N] [--minutes N] [--beside N] [--also TEST ...]

A *run* is the suites of SUITES, each once, nothing run again: as `make test` runs them, and the first one under each
load as `make test-all` does. So many runs are made with nothing beside them, and so many beside four busy loops, and
every test that the log has ever seen red is run so often by itself; runs that the log has already are not made again.
They count from the last red run on: it starts the count anew, for what was mended since then has to be shown. It stops
at the first red run, or when the minutes are over, and can be continued.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests import suites
from tests.flake import one_case

LOG = Path(__file__).parent / "log.jsonl"
SUITES = ("browser", "races-sqlite", "races-postgresql")
LOOPS = 4
"""Busy loops beside a run; on two cores every process then has to wait for its turn."""
LOADS = {"quiet": 0, "busy": LOOPS}
_EVERY_STATE = "tests/browser/access/test_every_state.py::test_every_state_is_accessible"
RENAMED = {f"{_EVERY_STATE}[chromium-narrow]": f"{_EVERY_STATE}[chromium-narrow-leads]"}
"""What a test of the log is called now; of one that was split, the part that was red."""


def entries() -> list[dict[str, Any]]:
    """The lines of the log, oldest first, with the names that tests have now."""
    log = [json.loads(line) for line in LOG.read_text().splitlines()] if LOG.exists() else []
    return [entry | {"red": [RENAMED.get(test, test) for test in entry["red"]]} for entry in log]


def counted(log: list[dict[str, Any]], load: str) -> int:
    """How many runs under this load were green since the last red run under any."""
    runs = [entry for entry in log if entry["kind"] == "run"]
    red = max((number for number, run in enumerate(runs) if run["red"]), default=-1)
    return sum(run["load"] == load for run in runs[red + 1 :])


def ever_red(log: list[dict[str, Any]]) -> list[str]:
    """The tests that were red in any run, or that somebody has named."""
    return sorted({test for entry in log for test in entry["red"]} | {e["test"] for e in log if e["kind"] == "again"})


def repeated(log: list[dict[str, Any]], test: str) -> int:
    """How often a test has passed by itself since it was last red."""
    total = 0
    for entry in log:
        if test in entry["red"]:
            total = 0
        elif entry.get("test") == test:
            total += entry["times"]
    return total


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many processes that do nothing but run, at the priority of the tests."""
    command = ["nice", suites.NICE, sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(command) for _ in range(loops)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


def run_once(load: str, *, everything: bool, beside: int) -> dict[str, Any]:
    """One run: all suites, one after another; its line for the log.

    `everything`: also what a merge leaves out. `beside`: how many processes do the work of a busy loop already.
    """
    begun, red, passed, processors = time.monotonic(), [], {}, 0.0
    loops = max(LOADS[load] - beside, 0)
    with busy(loops):
        for name in SUITES:
            outcome = suites.run(name, suites.command_of(name, everything=everything, cache="flake"))
            red += [test_of(line) for line in outcome.failed] or (
                [] if outcome.passed else [f"{name}: {outcome.closing}"]
            )
            passed[name] = outcome.closing.strip("= ")
            processors += outcome.processor_seconds
    seconds = {"seconds": round(time.monotonic() - begun), "processor_seconds": round(processors)}
    loaded = {"load": load} | ({"loops": loops, "other_processes": beside} if load == "busy" else {})
    return {"kind": "run", **loaded, "everything": everything, "red": red, "suites": passed} | seconds


def again(test: str, times: int) -> dict[str, Any]:
    """One test so often by itself, on SQLite unless it is about PostgreSQL only; its line for the log."""
    repeated_by = ["-p", "tests.flake.one_case", f"--count={times}", test.partition("[")[0]]
    command = ["nice", suites.NICE, sys.executable, "-m", "pytest", "-q", *repeated_by]
    outcome = suites.run(test, command, **{one_case.CASE: test})
    if not outcome.failed and " passed" not in outcome.closing:
        outcome = suites.run(test, [*command, *suites.POSTGRESQL], **{one_case.CASE: test})
    return {
        "kind": "again", "test": test, "times": times, "red": [] if outcome.passed else [test],
        "seconds": round(outcome.seconds), "said": outcome.closing.strip("= "),
    }  # fmt: skip


def test_of(line: str) -> str:
    """The node id in pytest's line on a test that failed."""
    return line.split(" ", 1)[1].split(" - ", 1)[0]


def note(entry: dict[str, Any]) -> None:
    """Append a line to the log, with when and on what it was seen."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    seen = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "commit": commit.stdout.strip(), "machine": machine}
    with LOG.open("a") as log:
        log.write(json.dumps(seen | entry) + "\n")


def main(words: list[str]) -> int:
    """Make what is still owed; return 1 if something was red."""
    parser = argparse.ArgumentParser(prog="python -m tests.flake", description="Repeat what must never fail by chance.")
    parser.add_argument("--quiet", type=int, default=10, help="runs with nothing beside them (10)")
    parser.add_argument("--busy", type=int, default=3, help=f"runs beside {LOOPS} busy loops (3)")
    parser.add_argument("--again", type=int, default=50, help="repetitions of each test that was ever red (50)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin nothing new after so long")
    parser.add_argument(
        "--beside", type=int, default=0, help="so many busy processes run already, as of make mutate: start fewer loops"
    )
    parser.add_argument("--also", nargs="*", default=[], metavar="TEST", help="tests to repeat as if they had been red")
    asked = parser.parse_args(words)
    end = time.monotonic() + asked.minutes * 60
    while (entry := owed(asked, left=end - time.monotonic())) is not None:
        note(entry)
        if entry["red"]:
            print(f"Red: {', '.join(entry['red'])}")
            return 1
    log = entries()
    print(*(f"{load}: {counted(log, load)} green runs in a row" for load in LOADS), sep="\n")
    print(*(f"{test}: {repeated(log, test)} times by itself" for test in ever_red(log)), sep="\n")
    return 0


def owed(asked: argparse.Namespace, *, left: float) -> dict[str, Any] | None:
    """Make the next run that is owed and return its line; None: there is nothing left, or no time."""
    log = entries()
    if left <= 0:
        return None
    for test in sorted({*ever_red(log), *asked.also}):
        if (missing := asked.again - repeated(log, test)) > 0:
            return again(test, missing)
    for load, wanted in (("quiet", asked.quiet), ("busy", asked.busy)):
        if (made := counted(log, load)) < wanted:
            return run_once(load, everything=not made, beside=asked.beside)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
