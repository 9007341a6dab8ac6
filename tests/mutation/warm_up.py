"""What the process that tests mutants runs first: the session's fixtures are ready then, the migrated database too."""

from __future__ import annotations


def test_the_database_is_ready(db: None):
    pass
