"""What runs needs `requirements.lock` alone, and what tests need has the same versions of it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.rules.development.client_files import is_of_client
from tests.rules.development.test_dependencies import (
    CHECKOUT,
    NOT_INSTALLED,
    installed,
    modules_of,
    normalised,
    perhaps_imported,
)

PRODUCT = ("annotation", "frontend", "qualification", "tasks")
RUNS, TESTS = CHECKOUT / "requirements.lock", CHECKOUT / "tests" / "requirements.lock"


def locked(path: Path) -> dict[str, set[str]]:
    """The versions of each distribution in a lock, and the hashes of their files."""
    found: dict[str, set[str]] = {}
    for entry in re.split(r"\n(?=\S)", path.read_text(encoding="utf-8").strip()):
        name, version = re.match(r"([A-Za-z0-9._-]+)(?:\[.*?\])?==(\S+)", entry).groups()
        found.setdefault(normalised(name), set()).update({version, *re.findall(r"sha256:[0-9a-f]{64}", entry)})
    return found


def test_tests_have_the_versions_that_run_and_each_has_a_hash():
    runs, tests = locked(RUNS), locked(TESTS)
    assert {name: tests.get(name) for name in runs} == runs
    assert all(len(entry) > 1 for entry in tests.values())


def test_what_runs_imports_only_what_is_locked_for_it():
    seen = {*PRODUCT, "manage", *sys.stdlib_module_names}
    known, runs = installed(), locked(RUNS).keys()
    missing = {}
    for path in (file for folder in PRODUCT for file in (CHECKOUT / folder).rglob("*.py") if not is_of_client(file)):
        source = path.read_text(encoding="utf-8")
        for module in modules_of(source) - seen if perhaps_imported(source) - seen else ():
            names = {normalised(name) for name in known.get(module, [module])}
            if not names & runs:
                missing.setdefault(module, str(path.relative_to(CHECKOUT)))
            seen.add(module)
    assert missing.keys() <= NOT_INSTALLED.keys(), missing


def test_the_locks_name_no_host():
    assert "://" not in RUNS.read_text(encoding="utf-8") + TESTS.read_text(encoding="utf-8")
