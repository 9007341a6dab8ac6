"""Line coverage is measured over all four packages and may not drop."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import line_coverage, suites

CHECKOUT = Path(__file__).resolve().parents[2]
HALF = "import sys\nif len(sys.argv) > 1:\n    print('one')\n    print('two')\n"
CONFIG = '[tool.slipcover]\nsource = ["half"]\nomit = []\nfail-under = {}\n'


def test_every_line_of_the_packages_counts():
    coverage = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["tool"]["slipcover"]
    assert sorted(coverage["source"]) == ["annotation", "frontend", "qualification", "tasks"]
    assert coverage["omit"] == ["*/migrations/*"]
    assert set(coverage) == {"source", "omit", "fail-under"}, (
        "Test what is hard to reach, or delete it; nothing is left out of the measurement."
    )
    assert coverage["fail-under"] > 0


@pytest.fixture
def measured(tmp_path):
    """A program of four lines, two of which were run,."""
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "__init__.py").write_text(HALF)

    def measured(floor: int) -> tuple[Path, Path]:
        (tmp_path / "pyproject.toml").write_text(CONFIG.format(floor))
        counting = os.environ | {line_coverage.VARIABLE: str(tmp_path), "PYTHONPATH": f"{tmp_path}:{CHECKOUT}"}
        counting.pop("PYTEST_XDIST_WORKER", None)
        code = "from tests import line_coverage; import half; line_coverage.pytest_sessionfinish()"
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=counting, check=True)
        return tmp_path, tmp_path

    return measured


def test_at_the_floor_the_figure_is_printed(measured, capsys):
    assert line_coverage.covered(*measured(50))
    assert "50.0 %" in capsys.readouterr().out


def test_below_the_floor_it_fails_and_lists_the_lines_and_what_to_do(measured, capsys):
    assert not line_coverage.covered(*measured(51))
    said = capsys.readouterr().out
    assert "3-4" in said
    assert "test what your change adds" in said


def test_a_line_that_one_of_several_processes_runs_is_run(measured, capsys):
    checkout, folder = measured(100)
    (folder / "other.json").write_text(
        (folder / "alone.json")
        .read_text()
        .replace('"missing_lines": [3, 4]', '"missing_lines": []')
        .replace('"executed_lines": [1, 2]', '"executed_lines": [1, 2, 3, 4]')
    )
    assert line_coverage.covered(checkout, folder)


def test_the_suites_of_a_whole_run_measure_coverage_and_the_quick_one_does_not():
    counting = {name for name, words in suites.SUITES.items() if suites.COUNTING[1] in words}
    assert counting == {"sqlite", "postgresql"}
    assert suites.COUNTING[1] not in suites.ONLY_WHEN_NAMED["quick"]


def test_the_lines_of_all_suites_together_are_judged(measured):
    checkout, folder = measured(100)
    for suite in ("sqlite", "postgresql"):
        (folder / suite).mkdir()
    text = (folder / "alone.json").read_text()
    (folder / "alone.json").rename(folder / "sqlite" / "alone.json")
    assert not line_coverage.covered(checkout, folder)
    (folder / "postgresql" / "alone.json").write_text(
        text.replace('"missing_lines": [3, 4]', '"missing_lines": []').replace("[1, 2]", "[1, 2, 3, 4]")
    )
    assert line_coverage.covered(checkout, folder)
