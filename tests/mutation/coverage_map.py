"""A pytest plugin: which tests run which statements of the modules, and how long each test takes.

Written as JSON into the folder that GOLDFINCH_MUTATION_MAP names, a file for each process: {"lines": {module: {line:
[test, ...]}}, "seconds": {test: seconds}}. Without a tracer, so that the tests take no longer than otherwise.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.mutation import modules

VARIABLE = "GOLDFINCH_MUTATION_MAP"
_lines: dict[tuple[str, int], set[str]] = defaultdict(set)
_seconds: dict[str, float] = defaultdict(float)
_now: list[str] = []


def _ran(module: str, line: int) -> None:
    if _now:
        _lines[module, line].add(_now[0])


NAMES = {modules.name_of(module) for module in modules.MODULES}
if VARIABLE in os.environ:
    modules.replace(NAMES, lambda name: modules.counting(name, _ran))


def _forget_compiled_queries() -> None:
    """Their functions run once per process: without this, only the first test that runs a query would be counted."""
    from annotation.db.compiled import _Compiled

    for name in NAMES:
        for value in vars(sys.modules[name]).values() if name in sys.modules else ():
            if isinstance(value, _Compiled):
                value._of_thread = threading.local()
            elif hasattr(value, "cache_clear"):
                value.cache_clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item):
    _forget_compiled_queries()
    _now[:] = [item.nodeid]
    try:
        return (yield)
    finally:
        _now.clear()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] += report.duration
    if report.failed:
        _seconds[report.nodeid] = float("inf")  # not written: a test that fails by itself can't kill


def pytest_sessionfinish() -> None:
    passed = {test: round(seconds, 3) for test, seconds in _seconds.items() if seconds != float("inf")}
    lines: dict[str, dict[int, list[str]]] = defaultdict(dict)
    for (module, line), tests in sorted(_lines.items()):
        lines[module][line] = sorted(tests & passed.keys())
    name = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    Path(os.environ[VARIABLE], f"{name}.json").write_text(json.dumps({"lines": lines, "seconds": passed}))


def merged(folder: Path) -> dict[str, Any]:
    """What all processes have written there, as one."""
    lines: dict[str, dict[str, list[str]]] = {}
    seconds: dict[str, float] = {}
    for file in sorted(folder.glob("*.json")):
        found = json.loads(file.read_text())
        seconds |= found["seconds"]
        for module, reached in found["lines"].items():
            for line, tests in reached.items():
                known = lines.setdefault(module, {})
                known[line] = sorted({*known.get(line, ()), *tests})
    return {"lines": lines, "seconds": seconds}
