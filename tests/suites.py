"""Run the suites, each in its own pytest process, and repeat at the end which tests failed, and the closing lines.

    python -m tests.suites [--all] [SUITE ...]

The browser needs a process to itself, because playwright's event loop breaks the ORM and pytest-asyncio in other tests.
Two suites run at a time: more processes than cores take more processor time for the same tests. On many cores most
suites have several processes. A suite shows its output when it ends. Suites that were left out are listed.

Tests marked `in_test_all` are left out without `--all` (tests/marks.py says which they are, and why).

A test in Chromium that fails is run once more at the end, alone. That only tells a fault of the product from one of
chance: one that passes then is reported by name, and with three of them the run has failed.

A whole run counts which lines the suites `sqlite` and `postgresql` run, so that coverage can't drop. That takes them a
tenth longer.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests import failures, line_coverage, marks

CONTRACT = "tests/protocols/test_contract.py"
IN_CHROMIUM = "tests/proofs/browser"
APART = [*(f"--ignore=tests/{name}" for name in ("browser", "js", "proofs", "races")), f"--ignore={CONTRACT}"]
WITHOUT_A_DATABASE = [f"--ignore=tests/proofs/test_{name}.py" for name in ("hostile_imports", "spans")]
AT_A_TIME = 2
PROCESSES = min((os.cpu_count() or 1) // AT_A_TIME, 4)
"""Processes of a suite beside another one; a single one needs no pytest-xdist, and imports only once."""
COUNTING = ["-p", "tests.line_coverage"]
"""Of the suites that count lines if LINES is given to them."""
IN_GROUPS = ["--dist=loadgroup"]
POSTGRESQL = ["--database=postgresql"]
SUITES = {
    "browser": ["tests/browser", "--dist=loadfile"],
    "sqlite": ["tests", *APART, *COUNTING],
    "proofs-sqlite": ["tests/proofs", f"--ignore={IN_CHROMIUM}", *IN_GROUPS],
    "contract": [CONTRACT],
    "postgresql": ["tests", *APART, *COUNTING, *POSTGRESQL],
    "races-postgresql": ["tests/races", *POSTGRESQL],
    "proofs-postgresql": ["tests/proofs", f"--ignore={IN_CHROMIUM}", *WITHOUT_A_DATABASE, *IN_GROUPS, *POSTGRESQL],
    "races-sqlite": ["tests/races"],
    "proofs-browser": [IN_CHROMIUM],
    "js": ["tests/js"],
}
"""The longest first, so that all places end at about the same time."""
QUICK = ["tests/rules", "tests/annotation", "tests/tasks"]
ONLY_WHEN_NAMED = {
    "quick": QUICK,
    "slow-clients": ["tests/frontend/server/test_gateway_slow_clients.py"],
}
"""Run only when named, as by `make test-quick` and `make prove`; otherwise they are part of the other suites."""
MARKED = {"postgresql": "database"}
"""Suites that run only tests with a marker."""
LEFT_OUT = {"sqlite": f"not {marks.ON_POSTGRESQL}"}
"""Suites that leave out, for a merge, what another one shows."""
NUMBER_OF_PROCESSES = {
    "races-postgresql": 1, "proofs-browser": 1, "races-sqlite": 1, "browser": 2, "sqlite": 2, "quick": 2, "js": 2,
}  # fmt: skip
"""Where it is not PROCESSES. Races and proofs in Chromium need every core, or share one site. Each process of the
browser's has a site of its own. Scripts run last, with nothing beside them."""
RUN_AGAIN = ("browser", "proofs-browser")
FAILED = re.compile(r"(FAILED|ERROR) \S+\.py\b")
"""Pytest's line on a test that failed; a captured line of a log that begins with ERROR is none."""
CHANCE = 3
"""So many tests that failed and then passed make a run fail."""
BROKEN = 10
"""Where so many tests of a suite fail, it is not chance: they are not run again."""
NICE = "-n15"
"""A low priority, or jobs that a test starts, which run at a lower one, would not get a processor."""
LONGEST = 90 * 60
"""Seconds after which a suite that still runs is ended as hanging, with the stack of each thread."""
LINES = Path("build/lines")
"""Each process of a suite that counts writes into a folder of its suite there which lines it ran."""


@dataclass(frozen=True)
class Outcome:
    """How a suite ended: pytest's lines on what failed, its closing line, seconds, and those of processors."""

    name: str
    passed: bool
    failed: list[str] = field(default_factory=list)
    closing: str = "no output"
    seconds: float = 0
    processor_seconds: float = 0

    def __str__(self) -> str:
        ending = "" if self.passed else ", FAILED"
        times = f"{self.seconds:.0f} s, {self.processor_seconds:.0f} s of processors"
        return "\n".join([*self.failed, f"{self.closing} ({self.name}: {times}{ending})"])


def command_of(name: str, *, everything: bool, cache: str = "") -> list[str]:
    """The command of a suite. `cache`: the folder where pytest remembers what failed, so that it can be run again."""
    command = ["nice", NICE, sys.executable, "-m", "pytest", "--durations=30", *(SUITES | ONLY_WHEN_NAMED)[name]]
    left_out = [] if everything else [f"not {marks.IN_TEST_ALL}", LEFT_OUT.get(name)]
    chosen = [*filter(None, [MARKED.get(name), *left_out])]
    command += ["-m", " and ".join(chosen)] if chosen else []
    if (processes := NUMBER_OF_PROCESSES.get(name, PROCESSES)) > 1:
        command.append(f"--numprocesses={processes}")
    return [*command, "-o", f"cache_dir=build/cache/{cache or name}"]


