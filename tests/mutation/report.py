"""What became of the mutants: `results/mutants.json` for tools, `results/mutants.md` to read.

Survivors are explained in `results/reasons.toml`: tables `[[reason]]` with `why` and the names of `mutants`.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path
from typing import Any

from tests.mutation.modules import MODULES
from tests.mutation.mutants import Mutant, functions_of, mutants_of

RESULTS = Path(__file__).parent / "results"
LONG = 100
"""Characters of an expression that is shown whole."""
OUTCOMES = ("killed", "survived", "timed out", "no tests", "not run")
"""`no tests`: no test reaches the statement."""
FOUND_OUT = ("killed", "timed out")
"""With a mutant that timed out, the tests would not have ended."""


def known() -> dict[str, str]:
    """The outcome of every mutant by name, as it was seen last; "not run" for those of functions changed since."""
    file = RESULTS / "mutants.json"
    before = json.loads(file.read_text(encoding="utf-8"))["modules"] if file.exists() else {}
    found: dict[str, str] = {}
    for module in MODULES:
        told, now = before.get(module, {}), functions_of(module)
        same = {function for function, digest in told.get("functions", {}).items() if now.get(function) == digest}
        survivors = {each["name"]: each["outcome"] for each in told.get("not killed", ())}
        for each in mutants_of(module):
            found[each.name] = survivors.get(each.name, "killed") if each.function in same else "not run"
    return found


def unexplained(outcomes: dict[str, str]) -> list[str]:
    """The mutants that were not found out, without those whose survival has a reason."""
    explained = _reasons()
    return [name for name, outcome in outcomes.items() if outcome not in FOUND_OUT and name not in explained]


def write(outcomes: dict[str, str], **figures: Any) -> str:
    """Write both files from the outcome of each mutant, by name; returns the table."""
    explained = _reasons()
    modules = {module: _of_module(module, outcomes, explained) for module in MODULES}
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"figures": figures, "modules": modules}, indent=1, ensure_ascii=False)
    (RESULTS / "mutants.json").write_text(text + "\n", encoding="utf-8")
    table = "\n".join(_table(modules))
    (RESULTS / "mutants.md").write_text("\n".join(_page(modules, table, figures)), encoding="utf-8")
    return table


def _of_module(module: str, outcomes: dict[str, str], explained: dict[str, str]) -> dict[str, Any]:
    every = mutants_of(module)
    counts = Counter(outcomes.get(each.name, "not run") for each in every)
    listed = [
        {
            "name": each.name,
            "line": each.line,
            "change": _change(each),
            "outcome": outcomes.get(each.name, "not run"),
            "why": explained.get(each.name, ""),
        }
        for each in every
        if outcomes.get(each.name) != "killed"
    ]
    counted = {"mutants": len(every), **{outcome: counts[outcome] for outcome in OUTCOMES}}
    return {"functions": functions_of(module), **counted, "not killed": listed}


def _table(modules: dict[str, dict[str, Any]]) -> Iterable[str]:
    heads = ("mutants", *OUTCOMES)
    yield f"| module | {' | '.join(heads)} |"
    yield f"|---|{'--:|' * len(heads)}"
    for module, told in modules.items():
        yield f"| {module} | {' | '.join(str(told[head]) for head in heads)} |"
    yield f"| **all** | {' | '.join(str(sum(told[head] for told in modules.values())) for head in heads)} |"


def _page(modules: dict[str, dict[str, Any]], table: str, figures: dict[str, Any]) -> Iterable[str]:
    yield from ("# Mutants", "", "Written by `make mutate`; what is mutated, and how, is said in `tests/mutation`.")
    yield from ("A mutant without a reason survived those tests for which there was time, of all that reach it.", "")
    yield from (", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in figures.items()), "", table, "")
    for module, told in modules.items():
        for outcome in OUTCOMES[1:]:
            found = [each for each in told["not killed"] if each["outcome"] == outcome]
            if not found:
                continue
            yield from (f"## {module}: {outcome}", "")
            for why in dict.fromkeys(each["why"] for each in found):
                yield from (f"{why or 'Not explained:'}", "")
                yield from (f"- {each['line']}: `{each['change']}`" for each in found if each["why"] == why)
                yield ""


def _change(mutant: Mutant) -> str:
    """What was changed in which function; of a long expression only where it differs."""
    before, after = mutant.before, mutant.after
    if len(before) > LONG:
        start = _alike(before, after)
        end = _alike(before[start:][::-1], after[start:][::-1])
        left, right = before[max(0, start - LONG // 3) : start], before[len(before) - end :][: LONG // 3]
        middle = after[start : len(after) - end] or "(nothing)"
        return f"{mutant.function}: ... {left}[{before[start : len(before) - end]} -> {middle}]{right} ..."
    return f"{mutant.function or 'the module'}: {before} -> {after}"


def _alike(one: str, other: str) -> int:
    """With how many characters both begin."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _reasons() -> dict[str, str]:
    file = RESULTS / "reasons.toml"
    if not file.exists():
        return {}
    found = tomllib.loads(file.read_text(encoding="utf-8"))["reason"]
    return {name: each["why"].strip() for each in found for name in each["mutants"]}
