"""Sites of earlier versions, as their commands left them, and all that is in their databases.

`data_of_7c2f3c2.tar.xz` was made by that commit's commands: three questions about two pages, one with an image, each
answered by a bot; a release of them; and what a refused import had left behind: a page and its layout. Documents and
layouts are files.

`data_of_4472bfee.tar.xz` has three such questions beside the demo of that commit for the other protocols, with
small pictures, and a release of each project. Documents and layouts are in packs. `dump_of_4472bfee.tar.xz` is the same
on PostgreSQL: what `pg_dump --inserts` wrote, and the data folder.
"""

from __future__ import annotations

import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg2

from tests import prepared
from tests.forking import ForkedSite, ForkServer

FOLDER = Path(__file__).parent
KEYS = {"GOLDFINCH_ID_KEY": "an id key for tests only", "SECRET_KEY": "a key for tests only"}
OF_OURS = ("annotation_", "qualification_", "tasks_")
TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'",
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
}
Rows = tuple[tuple[str, ...], list[Any]]
"""The names of the columns of a table, and its rows."""


class OlderSite(ForkedSite):
    """An earlier version's data, served by this version."""

    def tables(self) -> dict[str, Rows]:
        """Every row of every table of ours, by the name of the table."""
        url = self.environment["DATABASE_URL"]
        database, _, file = url.partition("://")
        connect = sqlite3.connect(file.removeprefix("/")) if database == "sqlite" else psycopg2.connect(url)
        with closing(connect) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(TABLES[database])
            names = [name for (name,) in cursor.fetchall() if name.startswith(OF_OURS)]
            return {name: _rows(cursor, name) for name in names}


def _rows(cursor: Any, table: str) -> Rows:
    cursor.execute(f'SELECT * FROM "{table}"')
    rows = [tuple(bytes(cell) if isinstance(cell, memoryview) else cell for cell in row) for row in cursor.fetchall()]
    return tuple(column[0] for column in cursor.description), rows


def told(rows: Rows, columns: set[str]) -> list[str]:
    """The rows with these columns alone, each as a text, in the order of the texts."""
    places = [(name, place) for place, name in enumerate(rows[0]) if name in columns]
    return sorted(repr({name: row[place] for name, place in sorted(places)}) for row in rows[1])


@contextmanager
def from_folder(name: str, folder: Path, by: ForkServer) -> Iterator[OlderSite]:
    """The site whose data folder is kept under this name, unpacked into `folder`; its processes are forked `by`."""
    _unpack(f"data_of_{name}", folder)
    with closing(OlderSite(folder, **KEYS)) as site:
        site.forked_by = by
        yield site


@contextmanager
def from_dump(name: str, folder: Path, server: str, by: ForkServer) -> Iterator[OlderSite]:
    """The site whose dump is kept under this name, restored into a database of its own on the server of this URL."""
    _unpack(f"dump_of_{name}", folder)
    database = f"restored_{name}"
    url = prepared.database_url(server, database)
    with closing(psycopg2.connect(server)) as connection:
        connection.autocommit = True
        connection.cursor().execute(f"CREATE DATABASE {database}")
    try:
        with closing(psycopg2.connect(url)) as connection:
            connection.cursor().execute((folder / "goldfinch.sql").read_text())
            connection.commit()
        with closing(OlderSite(folder, DATABASE_URL=url, **KEYS)) as site:
            site.forked_by = by
            yield site
    finally:
        prepared.drop_postgresql_database(server, database)


def _unpack(name: str, to: Path) -> None:
    with tarfile.open(FOLDER / f"{name}.tar.xz") as packed:
        packed.extractall(to, filter="data")
