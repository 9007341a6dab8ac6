"""No script hides from eslint or tsc, all parts of the frame are checked, and the tools for it name no host."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from frontend.work import csp
from tests import assets

TOOLS = Path(__file__).resolve().parents[1] / "js"
HIDES = re.compile(r"@ts-(nocheck|ignore|expect-error)|eslint-disable|@(type|param|returns?|typedef) \{any\b")
ANYTHING = {"frontend/static/goldfinch/api.js", "frontend/static/goldfinch/undo.js"}
"""Where a value may be anything: a step of undoing is what its stage needs, and Swagger UI has no types."""


def hidden(source: str) -> list[str]:
    """What takes a part of a script out of its checks."""
    return [found.group() for found in HIDES.finditer(source)]


def test_no_script_hides_from_its_checks():
    scripts = {assets.name(path): path.read_text(encoding="utf-8") for path in assets.ours() if path.suffix == ".js"}
    assert {name for name, source in scripts.items() if hidden(source)} == ANYTHING


@pytest.mark.parametrize(
    "line", ["// @ts-nocheck", "/* eslint-disable no-undef */", "/** @param {any} x */", "/** @type {any[]} */"]
)
def test_the_control_what_hides_is_found(line):
    assert hidden(line)
    assert hidden("/** @param {string} anyone */") == []


def test_the_frame_is_made_of_the_scripts_that_are_checked_as_one():
    parts = {path.name: path.read_text(encoding="utf-8") for path in (assets.CHECKOUT / "frontend/frame").glob("*.js")}
    assert "channel.js" in parts
    assert [name for name, source in parts.items() if source not in csp.SCRIPT] == []


def test_the_lock_has_a_hash_of_each_package_and_no_address_of_one():
    lock = json.loads((TOOLS / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert len(packages) > 100
    assert [name for name, package in packages.items() if "integrity" not in package or "resolved" in package] == []


def test_nothing_of_the_tools_is_needed_to_run():
    assert set(json.loads((TOOLS / "package.json").read_text(encoding="utf-8"))) & {"dependencies", "scripts"} == set()
