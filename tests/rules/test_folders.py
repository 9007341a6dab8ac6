"""No folder has more than 25 modules, in the product or in the tests, so that it can be taken in at a glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = ("annotation", "frontend", "qualification", "tasks", "tests")
MOST = 25
INSTEAD = "Split the folder by subject (as annotation/worktime or tasks/pairs are), tests beside what they test."


def too_full(paths: Iterable[str]) -> list[str]:
    """The folders with more modules than that, not counting `__init__`; migrations are exempt."""
    modules = [path for path in map(Path, paths) if path.name != "__init__.py" and path.parent.name != "migrations"]
    counted = Counter(path.parent.as_posix() for path in modules)
    return sorted(f"{folder}: {n} modules" for folder, n in counted.items() if n > MOST)


def modules() -> list[str]:
    found = [path for package in PACKAGES for path in (CHECKOUT / package).rglob("*.py")]
    return [path.relative_to(CHECKOUT).as_posix() for path in found]


def test_no_folder_has_more_than_25_modules():
    assert "tests/rules/test_folders.py" in modules()
    assert too_full(modules()) == [], INSTEAD


def test_the_control_a_folder_with_26_modules_is_named():
    names = [f"annotation/full/m{number}.py" for number in range(MOST + 1)]
    others = [f"annotation/migrations/{number:04}_change.py" for number in range(99)]
    assert too_full([*names[:-1], "annotation/full/__init__.py", *others]) == []
    assert too_full(names) == ["annotation/full: 26 modules"]
