"""The modules that are mutated, and a loader that gives a module other code than its file has."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib.abc import SourceLoader
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[2]
MODULES = {
    "tasks/engine/settling.py": ("disputes/test_settling", "test_blocks", "toy/test_seating_and_settling"),
    "annotation/engine/committing.py": (
        "test_submitting",
        "test_late_work",
        "test_two_tabs",
        "test_stages_cut_away",
        "test_seating_and_settling",
    ),
    "annotation/documents/spans.py": ("test_spans",),
    "tasks/engine/late_work.py": ("test_what_comes_back", "test_late_work"),
    "tasks/engine/transitions.py": ("test_what_comes_back", "test_withdrawing", "test_reopening", "test_reports"),
    "tasks/engine/submitting.py": (
        "test_submitting",
        "test_late_work",
        "test_blocks",
        "test_what_comes_back",
        "test_seating_and_settling",
    ),
    "tasks/engine/leases.py": (
        "test_idle_work",
        "test_claim_rules",
        "test_what_comes_back",
        "test_seating_and_settling",
        "pairs/test_leases_of_pairs",
        "test_leases_of_others",
        "test_blocks",
    ),
    "tasks/engine/eligibility.py": (
        "test_claim_rules",
        "test_same_question",
        "test_blocks",
        "test_nothing_left_at_home",
        "test_doors",
        "setup/test_file_order",
        "people/test_counting_what_is_left",
        "test_who_sees_answers",
        "pairs/test_alone_or_together",
        "judging/test_beside_other_work",
        "test_reports",
    ),
    "tasks/engine/claiming.py": (
        "test_claim_rules",
        "test_switching_items",
        "test_blocks",
        "test_kept_drafts",
        "test_idle_work",
        "test_same_question",
        "test_doors",
        "setup/test_file_order",
        "setup/test_random_draws",
    ),
    "annotation/membership.py": (
        "test_adding_members",
        "test_roles_and_consent",
        "test_memberships",
        "test_who_sees_answers",
        "test_passwords",
        "test_password_links",
        "test_claim_rules",
    ),
}
"""In the order in which they are tested: where the time does not suffice, the last ones are left out. With each the
files of tests that are about it, which run first."""
TESTS = (
    *("tests/tasks", "tests/annotation/documents", "tests/annotation/worktime", "tests/annotation/test_exclusion.py"),
    *("tests/annotation/test_adding_members.py", "tests/annotation/test_choose_items_command.py"),
    "tests/qualification/test_doors.py",
    *("tests/frontend/accounts", "tests/frontend/experts", "tests/frontend/pairs", "tests/frontend/people"),
    *("tests/frontend/work", "tests/protocols/coqa", "tests/protocols/nq", "tests/protocols/qasper"),
    *("tests/protocols/squad", "tests/protocols/toy", "tests/frontend/sockets/test_pokes_over_sockets.py"),
)
"""What may kill a mutant. Other tests don't reach these modules, reach them as these do, or take too long for each of a
thousand mutants: races, proofs, the browser's, those that start a server."""


def name_of(module: str) -> str:
    """The dotted name of a module, given by its path."""
    return module.removesuffix(".py").replace("/", ".")


class _Loader(SourceFileLoader):
    """Compiles what `code_of` returns, and neither reads nor writes a .pyc."""

    def __init__(self, name: str, path: str, code_of: Callable[[str], CodeType]) -> None:
        super().__init__(name, path)
        self.code_of = code_of

    def get_code(self, fullname: str) -> CodeType:
        """The code of the module."""
        return self.code_of(fullname)


class Replacing:
    """A finder of these modules (by dotted name); put first in `sys.meta_path` before they are imported."""

    def __init__(self, names: set[str], code_of: Callable[[str], CodeType]) -> None:
        self.names, self.code_of = names, code_of

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The module's spec with a loader of ours, or None for a module that stays as it is."""
        if name not in self.names:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceLoader) and spec.origin is not None:
            spec.loader = _Loader(name, spec.origin, self.code_of)
        return spec


def replace(names: set[str], code_of: Callable[[str], CodeType]) -> None:
    """From now on these modules are imported with the code that `code_of` returns for their dotted name."""
    assert not names & set(sys.modules), "imported already"
    sys.meta_path.insert(0, Replacing(names, code_of))


class _Counting(ast.NodeTransformer):
    """Puts a call of `__ran__` with its line before every statement of a function."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.body = self._counted(node.body)
        return node

    def _counted(self, body: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            call = ast.Call(ast.Name("__ran__", ast.Load()), [ast.Constant(statement.lineno)], [])
            found += [ast.copy_location(ast.Expr(call), statement), statement]
            for field in ("body", "orelse", "finalbody"):
                if getattr(statement, field, None):
                    setattr(statement, field, self._counted(getattr(statement, field)))
            for handler in getattr(statement, "handlers", ()):
                handler.body = self._counted(handler.body)
        return found


def counting(name: str, ran: Callable[[str, int], None]) -> CodeType:
    """The code of a module that calls `ran` with the module's path and the line before each statement of a function."""
    module = f"{name.replace('.', '/')}.py"
    path = CHECKOUT / module
    tree = _Counting().visit(ast.parse(path.read_text(encoding="utf-8")))
    # Bound by an import of ours as the first statement, since a module's names are filled while its code runs.
    future = next((place for place, each in enumerate(tree.body) if isinstance(each, ast.ImportFrom)), 0)
    bound = ast.parse(f"from {__name__} import counters as __counters__; __ran__ = __counters__[{module!r}]").body
    tree.body[future + 1 : future + 1] = bound
    counters[module] = lambda line: ran(module, line)
    return compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)


counters: dict[str, Callable[[int], None]] = {}
"""Of each module that was loaded with `counting`: what it calls."""
