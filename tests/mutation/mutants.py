"""Mutants of a module: its syntax tree with one small change each, as a wrong edit would make it.

What is changed: comparisons (at the boundary, or the other way round), `min`/`max`, `and`/`or`/`not` and their
operands, conditions (taken as true, as false), numbers by one, True/False, plus/minus, arguments of query methods and
named arguments (left out), filters of comprehensions, statements that only call something (left out), `return` (None
instead). What is not: texts, docstrings, annotations, imports and decorators.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import CodeType

from tests.mutation.modules import CHECKOUT

FUTURE = __import__("__future__").annotations.compiler_flag
QUERIES = {
    *("filter", "exclude", "get", "get_or_create", "update", "create", "order_by", "values", "values_list", "annotate"),
    *("select_for_update", "Q", "Exists", "CorrelatedExists", "_had"),
}
"""Of calls of these every argument is left out once; of other calls only named ones that pass no variable on."""
OTHERS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One change; `number` counts from 0 in its module, `name` stands for it in the results when lines have moved.

    `line` is that of the changed expression, `statement` that of the innermost statement around it, for which
    `coverage_map` knows the tests. `code` is that of the changed `function` at the module's top level, or, if the
    change is in none ("": a constant, a class), of the whole module.
    """

    module: str
    number: int
    line: int
    statement: int
    function: str
    before: str
    after: str
    name: str
    code: CodeType


def mutants_of(module: str) -> list[Mutant]:
    """All mutants of a module (given by its path), in the order of its lines; the same each time."""
    path = CHECKOUT / module
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[Mutant] = []
    names: Counter[str] = Counter()
    for top in tree.body:
        if isinstance(top, (ast.Import, ast.ImportFrom)):
            continue
        is_function = isinstance(top, ast.FunctionDef)
        for change in _changes(top, top.lineno):
            whole = ast.fix_missing_locations(ast.Module([top] if is_function else tree.body, []))
            code = compile(whole, str(path), "exec", flags=FUTURE, dont_inherit=True)
            function = top.name if is_function else ""
            name = f"{module} {function}: {change[2]} -> {change[3]}"
            names[name] += 1
            name = f"{name} ({names[name]})" if names[name] > 1 else name
            found.append(Mutant(module, len(found), *change[:2], function, *change[2:], name, code))
    return found


def functions_of(module: str) -> dict[str, str]:
    """A digest of the code of each function of a module, comments aside, and under "" of all else in it."""
    tree = ast.parse((CHECKOUT / module).read_text(encoding="utf-8"))
    functions = [top for top in tree.body if isinstance(top, ast.FunctionDef)]
    rest = [top for top in tree.body if top not in functions]
    parts = {each.name: [each] for each in functions} | {"": rest}
    return {
        name: hashlib.sha256("\n".join(map(ast.unparse, part)).encode()).hexdigest() for name, part in parts.items()
    }


def _changes(node: ast.AST, statement: int) -> Iterator[tuple[int, int, str, str]]:
    """Change the tree below the node in every way, one at a time; at each yield the tree is changed."""
    for field, value in ast.iter_fields(node):
        if field in ("decorator_list", "annotation", "returns", "type_comment"):
            continue
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if not isinstance(child, ast.AST) or _is_docstring(child):
                continue
            at = child.lineno if isinstance(child, ast.stmt) else statement
            line = getattr(child, "lineno", at)
            for operator in OPERATORS:
                before = ast.unparse(child)
                for after in operator(child):
                    if isinstance(value, list):
                        value[index : index + 1] = after
                    else:
                        setattr(node, field, after[0])
                    said = "; ".join(map(ast.unparse, after)) or "(left out)"
                    yield (line, at, *_shortened(before, said))
                    if isinstance(value, list):
                        value[index : index + len(after)] = [child]
                    else:
                        setattr(node, field, child)
            yield from _changes(child, at)


def _shortened(before: str, after: str) -> tuple[str, str]:
    """The first lines of both; a compound statement of which only the condition changes needs no body."""
    return before.split("\n")[0], after.split("\n")[0]


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


