"""Line coverage is measured over all four packages and may not drop."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import suites

CHECKOUT = Path(__file__).resolve().parents[2]
HALF = "import sys\nif len(sys.argv) > 1:\n    print('one')\n    print('two')\n"


def test_every_line_of_the_packages_counts():
    coverage = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["tool"]["coverage"]
    assert sorted(coverage["run"]["source"]) == ["annotation", "frontend", "qualification", "tasks"]
    assert coverage["run"]["omit"] == ["*/migrations/*"]
    kinds = {"exclude_lines", "exclude_also", "omit", "include", "partial_also"} & set(coverage["report"])
    assert not kinds, "Test what is hard to reach, or delete it; nothing is left out of the measurement."
    assert coverage["report"]["fail_under"] > 0


@pytest.fixture
def measured(tmp_path):
    """A program of four lines, two of which were run."""
    (tmp_path / "half.py").write_text(HALF)

    def measured(floor: int) -> Path:
        config = f'[tool.coverage.run]\nsource = ["."]\n[tool.coverage.report]\nfail_under = {floor}\n'
        (tmp_path / "pyproject.toml").write_text(config)
        subprocess.run([sys.executable, "-m", "coverage", "run", "half.py"], cwd=tmp_path, check=True)
        return tmp_path

    return measured


def test_at_the_floor_the_figure_is_printed(measured, capsys):
    assert suites.covered(measured(50))
    assert "50%" in capsys.readouterr().out


def test_below_the_floor_it_fails_and_lists_the_lines_and_what_to_do(measured, capsys):
    assert not suites.covered(measured(51))
    said = capsys.readouterr().out
    assert "3-4" in said
    assert "test what your change adds" in said


def test_the_full_run_measures_coverage_and_the_quick_one_does_not():
    assert "--cov" in suites.SUITES["coverage"]
    assert set(suites.ONLY_WHEN_NAMED["sqlite"]) < set(suites.SUITES["coverage"])
    assert "--cov" not in suites.ONLY_WHEN_NAMED["sqlite"]
