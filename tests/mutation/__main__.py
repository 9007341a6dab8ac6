"""Make mutants and see which of them the tests let live: `python -m tests.mutation [OPTION ...] [MODULE ...]`.

First the tests run once and tell which statements each of them reaches (kept in build/mutation while the modules stay
the same), then every mutant is tried. What there was no time for is listed as not run; `--again` continues there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.mutation import coverage_map, report
from tests.mutation.modules import CHECKOUT, MODULES, TESTS
from tests.mutation.trials import PLAN, Plan

BUILD = CHECKOUT / "build" / "mutation"
PYTEST = ["nice", "-n15", sys.executable, "-m", "pytest", "-q"]


def options() -> argparse.Namespace:
    """The command line's options."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="only these modules, by path")
    parser.add_argument("--hours", type=float, default=2, help="how long it may take")
    parser.add_argument("--processes", type=int, default=min(os.cpu_count() or 1, 4))
    parser.add_argument("--tests", type=float, default=60, help="seconds of tests for one mutant at most")
    parser.add_argument("--again", action="store_true", help="only those not killed the last time, without a reason")
    parser.add_argument("--map", action="store_true", help="find out anew which tests reach what")
    return parser.parse_args()


def main() -> None:
    """Run everything and print the table."""
    asked, begun = options(), time.time()
    unknown = set(asked.modules) - set(MODULES)
    if unknown:
        sys.exit(f"Not among the modules of tests/mutation/modules.py: {', '.join(sorted(unknown))}")
    file = mapped(asked.processes, anew=asked.map)
    before = report.known()
    left = report.unexplained(before) if asked.again else []
    if asked.again and not left:
        sys.exit("Every mutant of the last run was killed or has its reason.")
    plan = Plan(
        map=str(file),
        results="",
        ends=begun + asked.hours * 3600,
        tests=asked.tests,
        processes=asked.processes,
        modules=tuple(asked.modules or MODULES),
        only=tuple(left),
    )
    outcomes = {**(before if asked.again or asked.modules else {}), **tried(plan)}
    took = f"{(time.time() - begun) / 60:.0f}"
    print(report.write(outcomes, minutes=took, processes=asked.processes, seconds_of_tests_at_most=asked.tests))


def mapped(processes: int, *, anew: bool) -> Path:
    """The file that tells which tests reach which statements; made if it is missing or the modules have changed."""
    read = b"".join((CHECKOUT / module).read_bytes() for module in MODULES)
    file = BUILD / f"map-{hashlib.sha256(read).hexdigest()[:12]}.json"
    if file.exists() and not anew:
        return file
    parts = BUILD / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir(parents=True)
    print(f"Running {len(TESTS)} folders of tests once, to see what they reach ...", flush=True)
    several = [f"-n{processes}"] if processes > 1 else []
    command = [*PYTEST, "-p", "tests.mutation.coverage_map", *several, *TESTS]
    subprocess.run(command, env=os.environ | {coverage_map.VARIABLE: str(parts)}, check=False)
    file.write_text(json.dumps(coverage_map.merged(parts)))
    return file


def tried(plan: Plan) -> dict[str, str]:
    """Try the mutants in several processes; returns the outcome of each that was tried, by name."""
    running = []
    for share in range(plan.processes):
        file, results = BUILD / f"plan-{share}.json", BUILD / f"outcomes-{share}.jsonl"
        results.unlink(missing_ok=True)
        Plan(**{**vars(plan), "share": share, "results": str(results)}).write(file)
        command = [*PYTEST, "-p", "tests.mutation.trials", "tests/mutation/warm_up.py", *TESTS]
        running.append(subprocess.Popen(command, env=os.environ | {PLAN: str(file)}, stdout=subprocess.DEVNULL))
    for each in running:
        each.wait()
    lines = [line for share in range(plan.processes) for line in _lines(BUILD / f"outcomes-{share}.jsonl")]
    return {told["name"]: told["outcome"] for told in map(json.loads, lines)}


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


if __name__ == "__main__":
    main()
