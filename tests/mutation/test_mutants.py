"""That mutants are what a wrong edit would make, that tests find them out, and that what nobody notices survives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from tests.mutation import modules, mutants, report, trials
from tests.mutation.mutants import mutants_of

SOURCE = '''"""A module."""

LIMIT = 3


def allowed(age: int, *, banned: bool = False) -> bool:
    """Whether somebody may come in."""
    if age < LIMIT and not banned:
        return False
    return rows.filter(age=age).exists()
'''


@pytest.fixture
def changes(tmp_path, monkeypatch):
    """A function that writes a module and returns what its mutants change in a function ("" for the module)."""
    monkeypatch.setattr(mutants, "CHECKOUT", tmp_path)

    def made(source: str, function: str) -> list[str]:
        (tmp_path / "door.py").write_text(source)
        return [f"{each.before} -> {each.after}" for each in mutants_of("door.py") if each.function == function]

    return made


def test_boundaries_conditions_operands_arguments_and_results_are_changed_one_at_a_time(changes):
    assert changes(SOURCE, "allowed") == [
        "False -> True",
        "if age < LIMIT and (not banned): -> if True:",
        "if age < LIMIT and (not banned): -> if False:",
        "age < LIMIT and (not banned) -> age < LIMIT or not banned",
        "age < LIMIT and (not banned) -> not banned",
        "age < LIMIT and (not banned) -> age < LIMIT",
        "age < LIMIT -> age <= LIMIT",
        "not banned -> banned",
        "False -> True",
        "return rows.filter(age=age).exists() -> return None",
        "rows.filter(age=age) -> rows.filter()",
    ]
    assert changes(SOURCE, "") == ["3 -> 4", "3 -> 2"]


def test_each_mutant_has_a_name_of_its_own_and_code_with_its_change_alone(changes):
    changes(SOURCE, "")
    made = {each.name: each for each in mutants_of("door.py")}
    assert len(made) == 13
    at_the_boundary = {"LIMIT": 3}
    exec(made["door.py allowed: age < LIMIT -> age <= LIMIT"].code, at_the_boundary)
    assert at_the_boundary["allowed"](3) is False
    moved = {}
    exec(made["door.py : 3 -> 4"].code, moved)
    assert (moved["LIMIT"], moved["allowed"](3)) == (4, False)


def test_every_module_can_be_changed_and_every_folder_of_tests_is_there():
    for module in modules.MODULES:
        names = [each.name for each in mutants_of(module)]
        assert names, module
        assert len(names) == len(set(names)), module
    assert all((modules.CHECKOUT / folder).exists() for folder in modules.TESTS)


def test_each_statement_of_a_function_is_counted_when_it_runs(changes, tmp_path, monkeypatch):
    monkeypatch.setattr(modules, "CHECKOUT", tmp_path)
    changes(SOURCE, "")
    ran = []
    names = {"__name__": "door"}
    exec(modules.counting("door", lambda module, line: ran.append((module, line))), names)
    assert ran == []
    assert names["allowed"](2) is False
    assert ran == [("door.py", line) for line in (7, 8, 9)]


FOLLOWS = "tasks/engine/submitting.py _follows_what_could_be_taken_back"


@pytest.mark.parametrize(
    ("module", "test", "killed", "survived"),
    [
        (
            "annotation/documents/spans.py",
            "tests/annotation/documents/test_spans.py::test_other_words_come_with_both_texts",
            "annotation/documents/spans.py moved: words != span.quote -> words == span.quote",
            "annotation/documents/spans.py problem_of: one.start < span.end -> one.start <= span.end",
        ),
        (
            "tasks/engine/submitting.py",
            "tests/tasks/pairs/test_told.py"
            "::test_that_the_next_step_is_begun_is_told_once_to_whoever_could_take_back_what_it_is_about",
            f"{FOLLOWS}: last.author != str(work.person or '') -> last.author == str(work.person or '')",
            f"{FOLLOWS}: work.person or '' -> work.person",
        ),
    ],
    ids=["without_rows", "that_commits"],
)
def test_a_mutant_dies_by_a_test_that_fails_with_it_and_survives_those_that_pass(
    module, test, killed, survived, tmp_path
):
    reach = {each.statement: [test] for each in mutants_of(module)}
    seconds = {test: 0.1}
    (tmp_path / "map.json").write_text(json.dumps({"lines": {module: reach}, "seconds": seconds}))
    results, plan = tmp_path / "outcomes.jsonl", tmp_path / "plan.json"
    trials.Plan(
        map=str(tmp_path / "map.json"),
        results=str(results),
        ends=time.time() + 600,
        tests=10,
        modules=(module,),
        only=(killed, survived),
    ).write(plan)
    command = [sys.executable, "-m", "pytest", "-p", "tests.mutation.trials", "tests/mutation/warm_up.py"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    subprocess.run([*command, test], env=environment | {trials.PLAN: str(plan)}, check=True, capture_output=True)
    outcomes = {told["name"]: told["outcome"] for told in map(json.loads, results.read_text().splitlines())}
    assert outcomes == {killed: "killed", survived: "survived"}


def test_what_became_of_the_mutants_of_a_function_is_known_until_the_function_changes(changes, tmp_path, monkeypatch):
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    monkeypatch.setattr(report, "MODULES", {"door.py": ()})
    changes(SOURCE, "")
    names = {each.name: each.function for each in mutants_of("door.py")}
    survivor = "door.py allowed: age < LIMIT -> age <= LIMIT"
    report.write(dict.fromkeys(names, "killed") | {survivor: "survived"})
    changes(
        SOURCE.replace("LIMIT = 3", "LIMIT = 4").replace("    if", "    # Guests of three years are welcome.\n    if"),
        "",
    )
    known = report.known()
    assert known[survivor] == "survived"
    assert {known[name] for name, function in names.items() if function and name != survivor} == {"killed"}
    assert {known["door.py : 4 -> 5"], known["door.py : 4 -> 3"]} == {"not run"}
    assert report.unexplained(known) == ["door.py : 4 -> 5", "door.py : 4 -> 3", survivor]
    changes(SOURCE.replace("age < LIMIT", "age <= LIMIT"), "")
    assert {report.known()[name] for name in names if "return rows" in name} == {"not run"}
