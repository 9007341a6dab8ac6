"""Which tests only `make test-all` runs, once before an issue is called resolved, and why a merge may do without them.

There are four reasons, and tests/rules/test_suites.py holds them:

1. *Pages and protocols on PostgreSQL* (PAGES, and ON_PAGES elsewhere). What differs between the databases are locks,
   transactions, triggers, statements and plans. What is above the services is the same Python on either. A test of a
   page whose subject does differ is marked `on_both_databases`.
2. *Services on SQLite* (SERVICES: the record, tasks, qualification), as far as they use the database. PostgreSQL is the
   stricter of the two, so each merge runs these there, and on SQLite what goes through them: pages, protocols, races,
   proofs and the contract. A test of what the database itself does is marked `on_both_databases`. `make test-quick`
   runs them on SQLite.
3. `one_database_for_a_merge`: a proof of what is above the database (a crawl, guesses, files, sockets), or of more of
   what another proof shows on both. It runs on SQLite for each merge, and on PostgreSQL in `make test-all`.
   `one_database_for_a_merge("postgresql")`: a race, the other way round. SQLite lets one transaction write at a time,
   so nothing happens between two statements of one there; that this is so, the races without the mark show.
4. `in_test_all(shown_by="tests/...::test_...")`: the test shows at a greater size, in more combinations, on more
   screens or in more detail what the test that it names shows or walks through for each merge. So each merge walks
   through every screen once, and every promise is shown with a control.
"""

from __future__ import annotations

from pathlib import Path

import pytest

IN_TEST_ALL = "in_test_all"
ON_BOTH = "on_both_databases"
BOTH = (ON_BOTH, "postgresql_only")
"""Markers of tests of pages that a merge runs on PostgreSQL."""
ON_POSTGRESQL = "on_postgresql_for_a_merge"
"""Set on tests of services that a merge runs on PostgreSQL and not on SQLite."""
ON_ONE = "one_database_for_a_merge"
PAGES = ("tests/frontend", "tests/protocols")
ON_PAGES = (
    "tests/annotation/test_new_protocol.py",
    "tests/qualification/courses/test_time_on_screen.py",
    "tests/qualification/courses/test_what_the_screen_hides.py",
    "tests/qualification/courses/test_working.py",
)
"""Tests of other packages that go through the real pages."""
SERVICES = ("tests/annotation", "tests/qualification", "tests/tasks")
ONLY_ON = {"postgresql": "sqlite_only", "sqlite": "postgresql_only"}
"""For each database the marker of tests that there is nothing to see of on it."""


def is_page(path: str) -> bool:
    """Whether a test file, relative to the checkout, is about pages or protocols; the contract is about the engine."""
    return path in ON_PAGES or (
        path.startswith(tuple(f"{folder}/" for folder in PAGES)) and not path.endswith("/test_contract.py")
    )


def is_service(path: str) -> bool:
    """Whether a test file, relative to the checkout, is about services: the record, tasks, qualification."""
    return path.startswith(tuple(f"{folder}/" for folder in SERVICES)) and not is_page(path)


def is_left_to_test_all(file: Path, *, database: str, checkout: Path) -> bool:
    """Whether nothing in this test file runs for a merge on this database, so that it need not be imported."""
    page = database == "postgresql" and is_page(file.relative_to(checkout).as_posix())
    return page and file.name.startswith("test_") and not any(f"mark.{mark}" in file.read_text() for mark in BOTH)


def choose(items: list[pytest.Item], *, database: str, checkout: Path) -> list[pytest.Item]:
    """Mark what a merge does not run on this database; return the tests to leave out of it altogether.

    Tests that use the database are marked `database` already.
    """
    for item in items:
        path = item.path.relative_to(checkout).as_posix()
        page = is_page(path)
        both = any(map(item.get_closest_marker, BOTH))
        one = item.get_closest_marker(ON_ONE)
        elsewhere = one is not None and database != (one.args or ("sqlite",))[0]
        if elsewhere or (database == "postgresql" and page and not both):
            item.add_marker(IN_TEST_ALL)
        only_here = item.get_closest_marker(ONLY_ON["postgresql"])
        shown_there = is_service(path) and not both and not only_here
        if database == "sqlite" and shown_there and item.get_closest_marker("database"):
            item.add_marker(ON_POSTGRESQL)
    return [item for item in items if item.get_closest_marker(ONLY_ON[database])]
