"""Under tests/ only the factories write rows, so that each kind of row is made in one place."""

from __future__ import annotations

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
FACTORIES = "tests/factories/"
WRITING = re.compile(
    r"\.objects(\.using\([^)]*\))?\.a?(create|bulk_create|get_or_create|update_or_create)\("
    r"|\b(bulk_create|create_user|create_superuser)\(|\bprojects\.create\("
)
EXCEPTIONS = {
    "tests/annotation/triggers/test_append_only.py": "tries every way of writing to an append-only table",
    "tests/rules/development/test_rows_of_tests.py": "has such lines for its control",
    "tests/rules/test_source.py": "has such lines for its control",
}
INSTEAD = "Use the factory of that row (tests/factories), or add one."


def lines_that_write(source: str) -> list[int]:
    """The numbers of the lines that write a row by themselves; in the text of a script for another process, too."""
    return [number for number, line in enumerate(source.splitlines(), 1) if WRITING.search(line)]


def test_no_test_writes_rows_but_by_a_factory():
    found = set()
    for path in (CHECKOUT / "tests").rglob("*.py"):
        name = path.relative_to(CHECKOUT).as_posix()
        if not name.startswith(FACTORIES) and lines_that_write(path.read_text(encoding="utf-8")):
            found.add(name)
    assert found - EXCEPTIONS.keys() == set(), INSTEAD
    assert EXCEPTIONS.keys() - found == set(), "These no longer need to be exceptions."


def test_the_factories_themselves_do_write_them():
    found = "".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / FACTORIES).rglob("*.py"))
    assert len(lines_that_write(found)) == 2  # projects.create, bulk_create


def test_the_control_other_ways_to_write_a_row_are_found():
    for line in (
        "User.objects.create(username='anna')",
        "user = User.objects.create_user('anna')",
        "Item.objects.using('snapshot').bulk_create(rows)",
        "CODE = 'Project.objects.get_or_create(slug=1)'",
        "made = projects.create(slug='lights')",
        "_, made = await Job.objects.acreate(key='x')",
    ):
        assert lines_that_write(line) == [1], line
    assert (
        lines_that_write("made = recording.create(x)\nUserFactory(username='anna')\nfound = User.objects.get()") == []
    )
