"""A name says its noun: what is defined is not called `shown` or `found`, and no two things share a bare name."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rules.development.client_files import is_of_client
from tests.rules.development.syntax import nodes_of

CHECKOUT = Path(__file__).resolve().parents[3]
PRODUCT = ("annotation", "frontend", "qualification", "tasks")
CLASSES = {"Found", "Line", "Place", "Row", "Said", "Shown"}
FUNCTIONS = {"found", "of", "said", "shown"}
"""What says nothing alone, of parameters too. Classes are in signatures far from their module; `row`, `line` and
`place` are verbs, or parameters whose type says the rest."""
MIRRORED = re.compile(
    r"annotation\.(protocols|skeletons)\.\w+\.|.*\.(apps|management\.commands\.\w+|templatetags\.\w+|urls)$"
)
"""Modules whose names a caller never writes, or that have the same names on purpose: one part of each protocol."""


def modules() -> dict[str, str]:
    """The code of the product's modules by their dotted names."""
    files = [path for folder in PRODUCT for path in (CHECKOUT / folder).rglob("*.py") if "migrations" not in path.parts]
    files = [path for path in files if not is_of_client(path)]
    names = {
        path: ".".join(path.relative_to(CHECKOUT).with_suffix("").parts).removesuffix(".__init__") for path in files
    }
    return {name: path.read_text(encoding="utf-8") for path, name in names.items()}


def nameless(source: str) -> list[str]:
    """The functions, classes and parameters of a module that have no noun in their names."""
    found = []
    for node in nodes_of(source):
        if isinstance(node, ast.ClassDef):
            found += [node.name] if node.name.strip("_") in CLASSES else []
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += [node.name] if node.name.strip("_") in FUNCTIONS else []
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            found += [f"{node.name}({each.arg})" for each in given if each.arg in FUNCTIONS]
    return found


def shared(sources: dict[str, str]) -> list[str]:
    """Classes that have the name of another, and functions that have one and are imported without their module.

    `uploads.begin` and `pauses.begin` say their nouns, and a package may pass on what its modules define.
    """
    homes: defaultdict[str, set[str]] = defaultdict(set)
    classes = set()
    for module, source in sources.items():
        if not MIRRORED.match(module):
            for node in nodes_of(source)[0].body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].add(module)
                    classes |= {node.name} if isinstance(node, ast.ClassDef) else set()
    repeated = {name for name, where in homes.items() if len(where) > 1}
    bare = {
        f"{home}.{name}"
        for module, source in sources.items()
        for home, name in imports(source)
        if name in repeated and home in homes[name] and not home.startswith(module.rpartition(".")[0] + ".")
        if not home.startswith(module + ".")
    }
    return sorted(repeated & classes) + sorted(bare)


def imports(source: str) -> Iterator[tuple[str, str]]:
    """(module, name) of each `from module import name`."""
    for node in nodes_of(source):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, each.name) for each in node.names)


def test_names_have_a_noun():
    assert {name: found for name, source in modules().items() if (found := nameless(source))} == {}


def test_no_two_things_share_a_name_without_their_module():
    assert shared(modules()) == []


@pytest.mark.parametrize(
    "code", ["class Shown: ...", "class _Row: ...", "def of(x): ...", "def f(found): ...", "def f(*, said): ..."]
)
def test_the_control_a_name_without_a_noun_is_found(code):
    assert nameless(code) != []


def test_the_control_a_shared_name_is_found():
    one, other = "class Page: ...\ndef begin(): ...", "class Page: ...\ndef begin(): ..."
    caller = "from tasks.uploads import begin"
    sources = {"tasks.uploads": one, "tasks.pauses": other, "frontend.views.pauses": caller}
    assert shared(sources) == ["Page", "tasks.uploads.begin"]
