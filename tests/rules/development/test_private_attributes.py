"""Nothing of ours uses what a library keeps to itself: it may change with any version."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.rules.development.syntax import nodes_of

CHECKOUT = Path(__file__).resolve().parents[3]
PRODUCT = ("annotation", "frontend", "qualification", "tasks")
DOCUMENTED = {
    "_asdict": "named tuples",
    "_make": "named tuples",
    "_replace": "named tuples",
    "_exit": "os",
    "_meta": "Django, models",
    "_state": "Django, models",
    "_default_manager": "Django, models",
    "_csp_replace": "django-csp, responses",
    "_csp_update": "django-csp, responses",
}
"""Attributes that begin like private ones though their library documents them."""
NEEDED = {
    "annotation/db/compiled.py": ["_iterable_class"],  # QuerySet.iterator would open a cursor on the server each time
    "frontend/server/gateway.py": ["__self__"],  # of uvicorn's `send`: nothing else leads to the connection to be cut
}
"""What is used all the same, and why; its tests notice if an update changes it."""
BY_NAME = ("getattr", "setattr", "hasattr", "delattr")


def names_in(source: str) -> set[str]:
    """What a module defines itself: functions, classes, variables, and attributes of `self`."""
    found = set()
    for node in nodes_of(source):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found |= {node.attr} if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") else set()
    return found


def asked_by_name(source: str) -> set[str]:
    """The names that are written out in calls of `getattr` and its like."""
    calls = [node for node in nodes_of(source) if isinstance(node, ast.Call) and len(node.args) > 1]
    named = [node.args[1] for node in calls if isinstance(node.func, ast.Name) and node.func.id in BY_NAME]
    return {each.value for each in named if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def private(source: str, *, ours: frozenset[str] = frozenset()) -> list[str]:
    """The private attributes that code reads or sets, with `getattr` dunder ones too, and neither it nor `ours` has."""
    own = names_in(source) | ours | DOCUMENTED.keys()
    attributes = {node.attr for node in nodes_of(source) if isinstance(node, ast.Attribute)}
    private_ones = {name for name in attributes if name.startswith("_") and not name.startswith("__")}
    return sorted((private_ones | {name for name in asked_by_name(source) if name.startswith("_")}) - own)


def test_no_code_uses_private_attributes_of_libraries():
    files = [path for folder in PRODUCT for path in (CHECKOUT / folder).rglob("*.py") if "migrations" not in path.parts]
    sources = {path: path.read_text(encoding="utf-8") for path in files}
    ours = frozenset().union(*(names_in(source) for source in sources.values()))
    found = {str(path.relative_to(CHECKOUT)): private(source, ours=ours) for path, source in sources.items()}
    assert {path: names for path, names in found.items() if names} == NEEDED


@pytest.mark.parametrize(
    "code", ["rows._iterable_class", "request.POST._mutable = True", "x._closed()", "getattr(send, '__self__', None)"]
)
def test_the_control_such_an_attribute_is_found(code):
    assert len(private(code)) == 1


@pytest.mark.parametrize(
    "code", ["row._meta", "pair._replace(a=1)", "self._x = 1\nother._x", "x.__class__", "getattr(x, name)"]
)
def test_attributes_of_ours_and_documented_ones_are_not(code):
    assert private(code) == []
