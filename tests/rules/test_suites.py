"""What `make test` leaves out is shown by something that it runs, and every test belongs to a suite."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests import marks, suites
from tests.prepared import CHECKOUT

FILES = sorted(CHECKOUT.glob("tests/**/test_*.py"))


def name(path: Path) -> str:
    return path.relative_to(CHECKOUT).as_posix()


def marked(source: str) -> list[str | None]:
    """For each mark `in_test_all` the test that shows the same for each merge, or None if it names none."""
    if marks.IN_TEST_ALL not in source:  # reading the syntax of all tests takes seconds
        return []
    tree = ast.parse(source)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found: list[str | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == marks.IN_TEST_ALL:
            call = calls.get(id(node))
            named = {keyword.arg: keyword.value for keyword in call.keywords} if call else {}
            value = named.get("shown_by")
            found.append(value.value if isinstance(value, ast.Constant) else None)
    return found


@cache
def statements_of(file: str) -> list[ast.stmt]:
    """What is at the top of a file."""
    return ast.parse((CHECKOUT / file).read_text()).body


@cache
def exists(test: str) -> bool:
    """Whether a node id names a test function of a file."""
    file, _, function = test.partition("::")
    return (CHECKOUT / file).is_file() and any(
        isinstance(node, ast.FunctionDef) and node.name == function for node in statements_of(file)
    )


@cache
def is_left_out(test: str) -> bool:
    """Whether that test, or all of its file, is itself run by `make test-all` alone."""
    file, _, function = test.partition("::")
    body = statements_of(file)
    decorators = [d for node in body if isinstance(node, ast.FunctionDef) and node.name == function
                  for d in node.decorator_list]  # fmt: skip
    of_file = [node.value for node in body if isinstance(node, ast.Assign) and "pytestmark" in ast.unparse(node)]
    return any(marks.IN_TEST_ALL in ast.unparse(each) for each in [*decorators, *of_file])


def test_every_test_for_test_all_alone_names_one_that_every_merge_runs():
    for path in FILES:
        for shown_by in marked(path.read_text()):
            assert shown_by, f"{name(path)}: in_test_all(shown_by='tests/...::test_...')"
            assert exists(shown_by), f"{name(path)}: {shown_by} does not exist"
            assert not is_left_out(shown_by), f"{name(path)}: {shown_by} is left out itself"


def test_the_control_a_mark_without_a_test_is_found():
    assert marked("@pytest.mark.in_test_all\ndef test_it(): ...") == [None]
    assert marked("@pytest.mark.in_test_all('slow')\ndef test_it(): ...") == [None]
    assert marked("@pytest.mark.in_test_all(shown_by='tests/a.py::test_b')\ndef test_it(): ...") == [
        "tests/a.py::test_b"
    ]


def test_the_control_a_test_that_is_gone_is_found():
    assert exists(f"{name(Path(__file__))}::test_the_control_a_test_that_is_gone_is_found")
    assert not exists(f"{name(Path(__file__))}::test_gone")
    assert not exists("tests/rules/test_gone.py::test_gone")


@pytest.mark.parametrize(
    ("path", "is_page"),
    [
        ("tests/frontend/work/test_x.py", True),
        ("tests/protocols/nq/test_x.py", True),
        ("tests/protocols/test_contract.py", False),
        ("tests/qualification/courses/test_working.py", True),
        ("tests/tasks/test_x.py", False),
        ("tests/annotation/test_x.py", False),
        ("tests/races/test_x.py", False),
        ("tests/frontends/test_x.py", False),
    ],
)
def test_on_postgresql_pages_and_protocols_are_left_to_test_all(path, is_page):
    assert marks.is_page(path) == is_page


def test_the_tests_of_other_packages_that_go_through_pages_exist():
    assert [path for path in marks.ON_PAGES if not (CHECKOUT / path).is_file()] == []


def test_files_of_pages_without_a_test_for_both_databases_are_not_imported_on_postgresql(tmp_path):
    def left(path: str, text: str, database: str = "postgresql") -> bool:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return marks.is_left_to_test_all(file, database=database, checkout=tmp_path)

    plain = "def test_it(): ..."
    assert left("tests/frontend/test_x.py", plain)
    assert not left("tests/frontend/test_x.py", plain, database="sqlite")
    assert not left("tests/tasks/test_x.py", plain)
    assert not left("tests/frontend/builders.py", plain)
    for mark in marks.BOTH:
        assert not left("tests/frontend/test_x.py", f"@pytest.mark.{mark}\n{plain}")


def test_a_mark_for_both_databases_is_written_in_the_file_of_its_test():
    """It is looked for there; a mark from another module would leave the test out of every merge."""
    others = [path for folder in marks.PAGES for path in CHECKOUT.glob(f"{folder}/**/*.py") if path not in FILES]
    assert [name(path) for path in others for mark in marks.BOTH if f"mark.{mark}" in path.read_text()] == []


def test_every_test_file_belongs_to_a_suite_of_make_test():
    folders = [word for words in suites.SUITES.values() for word in words if word.startswith("tests")]
    assert [name(path) for path in FILES if not name(path).startswith(tuple(folders))] == []


def test_make_test_leaves_marked_tests_out_and_make_test_all_does_not():
    assert f"not {marks.IN_TEST_ALL}" in " ".join(suites.command_of("sqlite", everything=False))
    assert marks.IN_TEST_ALL not in " ".join(suites.command_of("sqlite", everything=True))


def test_each_test_of_a_service_runs_on_postgresql_for_a_merge_and_on_sqlite_in_test_quick():
    def options(name: str, *, everything: bool = False) -> str:
        return " ".join(suites.command_of(name, everything=everything))

    assert f"not {marks.ON_POSTGRESQL}" in options("sqlite")
    for others in (options("sqlite", everything=True), options("quick"), options("postgresql")):
        assert marks.ON_POSTGRESQL not in others


@pytest.mark.parametrize(
    ("path", "is_service"),
    [
        ("tests/annotation/test_x.py", True),
        ("tests/tasks/judging/test_x.py", True),
        ("tests/qualification/test_x.py", True),
        ("tests/qualification/courses/test_working.py", False),
        ("tests/frontend/test_x.py", False),
        ("tests/races/test_x.py", False),
        ("tests/proofs/test_x.py", False),
        ("tests/tasksets/test_x.py", False),
    ],
)
def test_services_are_what_is_below_the_pages(path, is_service):
    assert marks.is_service(path) == is_service


class Item:
    """As much of a test as `marks.choose` looks at."""

    def __init__(self, path: str, *markers: str) -> None:
        self.path, self.markers = CHECKOUT / path, {marker: getattr(pytest.mark, marker).mark for marker in markers}

    def get_closest_marker(self, marker: str) -> pytest.Mark | None:
        return self.markers.get(marker)

    def add_marker(self, marker: str) -> None:
        self.markers[marker] = getattr(pytest.mark, marker).mark


@pytest.mark.parametrize(
    ("path", "markers", "databases"),
    [
        ("tests/tasks/test_x.py", ["database"], ["postgresql"]),
        ("tests/tasks/test_x.py", ["database", marks.ON_BOTH], ["sqlite", "postgresql"]),
        ("tests/tasks/test_x.py", ["database", "sqlite_only"], ["sqlite"]),
        ("tests/tasks/test_x.py", [], ["sqlite"]),
        ("tests/frontend/test_x.py", ["database"], ["sqlite"]),
        ("tests/frontend/test_x.py", ["database", marks.ON_BOTH], ["sqlite", "postgresql"]),
        ("tests/frontend/test_x.py", ["database", "postgresql_only"], ["postgresql"]),
        ("tests/frontend/test_x.py", [], ["sqlite"]),
    ],
)
def test_each_test_of_a_merge_runs_on_one_database_at_least(path, markers, databases):
    """The suite on PostgreSQL has only tests that use the database."""

    def runs(database: str) -> bool:
        item = Item(path, *markers)
        if marks.choose([item], database=database, checkout=CHECKOUT):
            return False
        if database == "postgresql" and "database" not in item.markers:
            return False
        return not {marks.IN_TEST_ALL, *([marks.ON_POSTGRESQL] if database == "sqlite" else [])} & set(item.markers)

    assert [database for database in ("sqlite", "postgresql") if runs(database)] == databases


def test_only_proofs_and_races_run_on_one_database_for_a_merge_and_races_on_postgresql():
    """What is below the pages has to be shown on both."""
    marked_files = {name(path): path.read_text() for path in FILES if f"mark.{marks.ON_ONE}" in path.read_text()}
    assert marked_files
    assert [file for file in marked_files if not file.startswith(("tests/proofs/", "tests/races/"))] == []
    races = {file: text for file, text in marked_files.items() if file.startswith("tests/races/")}
    assert [file for file, text in races.items() if f'{marks.ON_ONE}("postgresql")' not in text] == []


def test_every_place_that_a_suite_names_exists():
    """With pytest-xdist, a suite with a folder that is not there runs none of its tests."""
    places = {word for suite in (suites.SUITES | suites.ONLY_WHEN_NAMED).values() for word in suite if "tests/" in word}
    gone = [place for place in places if not (CHECKOUT / place.removeprefix("--ignore=")).exists()]
    assert gone == []