Operator = Callable[[ast.AST], Iterable[list[ast.AST]]]


def other_operator(node: ast.AST) -> Iterator[list[ast.AST]]:
    """`<` becomes `<=`, `==` `!=`, `+` `-`, `|` `&`, `and` `or`, `min` `max`, and the other way round."""
    if isinstance(node, ast.Compare):
        for place, each in enumerate(node.ops):
            if type(each) in OTHERS:
                ops = [*node.ops[:place], OTHERS[type(each)](), *node.ops[place + 1 :]]
                yield [ast.Compare(node.left, ops, node.comparators)]
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHERS:
        yield [ast.BinOp(node.left, OTHERS[type(node.op)](), node.right)]
    elif isinstance(node, ast.BoolOp):
        yield [ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OPPOSITES:
        yield [ast.Call(ast.Name(OPPOSITES[node.func.id], ast.Load()), node.args, node.keywords)]


def without_an_operand(node: ast.AST) -> Iterator[list[ast.AST]]:
    """`a and b` becomes `a`, and `b`; `(a, b) == (c, d)` `b == d`, and `a == c`; `not a` and `~a` become `a`."""
    if isinstance(node, ast.BoolOp):
        for place in range(len(node.values)):
            rest = [*node.values[:place], *node.values[place + 1 :]]
            yield rest if len(rest) == 1 else [ast.BoolOp(node.op, rest)]
    elif isinstance(node, ast.UnaryOp):
        yield [node.operand]
    elif isinstance(node, ast.Compare) and all(isinstance(each, ast.Tuple) for each in (node.left, *node.comparators)):
        for place in range(len(node.left.elts)):
            left, right = (_without(each, place) for each in (node.left, node.comparators[0]))
            yield [ast.Compare(left, node.ops, [right])]


def _without(node: ast.Tuple, place: int) -> ast.Tuple:
    return ast.Tuple([*node.elts[:place], *node.elts[place + 1 :]], ast.Load())


def other_constant(node: ast.AST) -> Iterator[list[ast.AST]]:
    """Numbers by one more and one less, True and False the other way round."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield [ast.Constant(not node.value)]
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield from ([ast.Constant(node.value + step)] for step in (1, -1))


def fixed_condition(node: ast.AST) -> Iterator[list[ast.AST]]:
    """`if a:` and `b if a else c` as if `a` were true, and as if it were false."""
    if isinstance(node, (ast.If, ast.IfExp)):
        for value in (True, False):
            yield [type(node)(test=ast.Constant(value), body=node.body, orelse=node.orelse)]
    elif isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            ifs = [*node.ifs[:place], *node.ifs[place + 1 :]]
            yield [ast.comprehension(node.target, node.iter, ifs, node.is_async)]


def without_an_argument(node: ast.AST) -> Iterator[list[ast.AST]]:
    """A call without one of its arguments."""
    if not isinstance(node, ast.Call):
        return
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    for place in range(len(node.args)) if called in QUERIES else ():
        yield [ast.Call(node.func, [*node.args[:place], *node.args[place + 1 :]], node.keywords)]
    for place, each in enumerate(node.keywords):
        if called in QUERIES or not (isinstance(each.value, ast.Name) and each.value.id == each.arg):
            yield [ast.Call(node.func, node.args, [*node.keywords[:place], *node.keywords[place + 1 :]])]


def without_the_statement(node: ast.AST) -> Iterator[list[ast.AST]]:
    """`pass` instead of a call whose result nobody uses, of `raise`, `continue` and `x += 1`; `return None`."""
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) not in ("None", "False"):
        yield [ast.Return(ast.Constant(None))]
    elif isinstance(node, (ast.Expr, ast.Raise, ast.Continue, ast.AugAssign)) or _sets_an_attribute(node):
        yield [ast.Pass()]


def _sets_an_attribute(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Subscript))


OPERATORS: tuple[Operator, ...] = (
    other_operator,
    without_an_operand,
    other_constant,
    fixed_condition,
    without_an_argument,
    without_the_statement,
)
