"""What suites and sites need alike, made once for a state of the code and then copied.

A migrated SQLite file, a PostgreSQL data folder with a migrated database to take as a template, and the collected
static files. Migrating takes seven seconds of processor time, a copy takes none. They lie in `build/prepared/`, in a
folder named by the fingerprint of all that could change them, so that a change of the product makes them anew.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import psycopg2

CHECKOUT = Path(__file__).resolve().parent.parent
PREPARED = CHECKOUT / "build" / "prepared"
PROTOCOL = "tests.protocols.toy"
"""The protocol that only the tests have; its tables and static files are harmless where it is not installed."""
SOURCES = (
    "annotation", "qualification", "tasks", "frontend", PROTOCOL.replace(".", "/"), "tests/prepared.py",
    "tests/requirements.lock",
)  # fmt: skip
TEMPLATE = "goldfinch_migrated"
"""The PostgreSQL database that test databases are copied from."""
FORGET_KEY = "DELETE FROM annotation_idkey"
"""Each copy may have a key for ids of its own."""


def sqlite(file: Path) -> Path:
    """Copy the migrated SQLite file to `file`; return it."""
    return shutil.copy(_made("migrated.sqlite3", _migrate_sqlite), file)


def static(folder: Path) -> Path:
    """Copy the collected static files into `folder`, which may not exist; return it."""
    return shutil.copytree(_made("static", _collect_static), folder)


def postgresql_data(folder: Path) -> Path:
    """Copy the data folder of a server, with the database `goldfinch_migrated`, to `folder`; return it."""
    return shutil.copytree(_made("pgdata", _migrate_postgresql), folder)


def postgresql_database(url: str, name: str) -> None:
    """Create a migrated database on the server of this URL, by copying its template, which is made if need be."""
    with _connected(url) as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE])
        if cursor.fetchone() is None:
            _make_template(url)
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{TEMPLATE}"')


def drop_postgresql_database(url: str, name: str) -> None:
    """Drop a database of this server."""
    with _connected(url) as cursor:
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def database_url(url: str, name: str) -> str:
    """The URL of another database on the same server."""
    return f"{url.rpartition('/')[0]}/{name}"


@contextmanager
def _connected(url: str) -> Iterator[psycopg2.extensions.cursor]:
    with closing(psycopg2.connect(url)) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            yield cursor


def _made(name: str, make: Callable[[Path], None]) -> Path:
    """The file or folder of this name for this state of the code."""

    def make_there(found: Path) -> None:
        _forget_older(but=folder)
        with tempfile.TemporaryDirectory(prefix="goldfinch-prepared-") as place:
            make(Path(place) / name)
            shutil.move(Path(place) / name, found)

    folder = PREPARED / _fingerprint()
    return made_once(folder / name, make_there)


def made_once(found: Path, make: Callable[[Path], None]) -> Path:
    """A file or folder, made by the first process that asks for it; the others wait for it."""
    if found.exists():
        return found
    found.parent.mkdir(parents=True, exist_ok=True)
    with found.with_name(f"{found.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.exists():
            part = found.with_name(f"{found.name}.part")
            shutil.rmtree(part, ignore_errors=True)  # left by a process that was killed
            make(part)
            part.rename(found)
    return found


def _forget_older(*, but: Path) -> None:
    """Remove what older states of the code had, but for the two newest: another run may be copying from them."""
    others = sorted(
        (each for each in PREPARED.iterdir() if each != but), key=lambda each: each.stat().st_mtime, reverse=True
    )
    for each in others[2:]:
        shutil.rmtree(each, ignore_errors=True)


@cache
def _fingerprint() -> str:
    """A hash of all files that migrations, triggers and static files could come from, and of the interpreter."""
    digest = hashlib.sha256(sys.version.encode())
    for source in SOURCES:
        path = CHECKOUT / source
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith("test_"):
                digest.update(str(file.relative_to(CHECKOUT)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _migrate_sqlite(file: Path) -> None:
    _manage("migrate", "--verbosity=0", database=f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute(FORGET_KEY)
    for left in file.parent.glob(f"{file.name}-*"):
        raise RuntimeError(f"{left.name} is left: the file alone is not the whole database")


def _migrate_postgresql(folder: Path) -> None:
    from tests import servers

    server = servers.postgresql(folder.parent)
    try:
        _make_template(server.url)
    finally:
        server.stop()


def _make_template(url: str) -> None:
    with _connected(url) as cursor:
        cursor.execute(f'CREATE DATABASE "{TEMPLATE}"')
    _manage("migrate", "--verbosity=0", database=database_url(url, TEMPLATE))
    with _connected(database_url(url, TEMPLATE)) as cursor:
        cursor.execute(FORGET_KEY)


def _collect_static(folder: Path) -> None:
    _manage("collectstatic", "--noinput", "--verbosity=0", database="sqlite://", data=folder.parent)


def _manage(*words: str, database: str, data: Path | None = None) -> None:
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=CHECKOUT, env=_environment() | {"DATABASE_URL": database, "GOLDFINCH_DATA": str(data or place)},
            check=True,
        )  # fmt: skip


def _environment() -> Mapping[str, str]:
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "frontend.settings",
        "SECRET_KEY": "a key for tests only",
        "GOLDFINCH_ID_KEY": "an id key for tests only",
        "GOLDFINCH_PROTOCOLS": PROTOCOL,
        "REDIS_URL": "",
    }
