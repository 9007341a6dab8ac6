"""A pytest plugin that, instead of running the tests, tries mutants: a fork of the warm process for each.

A fork has every module imported, every test collected and the database migrated, of which it uses a copy. It replaces
the mutated function wherever it is bound, then runs the tests that reach the mutated statement: those first that have
killed others, then those that are about the module. The first that fails kills the mutant, if it passes without it.

A mutant that is in no function (a constant, a class) is tried in a new process, where the module is imported changed.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.databases import emptying
from tests.mutation import modules, mutants

PLAN, MUTANT = "GOLDFINCH_MUTATION_PLAN", "GOLDFINCH_MUTANT"
"""Environment variables: the file with the `Plan`; the mutant with which a new process imports its module."""
SLOWER = 10
"""How many times as long as a test took once it may take with a mutant, in processor time; else the mutant hangs."""


@dataclass(frozen=True)
class Plan:
    """What a process tries: every `processes`-th mutant from `share` on, until `ends` (seconds since 1970).

    `tests`: seconds of tests for a mutant at most. `only`: names of mutants, empty for all. `map`, `results`: files.
    """

    map: str
    results: str
    ends: float
    tests: float
    share: int = 0
    processes: int = 1
    modules: tuple[str, ...] = tuple(modules.MODULES)
    only: tuple[str, ...] = ()

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))

    def mutants(self) -> list[mutants.Mutant]:
        """The mutants that this process tries."""
        every = [each for module in self.modules for each in mutants.mutants_of(module)]
        wanted = [each for each in every if not self.only or each.name in self.only]
        wanted.sort(key=lambda each: not each.function)  # those that need a new process last
        return wanted[self.share :: self.processes]


def _plan() -> Plan:
    read = json.loads(Path(os.environ[PLAN]).read_text())
    return Plan(**read | {"modules": tuple(read["modules"]), "only": tuple(read["only"])})


if MUTANT in os.environ:
    _module, _number = os.environ[MUTANT].split(":")
    _code = mutants.mutants_of(_module)[int(_number)].code
    modules.replace({modules.name_of(_module)}, lambda name: _code)


class Trials:
    """Tries the mutants of a plan and appends a JSON line for each to its results."""

    def __init__(self, session: pytest.Session, plan: Plan) -> None:
        self.session, self.plan = session, plan
        self.items = {item.nodeid: item for item in session.items}
        self.warm_up = next(item for item in session.items if item.path.name == "warm_up.py")
        known = json.loads(Path(plan.map).read_text())
        self.lines: dict[str, dict[str, list[str]]] = known["lines"]
        self.seconds: dict[str, float] = known["seconds"]
        self.kills: Counter[tuple[str, str]] = Counter()
        self.sound: dict[str, bool] = {}

    def run(self) -> None:
        """Set up the session's fixtures, then try one mutant after the other until the time is over."""
        # The next item, in another folder, is why the fixtures of the session stay, and no others.
        self.session.config.hook.pytest_runtest_protocol(item=self.warm_up, nextitem=self.session.items[-1])
        from django.db import connections

        connections.close_all()
        self.database = Path(connections["default"].settings_dict["NAME"])
        with Path(self.plan.results).open("a") as results:
            for each in self.plan.mutants():
                if time.time() > self.plan.ends:
                    break
                print(json.dumps(self.tried(each)), file=results, flush=True)

    def tried(self, mutant: mutants.Mutant) -> dict[str, Any]:
        """What became of a mutant, as a line of the results."""
        begun = time.monotonic()
        chosen, left_out = self.tests_of(mutant)
        outcome, killer = self._outcome(mutant, chosen)
        if killer:
            self.kills[mutant.module, killer] += 1
        told = {key: value for key, value in asdict(mutant).items() if key != "code"}
        figures = {"tests": len(chosen), "tests_left_out": left_out, "seconds": round(time.monotonic() - begun, 1)}
        return told | {"outcome": outcome, "killer": killer} | figures

    def tests_of(self, mutant: mutants.Mutant) -> tuple[list[str], int]:
        """The tests to run, in order, and the number of those for which there is no time.

        Tests that the map doesn't know are newer than it and may reach anything.
        """
        lines = self.lines.get(mutant.module, {})
        reach = set(lines.get(str(mutant.statement), ())) if mutant.function else {x for y in lines.values() for x in y}
        reach |= {name for name in self.items if name not in self.seconds and name != self.warm_up.nodeid}
        found = self._in_order(mutant.module, reach & self.items.keys())
        chosen, total = [], 0.0
        for name in found:
            total += self._lasts(name)
            if total > self.plan.tests and chosen:
                break
            chosen.append(name)
        return chosen, len(found) - len(chosen)

    def _in_order(self, module: str, tests: Iterable[str]) -> list[str]:
        """Those first that have killed most mutants of the module, then those that are about it, then all others.

        Of those that run the same statements of the module the quickest comes first, the second after all others'
        first.
        """
        statements: dict[str, list[str]] = defaultdict(list)
        for line, reached in self.lines.get(module, {}).items():
            for name in reached:
                statements[name].append(line)
        quickest = sorted(tests, key=lambda name: (self._lasts(name), name))
        passed: Counter[str] = Counter()
        places = {}
        for name in quickest:
            alike = " ".join(statements[name])
            places[name] = passed[alike]
            passed[alike] += 1
        about = tuple(f"{file}.py" for file in modules.MODULES[module])
        others = {name for name in places if not name.partition("::")[0].endswith(about)}
        return sorted(quickest, key=lambda name: (-self.kills[module, name], name in others, places[name]))

    def _lasts(self, test: str) -> float:
        return self.seconds.get(test, 0.2)

    def _outcome(self, mutant: mutants.Mutant, chosen: list[str]) -> tuple[str, str]:
        while chosen:
            code, killer = self.forked(chosen, mutant) if mutant.function else self.in_a_new_process(chosen, mutant)
            if code < 0:
                return "timed out", ""
            if not killer:
                return "survived", ""
            if killer not in self.sound:
                self.sound[killer] = not self.forked([killer], None)[1]
            if self.sound[killer]:
                return "killed", killer
            chosen.remove(killer)
        return "no tests", ""

    def forked(self, chosen: Sequence[str], mutant: mutants.Mutant | None) -> tuple[int, str]:
        """Run these tests in a fork; returns its exit code (negative: ended for its time) and the test that failed."""
        folder = self.database.parent / "fork"
        folder.mkdir()
        pid = os.fork()
        if pid == 0:
            try:
                killer = self._in_the_fork(folder, chosen, mutant)
                (folder / "killer").write_text(killer)
            except BaseException:
                (folder / "killer").write_text("the mutant can't be loaded")
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        killer = (folder / "killer").read_text() if (folder / "killer").exists() else ""
        shutil.rmtree(folder, ignore_errors=True)
        return code, killer

    def _in_the_fork(self, folder: Path, chosen: Sequence[str], mutant: mutants.Mutant | None) -> str:
        from django.conf import settings
        from django.db import connections

        config = self.session.config
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        config.pluginmanager.unregister(name="terminalreporter")
        config._tmp_path_factory._basetemp = folder
        for alias in ("default", "snapshot"):
            copied = str(folder / "copy.sqlite3")
            settings.DATABASES[alias]["NAME"] = connections[alias].settings_dict["NAME"] = copied
        shutil.copy(self.database, folder / "copy.sqlite3")
        emptying.remember(connections["default"], self.database)
        if mutant is not None:
            put_in(mutant)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        failed = _Failed()
        config.pluginmanager.register(failed)
        for name in chosen:
            # Either signal ends the process: of processor time, and of time in which it waits for something.
            signal.setitimer(signal.ITIMER_PROF, 5 + SLOWER * self._lasts(name))
            signal.setitimer(signal.ITIMER_REAL, 60 + 5 * SLOWER * self._lasts(name))
            config.hook.pytest_runtest_protocol(item=self.items[name], nextitem=self.warm_up)
            if failed.tests:
                return name
        return ""

    def in_a_new_process(self, chosen: Sequence[str], mutant: mutants.Mutant) -> tuple[int, str]:
        """The same in a new process, for which the module is imported with the mutant."""
        command = [sys.executable, "-m", "pytest", "-p", "tests.mutation.trials", "-x", "-q", "-rfE", *chosen]
        environment = os.environ | {MUTANT: f"{mutant.module}:{mutant.number}"}
        environment.pop(PLAN)
        try:
            ran = subprocess.run(
                command, cwd=modules.CHECKOUT, env=environment, capture_output=True, text=True,
                timeout=120 + 5 * SLOWER * sum(map(self._lasts, chosen)),
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return -1, ""
        if ran.returncode == 0:
            return 0, ""
        named = [line.split(" - ")[0].split(" ", 1)[1] for line in ran.stdout.splitlines() if line.startswith(_FAILS)]
        return 0, next((name for name in named if name in self.items), chosen[0])


_FAILS = ("FAILED ", "ERROR ")


class _Failed:
    """Keeps the tests that failed."""

    def __init__(self) -> None:
        self.tests: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.tests.append(report.nodeid)


def put_in(mutant: mutants.Mutant) -> None:
    """Run the changed function's definition in its module, and bind the new function wherever the old one is bound."""
    names = vars(sys.modules[modules.name_of(mutant.module)])
    old = names[mutant.function]
    exec(mutant.code, names)
    new = names[mutant.function]
    for module in list(sys.modules.values()):
        bound = vars(module) if hasattr(module, "__dict__") else {}
        for name in [name for name, value in list(bound.items()) if value is old]:
            with suppress(TypeError):
                bound[name] = new


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    if PLAN not in os.environ:
        return None
    Trials(session, _plan()).run()
    return True
