"""The server and the database are killed under load, and nothing that was acknowledged is lost."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from tests import servers
from tests.forking import ForkedSite, ForkServer
from tests.proofs.rigs.ledger import Ledger
from tests.proofs.rigs.served import load, run_in_child, verdict
from tests.proving import size

pytestmark = pytest.mark.xdist_group("killed servers")
"""One process furnishes the sites of all tests."""

SEED = 20112
AT_MOST = size(20, 200)
"""Answers between two kills; at full size there are a hundred thousand answers in a thousand kills."""
LOSING = ["synchronous_commit=off", "wal_writer_delay=10s", "wal_writer_flush_after=1GB", "wal_buffers=32MB"]
"""Commits don't wait for the disk, and their writes stay in the server's memory for ten seconds."""


@dataclass
class World:
    """A site with signed-in people, and its database server (None: SQLite)."""

    site: ForkedSite
    sessions: list[str]
    database: servers.Server | None = None

    def restart_database(self, *settings: str) -> None:
        """Start it again with the same data."""
        self.database = servers.postgresql(self.site.folder / "postgresql", durable=True, settings=settings)


@pytest.fixture(scope="module")
def furnished(request: pytest.FixtureRequest, fork_server_of_all: ForkServer) -> Iterator[World]:
    with tempfile.TemporaryDirectory() as name:
        folder, server = Path(name), None
        folder.chmod(0o755)
        if request.config.getoption("database") == "postgresql":
            (folder / "postgresql").mkdir()
            server = servers.postgresql(folder / "postgresql", durable=True)
            if server.process is None:
                pytest.skip("TEST_DATABASE_URL names a server that is not ours to kill")
        site = ForkedSite(folder, **({"DATABASE_URL": server.url} if server else {}))
        site.forked_by = fork_server_of_all
        site.prepare()
        made = World(site, run_in_child(site, "furnish()"), server)
        yield made
        site.close()
        if made.database is not None:
            made.database.stop()


@pytest.fixture
def world(furnished: World) -> Iterator[World]:
    """The same site; whatever a test serves ends with the test."""
    yield furnished
    furnished.site.kill()


def under_load(
    world: World, strike: Callable[[], None], *, times: int, at_most: int = AT_MOST, afterwards: int = 4
) -> Ledger:
    """Strike repeatedly, each time after at most so many acknowledged answers; then check that as many more arrive."""
    rng = Random(SEED)
    with load(world.site, world.sessions) as ledger:
        for _ in range(times):
            ledger.wait_for(rng.randint(1, at_most))
            strike()
        ledger.wait_for(afterwards)
    print(f"{ledger.count} acknowledged, {times} kills, meanwhile {dict(ledger.failed)}")
    return ledger


def kill_the_server(world: World) -> None:
    port = int(world.site.url.rsplit(":", 1)[1])
    world.site.kill()
    world.site.start(port=port)


def test_no_acknowledged_answer_is_lost_when_the_server_is_killed(world, record_property):
    times = size(3, 1000)
    record_property("size", times)
    record_property("seed", SEED)
    world.site.start()
    ledger = under_load(world, lambda: kill_the_server(world), times=times)
    assert verdict(world.site, ledger).faults() == []


@pytest.mark.one_database_for_a_merge
def test_control_a_server_that_answers_before_the_commit_is_noticed(world):
    wrong = {"DATABASE_URL": world.site.environment["DATABASE_URL"]}
    early = ForkedSite(world.site.folder, **wrong, DJANGO_SETTINGS_MODULE="tests.proofs.rigs.answering_early")
    early.forked_by = world.site.forked_by
    early.start()
    try:
        ledger = under_load(replace(world, site=early), early.kill, times=1, at_most=1, afterwards=0)
    finally:
        early.close()
    assert verdict(world.site, ledger).lost


@pytest.mark.postgresql_only
def test_no_acknowledged_answer_is_lost_when_postgresql_is_killed(world, record_property):
    times = size(2, 200)
    record_property("size", times)
    record_property("seed", SEED)
    world.site.start()

    def kill_the_database() -> None:
        world.database.crash()
        world.restart_database()

    ledger = under_load(world, kill_the_database, times=times)
    assert verdict(world.site, ledger).faults() == []


@pytest.mark.postgresql_only
def test_control_commits_that_do_not_wait_for_the_disk_are_noticed(world):
    world.database.stop()
    world.restart_database(*LOSING)
    world.site.start()

    def kill_the_database() -> None:
        world.database.crash()
        world.restart_database()

    ledger = under_load(world, kill_the_database, times=1, afterwards=0)
    assert verdict(world.site, ledger).lost
