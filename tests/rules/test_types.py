"""mypy checks every module, every `type: ignore` has a reason, and views annotate the type of request they get."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from mypy.main import process_options

from tests.rules.development.client_files import is_of_client

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = ("annotation", "qualification", "tasks", "frontend")
MODULES = sorted(
    path
    for package in PACKAGES
    for path in (CHECKOUT / package).rglob("*.py")
    if "migrations" not in path.relative_to(CHECKOUT).parts and not is_of_client(path)
)
VIEWS = sorted(CHECKOUT.glob("frontend/views/**/*.py"))
SIGNED_IN = {"login_required", "page_view", "file_view", "form_view", "action_view", "answer_view"}
"""Decorators behind which somebody is signed in; frontend/requests.py has all but the first."""
DEMANDED = ("check_untyped_defs", "disallow_untyped_defs", "warn_unused_ignores")
SILENCED = re.compile(r"#\s*(?:mypy:|type:\s*ignore(?P<code>\[[a-z, -]+\])?(?P<why>\s+#\s+\S)?)")


def name(path: Path) -> str:
    return str(path.relative_to(CHECKOUT))


@pytest.fixture
def mypy(monkeypatch):
    """The modules that mypy checks and its options, according to pyproject.toml."""
    monkeypatch.chdir(CHECKOUT)
    return process_options([])


def test_mypy_checks_every_module(mypy):
    sources, _options = mypy
    seen = {Path(source.path).resolve() for source in sources if source.path}
    missing = [name(path) for path in MODULES if path not in seen]
    assert not missing, (
        "Name their package under [tool.mypy] in pyproject.toml, take them off `exclude`, fix the errors."
    )


def test_no_module_is_exempt(mypy):
    sources, options = mypy
    of = {source.module: options.clone_for_module(source.module) for source in sources}
    excused = [module for module, its in of.items() if its.ignore_errors or its.disable_error_code]
    assert not excused, "Fix the errors there: only single lines are let through, with their code and a reason."
    lax = [(module, flag) for module, its in of.items() for flag in DEMANDED if not getattr(its, flag)]
    assert not lax, "Annotate these modules as all others are, and take the flag out of pyproject.toml."


def unexplained(source: str) -> Iterator[int]:
    """Lines that silence mypy without an error code, or without a reason beside or above."""
    lines = ["", *source.splitlines()]
    for number, (above, line) in enumerate(pairwise(lines), start=1):
        found = SILENCED.search(line)
        if found and not (found["code"] and (found["why"] or above.lstrip().startswith("# "))):
            yield number


def test_every_type_ignore_has_its_code_and_a_reason():
    found = [(name(path), line) for path in MODULES for line in unexplained(path.read_text())]
    assert not found, "Give it the right type, or write: # type: ignore[code]  # why the stubs are wrong here"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 1  # type: ignore", [1]),
        ("x = 1  # type: ignore[misc]", [1]),
        ("# mypy: ignore-errors", [1]),
        ("x = 1  # type: ignore[misc]  # not in the stubs", []),
        ("# The stubs are those of Django 6.\nx = 1  # type: ignore[override]", []),
    ],
)
def test_the_control_a_line_without_a_reason_is_found(source, found):
    assert list(unexplained(source)) == found


def mistyped(source: str) -> Iterator[str]:
    """Views for people who are signed in that do not take an AuthedRequest, and other views that do."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list and node.args.args[:1]:
            request = node.args.args[0]
            signed_in = not SIGNED_IN.isdisjoint(map(ast.unparse, node.decorator_list))
            typed = request.annotation is not None and ast.unparse(request.annotation) == "AuthedRequest"
            if request.arg == "request" and signed_in != typed:
                yield node.name


def test_views_for_people_who_are_signed_in_take_an_authed_request():
    found = [(name(path), view) for path in VIEWS for view in mistyped(path.read_text())]
    assert not found, f"Behind one of {SIGNED_IN} a view takes an AuthedRequest, else an HttpRequest."


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("@login_required\ndef page(request: HttpRequest): ...", ["page"]),
        ("@action_view\ndef page(request: HttpRequest): ...", ["page"]),
        ("@require_GET\ndef page(request: AuthedRequest): ...", ["page"]),
        ("@login_required\n@require_GET\ndef page(request: AuthedRequest): ...", []),
        ("@require_GET\ndef page(request: HttpRequest): ...", []),
    ],
)
def test_the_control_a_view_with_the_wrong_request_is_found(source, found):
    assert list(mistyped(source)) == found
