"""A pytest plugin: which lines of the product the tests run, if GOLDFINCH_LINES names a folder for the figures.

SlipCover removes the instruction that counts a line once the line was counted, so tests take a tenth longer. On Python
3.11 coverage.py more than doubles their time, because it needs a trace function. `covered` judges the figures.

    python -m tests.line_coverage NAME PROGRAM [ARGUMENT ...]

counts the lines of another program, for a test that runs the product in a process of its own.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import tomllib
from collections.abc import Iterable
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

import slipcover
from slipcover.importer import SlipcoverLoader
from slipcover.slipcover import format_missing

VARIABLE = "GOLDFINCH_LINES"
RUNS = 2000
"""How often a line that was counted may run again before its instruction is removed. Removing takes 0.15 s, since it
walks through every function: at SlipCover's default, 50, that takes longer than what it saves."""
CLIENT = "goldfinch_client"
"""A package of its own below frontend/api/client, by the name under which scripts import it."""
BELOW_THE_FLOOR = """
Tests run a smaller share of the code than they did before (fail-under in pyproject.toml). Above are the lines that no
test runs: test what your change adds, through the page or service that reaches it, or delete what is no longer needed.
Do not lower the floor, and leave no code out of the measurement.
"""


class Instrumented:
    """Finds the modules of the measured packages and nothing else: pytest's own importing stays as it is."""

    def __init__(self, counting: slipcover.Slipcover, packages: Iterable[str]) -> None:
        self.counting, self.packages = counting, frozenset(packages)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The module's spec, with a loader that instruments its code."""
        if name.partition(".")[0] not in self.packages:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None and spec.origin is not None:
            spec.loader = SlipcoverLoader(self.counting, spec.loader, spec.origin)
        return spec


def start(checkout: Path) -> slipcover.Slipcover:
    """Count the lines of every module of the packages that is imported from now on."""
    config = _config(checkout)
    sources = [str(checkout / name) for name in config["source"]]
    counting = slipcover.Slipcover(source=sources, omit=config["omit"], d_miss_threshold=RUNS)
    sys.meta_path.insert(0, Instrumented(counting, [*config["source"], CLIENT]))
    return counting


def covered(checkout: Path, folder: Path) -> bool:
    """Whether the lines of all processes together reach the floor; prints the figure, and below it what was not run."""
    lines: dict[str, Any] = {}
    for file in sorted(folder.rglob("*.json")):
        found = json.loads(file.read_text())
        if lines:
            slipcover.merge_coverage(lines, found)
        else:
            lines = found
    summary, floor = lines["summary"], _config(checkout)["fail-under"]
    total = summary["covered_lines"] + summary["missing_lines"]
    reached = summary["percent_covered"] >= floor
    if not reached:
        for name, each in lines["files"].items():
            if each["missing_lines"]:
                print(f"{name}: {format_missing(each['missing_lines'], each['executed_lines'], [])}")
        print(BELOW_THE_FLOOR)
    print(f"Lines: {total}, run by tests: {summary['percent_covered']:.1f} % (floor: {floor} %)")
    return reached


def _config(checkout: Path) -> dict[str, Any]:
    return tomllib.loads((checkout / "pyproject.toml").read_text())["tool"]["slipcover"]


FOLDER = os.environ.get(VARIABLE)
_counting = start(Path.cwd()) if FOLDER else None


def pytest_sessionfinish() -> None:
    """Write the lines of this process."""
    _write(os.environ.get("PYTEST_XDIST_WORKER", "alone"))


def _write(name: str) -> None:
    if FOLDER and _counting is not None:
        Path(FOLDER, f"{name}.json").write_text(json.dumps(_counting.get_coverage()))


def counting(name: str) -> tuple[str, ...]:
    """The words before a program's that let its lines count, if lines are counted at all."""
    return ("-m", __name__, name) if FOLDER else ()


if __name__ == "__main__":
    _name, *sys.argv = sys.argv[1:]
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    finally:
        _write(_name)
