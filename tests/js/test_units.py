"""The unit tests of the pages' scripts, which Node's own test runner (node:test) runs.

Half of the files share a process: to start one and to load jsdom takes longer than the tests of most files.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.test.js"))
HALVES = {"first": FILES[::2], "second": FILES[1::2]}
NODE = shutil.which("node")
WITHOUT_NODE = "Node is not on this machine"


def run(*files: Path) -> subprocess.CompletedProcess[str]:
    """Run files of tests; the output has a line for each test, and what failed at the end, with its file."""
    command = [str(NODE), "--import", str(HERE / "set_up.js"), "--test-reporter=spec", str(HERE / "several.js"), *files]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("half", HALVES)
def test_the_scripts_do_what_their_tests_say(half):
    if NODE is None and os.environ.get("CI") != "true":
        pytest.skip(WITHOUT_NODE)
    assert NODE is not None, WITHOUT_NODE
    assert (HERE / "node_modules").is_dir(), "make js installs what they need"
    ran = run(*HALVES[half])
    assert ran.returncode == 0, f"\n{ran.stdout}{ran.stderr}"


@pytest.mark.skipif(NODE is None, reason=WITHOUT_NODE)
def test_the_control_a_script_that_fails_is_reported(tmp_path):
    failing = tmp_path / "failing.test.js"
    failing.write_text('require("node:test").test("the bell rings", () => { throw new Error("silence"); });')
    (tmp_path / "package.json").write_text('{"type": "commonjs"}')
    ran = run(FILES[0], failing)
    assert ran.returncode == 1
    assert "the bell rings" in ran.stdout
    assert failing.name in ran.stdout
