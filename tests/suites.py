"""Run the suites, each in its own pytest process, and repeat at the end which tests failed, and the closing lines.

    python -m tests.suites [SUITE ...]

The browser needs a process to itself, because playwright's event loop breaks the ORM and pytest-asyncio in other tests.
Three suites run at a time, which keeps two cores busy while one of them waits for a server, a browser or a disk; on
many cores each suite has several processes. A suite shows its output when it ends. Suites that were left out are
listed.

The suite `coverage` is `sqlite` with line coverage, so that coverage can't drop. That takes a tenth longer, so it is
part of `make test` and not of `make test-quick`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import line_coverage

CONTRACT = "tests/protocols/test_contract.py"
IN_CHROMIUM = "tests/proofs/browser"
APART = ["--ignore=tests/browser", "--ignore=tests/proofs", "--ignore=tests/races", f"--ignore={CONTRACT}"]
WITHOUT_A_DATABASE = [f"--ignore=tests/proofs/test_{name}.py" for name in ("hostile_imports", "spans")]
AT_A_TIME = 3
PROCESSES = min((os.cpu_count() or 1) // AT_A_TIME, 4)
"""Processes of a suite beside another one; a single one needs no pytest-xdist, and imports and migrates only once."""
ON_SQLITE = ["tests", *APART]
IN_GROUPS = ["--dist=loadgroup"]
POSTGRESQL = ["--database=postgresql"]
SUITES = {
    "coverage": [*ON_SQLITE, "-p", "tests.line_coverage"],
    "postgresql": ["tests", *APART, *POSTGRESQL, "-m", "database"],
    "browser": ["tests/browser", "--dist=loadfile"],
    "contract": [CONTRACT],
    "proofs-postgresql": ["tests/proofs", f"--ignore={IN_CHROMIUM}", *WITHOUT_A_DATABASE, *IN_GROUPS, *POSTGRESQL],
    "proofs-sqlite": ["tests/proofs", f"--ignore={IN_CHROMIUM}", *IN_GROUPS],
    "races-postgresql": ["tests/races", *POSTGRESQL],
    "proofs-browser": [IN_CHROMIUM],
    "races-sqlite": ["tests/races"],
}
"""The longest first, so that all places end at about the same time."""
ONE_PROCESS = ("races-postgresql", "proofs-browser", "races-sqlite")
"""Suites whose tests need every core, or share one site. The controls of the races show that they still catch."""
ONLY_WHEN_NAMED = {"sqlite": ON_SQLITE, "slow-clients": ["tests/frontend/server/test_gateway_slow_clients.py"]}
"""Run only when named, as by `make test-quick` and `make prove`; otherwise they are part of the other suites."""
NICE = "-n15"
"""A low priority, or jobs that a test starts, which run at a lower one, would not get a processor."""
LONGEST = 90 * 60
"""Seconds after which a suite that still runs is ended as hanging, with the stack of each thread."""
LINES = Path("build/lines")
"""Each process of the suite `coverage` writes there which lines it ran."""


def run_all(names: list[str]) -> Iterator[tuple[str, tuple[bool, list[str]]]]:
    """Run the suites, AT_A_TIME together, in the given order; yield each name with the result of `run`."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        yield from zip(names, pool.map(lambda name: run(name, alone=len(names) == 1), names), strict=True)


def run(name: str, *, alone: bool = True) -> tuple[bool, list[str]]:
    """Run one suite; return whether it passed, and pytest's lines on what failed and its closing line.

    `alone`: show the output as it comes; else when it is complete, since another suite is running.
    """
    command = ["nice", NICE, sys.executable, "-m", "pytest", "--durations=5", *(SUITES | ONLY_WHEN_NAMED)[name]]
    if PROCESSES > 1 and name not in ONE_PROCESS:
        command.append(f"--numprocesses={PROCESSES}")
    head = f"\n--- {name}: {' '.join(command[3:])}"
    print(head if alone else f"--- {name} begins", flush=True)
    lines: list[str] = []
    environment = dict(os.environ)
    # Compiling our modules anew takes each process of the tests some seconds.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if name == "coverage":
        shutil.rmtree(LINES, ignore_errors=True)
        LINES.mkdir(parents=True)
        environment[line_coverage.VARIABLE] = str(LINES)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        hanging = threading.Timer(LONGEST, process.send_signal, [signal.SIGABRT])  # pytest's faulthandler tells where
        hanging.start()
        for line in process.stdout or ():
            lines.append(line)
            if alone:
                print(line, end="", flush=True)
        _pid, status, used = os.wait4(process.pid, 0)
        hanging.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    if not alone:
        print(head, "".join(lines), sep="\n", flush=True)
    closing = next((line.rstrip() for line in reversed(lines) if line.strip()), "no output")
    passed = process.returncode == 0
    if name == "coverage":
        passed = line_coverage.covered(Path.cwd(), LINES) and passed
    seconds = used.ru_utime + used.ru_stime
    failed = [line.rstrip() for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return passed, [*failed, f"{closing} ({name}: {seconds:.0f} s of processor time{'' if passed else ', FAILED'})"]


def main(names: list[str]) -> int:
    """Run all suites, even after failures; return 1 if one failed."""
    begun = time.monotonic()
    results = dict(run_all(names or list(SUITES)))
    left_out = [name for name in SUITES if name not in results]
    print(f"\n--- {time.monotonic() - begun:.0f} s in all")
    if left_out:
        print(f"--- left out: {', '.join(left_out)} (make test runs them)")
    for _passed, lines in results.values():
        print(*lines, sep="\n")
    return 0 if all(passed for passed, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
