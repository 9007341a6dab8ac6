"""A failed test of a browser suite is run once more, alone; that tells chance from a fault, and pardons little."""

from __future__ import annotations

import shutil

import pytest

from tests import suites
from tests.prepared import CHECKOUT

FAILS_ONCE = """
import pathlib, pytest

@pytest.mark.parametrize("number", range({tests}))
def test_it(number):
    seen = pathlib.Path(__file__).with_name(f"seen-{{number}}")
    times = len(seen.read_text()) if seen.exists() else 0
    seen.write_text("x" * (times + 1))
    assert times >= {fails}
"""


@pytest.fixture
def run(monkeypatch, capsys):
    """A function: the exit code and output of a suite with so many tests, each of which fails so often at first."""
    folder = CHECKOUT / "build" / "run-again"

    def run(*, tests: int, fails: int) -> tuple[int, str]:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "test_once.py").write_text(FAILS_ONCE.format(tests=tests, fails=fails))
        settings = folder / "pytest.ini"  # these tests need nothing of ours, nor plugins, which would make them slow
        settings.write_text("[pytest]\naddopts = -p xdist.plugin\n")
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        monkeypatch.setattr(suites, "SUITES", {"chance": ["-c", str(settings), str(folder)]})
        monkeypatch.setattr(suites, "RUN_AGAIN", ("chance",))
        monkeypatch.setattr(suites.failures, "FAILURES", folder / "failures")
        return suites.main(["chance"]), capsys.readouterr().out

    yield run
    shutil.rmtree(folder, ignore_errors=True)


def test_one_that_fails_again_has_failed(run):
    code, said = run(tests=1, fails=2)
    assert code == 1
    assert "Failed by chance" not in said


@pytest.mark.parametrize(("tests", "code"), [(suites.CHANCE - 1, 0), (suites.CHANCE, 1)])
def test_those_that_pass_then_are_named_and_three_fail_the_run(run, tests, code):
    found, said = run(tests=tests, fails=1)
    assert (found, said.count("Failed by chance")) == (code, tests)


def test_a_suite_in_which_much_fails_is_not_run_again(run):
    code, said = run(tests=suites.BROKEN, fails=1)
    assert code == 1
    assert "Failed by chance" not in said
