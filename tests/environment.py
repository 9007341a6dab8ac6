"""A pytest plugin: points the settings at a temporary data folder and the chosen database before Django reads them.

`--database sqlite|postgresql` (or GOLDFINCH_TEST_DB) chooses; `tests.servers` starts the servers. It is loaded with
`-p`, since pytest-django reads the settings before any conftest. Workers of pytest-xdist inherit the environment that
the first process has set.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests import prepared, servers

_FOLDER = "GOLDFINCH_TEST_FOLDER"
MEMORY, ROOM = Path("/dev/shm"), 4 * 2**30
"""Where temporary files go if that has so many bytes free. Tests commit a lot, and each commit waits for the disk: in
memory they take two thirds of the time. What is proven about disks has a disk of its own (tests/proofs/power)."""
_started: list[servers.Server] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database",
        choices=["sqlite", "postgresql"],
        default=os.environ.get("GOLDFINCH_TEST_DB", "sqlite"),
        help="the database that tests run on (also GOLDFINCH_TEST_DB)",
    )


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
            os.environ["TMPDIR"] = str(MEMORY)
            tempfile.tempdir = None  # it is read again
        folder = Path(tempfile.mkdtemp(prefix="goldfinch-tests-"))
        atexit.register(_end, folder)
        data = folder / "data"
        (data / "static").mkdir(parents=True)
        if early_config.known_args_namespace.database == "postgresql":
            place = folder / "postgresql"
            place.mkdir()
            folder.chmod(0o755)
            try:
                if "TEST_DATABASE_URL" not in os.environ:
                    prepared.postgresql_data(place / "pgdata")
                server = servers.postgresql(place)
            except servers.CannotStart as error:
                raise pytest.UsageError(str(error)) from error
            _started.append(server)
            url = server.url
        else:
            url = f"sqlite:///{data / 'goldfinch.sqlite3'}"
        os.environ |= {
            _FOLDER: str(folder),
            "GOLDFINCH_DATA": str(data),
            "DATABASE_URL": url,
            "SECRET_KEY": "a key for tests only",
            "GOLDFINCH_ID_KEY": "an id key for tests only",
            "REDIS_URL": "",
            "GOLDFINCH_PROTOCOLS": "tests.protocols.toy",
        }
    return (yield)


def _end(folder: Path) -> None:
    while _started:
        _started.pop().stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def test_folder() -> Path:
    """The folder of this run, removed at its end."""
    return Path(os.environ[_FOLDER])


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory):
    """A real Redis, started when a test first asks for it."""
    server = servers.redis_server(tmp_path_factory.mktemp("redis"))
    yield server.url
    server.stop()