def run_all(names: list[str], *, everything: bool, counting: bool) -> Iterator[Outcome]:
    """Run the suites, AT_A_TIME together, in the given order; yield how each ended. `counting`: count lines."""

    def run_one(name: str) -> Outcome:
        counted = {line_coverage.VARIABLE: str(_lines_of(name))} if counting and COUNTING[1] in SUITES[name] else {}
        return run(name, command_of(name, everything=everything), alone=len(names) == 1, **counted)

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        yield from pool.map(run_one, names)


def _lines_of(name: str) -> Path:
    (folder := LINES / name).mkdir(parents=True)
    return folder


def run(name: str, command: list[str], *, alone: bool = True, **environment: str) -> Outcome:
    """Run one suite.

    `alone`: show the output as it comes; else when it is complete, since another suite is running.
    """
    head = f"\n--- {name}: {' '.join(command[3:])}"
    print(head if alone else f"--- {name} begins", flush=True)
    variables = os.environ | environment
    # Compiling our modules anew takes each process of the tests some seconds.
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    begun = time.monotonic()
    lines, code, processor_seconds = _output_of(command, variables, show=alone)
    if not alone:
        print(head, "".join(lines), sep="\n", flush=True)
    return Outcome(
        name,
        code == 0,
        [line.rstrip() for line in lines if FAILED.match(line)],
        next((line.rstrip() for line in reversed(lines) if line.strip()), "no output"),
        time.monotonic() - begun,
        processor_seconds,
    )


def _output_of(command: list[str], variables: Mapping[str, str], *, show: bool) -> tuple[list[str], int, float]:
    """Run a command to its end; return its lines, its exit code and its processor seconds."""
    lines: list[str] = []
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, env=variables, **pipes) as process:
        hanging = threading.Timer(LONGEST, process.send_signal, [signal.SIGABRT])  # pytest's faulthandler tells where
        hanging.start()
        for line in process.stdout or ():
            lines.append(line)
            if show:
                print(line, end="", flush=True)
        _pid, status, used = os.wait4(process.pid, 0)
        hanging.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    return lines, process.returncode, used.ru_utime + used.ru_stime


def failed_again(outcome: Outcome, *, everything: bool) -> Outcome:
    """Run what failed in a suite once more, in one process with nothing beside it, tracing all that pages show."""
    command = [
        word for word in command_of(outcome.name, everything=everything) if not word.startswith(("--num", "--dist"))
    ]
    return run(outcome.name, [*command, "--last-failed", "--last-failed-no-failures=none"], **{failures.SNAPSHOTS: "1"})


def by_chance(outcomes: Iterable[Outcome], *, everything: bool) -> tuple[list[Outcome], list[str]]:
    """Run failed tests in Chromium again; return how the suites ended then, and what failed by chance."""
    judged, chance = [], []
    for outcome in outcomes:
        again = outcome.name in RUN_AGAIN and 0 < len(outcome.failed) < BROKEN
        if again and failed_again(outcome, everything=everything).passed:
            chance += outcome.failed
            judged.append(Outcome(**(outcome.__dict__ | {"passed": True, "failed": []})))
        else:
            judged.append(outcome)
    return judged, chance


def main(words: list[str]) -> int:
    """Run all suites, even after failures; return 1 if one failed, too many failed by chance, or coverage dropped."""
    parser = argparse.ArgumentParser(prog="python -m tests.suites")
    parser.add_argument("--all", action="store_true", help="also the tests that are marked in_test_all")
    parser.add_argument("names", nargs="*", metavar="SUITE", help=", ".join([*SUITES, *ONLY_WHEN_NAMED]))
    asked = parser.parse_args(words)
    shutil.rmtree(failures.FAILURES, ignore_errors=True)
    begun = time.monotonic()
    if whole := not asked.names:
        shutil.rmtree(LINES, ignore_errors=True)
    ended = run_all(asked.names or list(SUITES), everything=asked.all, counting=whole)
    outcomes, chance = by_chance(ended, everything=asked.all)
    left_out = [name for name in SUITES if name not in {outcome.name for outcome in outcomes}]
    processors = sum(outcome.processor_seconds for outcome in outcomes)
    print(f"\n--- {time.monotonic() - begun:.0f} s in all, {processors:.0f} s of processors")
    if left_out:
        print(f"--- left out: {', '.join(left_out)} (make test runs them)")
    print(*outcomes, sep="\n")
    for line in chance:
        print(f"Failed by chance: {line.removeprefix('FAILED ')} (passed when it ran once more, alone)")
    if any(failures.FAILURES.glob("*")):
        print(f"What failing tests left: {failures.FAILURES.relative_to(Path.cwd())}")
    covered = not whole or line_coverage.covered(Path.cwd(), LINES)
    return 0 if covered and all(outcome.passed for outcome in outcomes) and len(chance) < CHANCE else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
