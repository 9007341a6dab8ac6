"""The unit tests of the pages' scripts, which Node's own test runner (node:test) runs, a process for each file."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.test.js"))
NODE = shutil.which("node")
WITHOUT_NODE = "Node is not on this machine"


def run(file: Path) -> subprocess.CompletedProcess[str]:
    """Run one file of tests; its output has a line for each test, and what failed at the end."""
    command = [str(NODE), "--import", str(HERE / "set_up.js"), "--test-reporter=spec", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_scripts_do_what_their_tests_say(file):
    if NODE is None and os.environ.get("CI") != "true":
        pytest.skip(WITHOUT_NODE)
    assert NODE is not None, WITHOUT_NODE
    assert (HERE / "node_modules").is_dir(), "make js installs what they need"
    ran = run(file)
    assert ran.returncode == 0, f"\n{ran.stdout}{ran.stderr}"


@pytest.mark.skipif(NODE is None, reason=WITHOUT_NODE)
def test_the_control_a_script_that_fails_is_reported(tmp_path):
    failing = tmp_path / "failing.test.js"
    failing.write_text('require("node:test").test("the bell rings", () => { throw new Error("silence"); });')
    ran = run(failing)
    assert ran.returncode == 1
    assert "the bell rings" in ran.stdout
