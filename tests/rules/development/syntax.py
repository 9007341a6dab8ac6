"""The syntax of modules as rules read it, parsed once a process: several rules look at every module of the product."""

from __future__ import annotations

import ast
from functools import cache


@cache
def nodes_of(source: str) -> tuple[ast.AST, ...]:
    """All nodes of this code, the module first."""
    return tuple(ast.walk(ast.parse(source)))


@cache
def calls_of(source: str) -> tuple[tuple[int, str], ...]:
    """Each call in this code: its line, and what is called, as `models.Item.objects.create`."""
    return tuple((node.lineno, ast.unparse(node.func)) for node in nodes_of(source) if isinstance(node, ast.Call))
