"""Run the suites, each in its own pytest process, and repeat their closing lines at the end.

    python -m tests.suites [SUITE ...]

The browser needs a process to itself, because playwright's event loop breaks the ORM and pytest-asyncio in other tests.
Suites of one process run two at a time, and show their output when they end. Suites that were left out are listed.

The suite `coverage` is `sqlite` with line coverage, so that coverage can't drop. That takes a fifth longer, so it is
part of `make test` and not of `make test-quick`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import line_coverage

CONTRACT = "tests/protocols/test_contract.py"
IN_CHROMIUM = "tests/proofs/browser"
APART = ["--ignore=tests/browser", "--ignore=tests/proofs", "--ignore=tests/races", f"--ignore={CONTRACT}"]
WITHOUT_A_DATABASE = [f"--ignore=tests/proofs/test_{name}.py" for name in ("hostile_imports", "spans")]
IN_PARALLEL = ["--numprocesses=logical", "--maxprocesses=4"]
IN_GROUPS = [*IN_PARALLEL, "--dist=loadgroup"]
POSTGRESQL = ["--database=postgresql"]
ON_SQLITE = ["tests", *APART, *IN_PARALLEL]
SUITES = {
    "coverage": [*ON_SQLITE, "-p", "tests.line_coverage"],
    "postgresql": ["tests", *APART, *IN_PARALLEL, *POSTGRESQL, "-m", "database"],
    "proofs-sqlite": ["tests/proofs", f"--ignore={IN_CHROMIUM}", *IN_GROUPS],
    "proofs-postgresql": ["tests/proofs", f"--ignore={IN_CHROMIUM}", *WITHOUT_A_DATABASE, *IN_GROUPS, *POSTGRESQL],
    "browser": ["tests/browser", "--numprocesses=2", "--dist=loadfile"],
    "contract": [CONTRACT, *IN_PARALLEL],
    "races-postgresql": ["tests/races", *POSTGRESQL],
    "proofs-browser": [IN_CHROMIUM],
    "races-sqlite": ["tests/races"],
}
TWO_AT_A_TIME = ("races-postgresql", "proofs-browser", "races-sqlite")
"""Suites of one process, the longest first. The controls of the races show that they still catch what they should."""
ONLY_WHEN_NAMED = {"sqlite": ON_SQLITE, "slow-clients": ["tests/frontend/server/test_gateway_slow_clients.py"]}
"""Run only when named, as by `make test-quick` and `make prove`; otherwise they are part of the other suites."""
LINES = Path("build/lines")
"""Each process of the suite `coverage` writes there which lines it ran."""


def run_all(names: list[str]) -> Iterator[tuple[str, tuple[bool, str]]]:
    """Run the suites, those of one process last and two at a time; yield each name with the result of `run`."""
    pairs = [name for name in TWO_AT_A_TIME if name in names]
    for name in names:
        if name not in pairs:
            yield name, run(name)
    with ThreadPoolExecutor(2) as pool:
        yield from zip(pairs, pool.map(lambda name: run(name, at_the_end=len(pairs) > 1), pairs), strict=True)


def run(name: str, *, at_the_end: bool = False) -> tuple[bool, str]:
    """Run one suite, showing its output; return whether it passed, and pytest's closing line.

    `at_the_end`: show the output when it is complete, since another suite is running.
    """
    command = [sys.executable, "-m", "pytest", "--durations=5", *(SUITES | ONLY_WHEN_NAMED)[name]]
    head = f"\n--- {name}: {' '.join(command[1:])}"
    lines: list[str] = []
    environment = dict(os.environ)
    if name == "coverage":
        shutil.rmtree(LINES, ignore_errors=True)
        LINES.mkdir(parents=True)
        environment[line_coverage.VARIABLE] = str(LINES)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    if not at_the_end:
        print(head, flush=True)
    with subprocess.Popen(command, env=environment, **pipes) as process:
        for line in process.stdout or ():
            lines.append(line)
            if not at_the_end:
                print(line, end="", flush=True)
    if at_the_end:
        print(head, "".join(lines), sep="\n", flush=True)
    closing = next((line.rstrip() for line in reversed(lines) if line.strip()), "no output")
    passed = process.returncode == 0
    if name == "coverage":
        passed = line_coverage.covered(Path.cwd(), LINES) and passed
    return passed, closing


def main(names: list[str]) -> int:
    """Run all suites, even after failures; return 1 if one failed."""
    begun = time.monotonic()
    results = dict(run_all(names or list(SUITES)))
    left_out = [name for name in SUITES if name not in results]
    print(f"\n--- {time.monotonic() - begun:.0f} s in all")
    if left_out:
        print(f"--- left out: {', '.join(left_out)} (make test runs them)")
    for name, (passed, closing) in results.items():
        print(f"{closing} ({name}{'' if passed else ': FAILED'})")
    return 0 if all(passed for passed, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
