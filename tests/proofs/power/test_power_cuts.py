"""The power is cut under load, again and again: nothing that was acknowledged is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests import servers
from tests.forking import ForkedSite
from tests.proofs.power.disks import Disk, NoDisk
from tests.proofs.rigs.ledger import Verdict
from tests.proofs.rigs.served import load, run_in_child, verdict
from tests.proving import size

pytestmark = pytest.mark.xdist_group("power cuts")

SEED = 20120
QUESTIONS = size(600, 8000)
"""More than are answered in all: the disk is small, and copied at each cut."""
NOT_SYNCING = ["fsync=off", "full_page_writes=off"]
LESS = "tests.proofs.power.syncing_less"


@dataclass
class Machine:
    """What runs on a disk: a site and its database server (None: SQLite), and people who are signed in."""

    disk: Disk
    ledgers: Path
    on_postgresql: bool
    settings: str = "frontend.settings"
    database_settings: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    site: ForkedSite | None = None
    server: servers.Server | None = None

    def switch_on(self) -> ForkedSite:
        """Start the servers on the existing data."""
        place, wanted = self.disk.place, {"DJANGO_SETTINGS_MODULE": self.settings}
        if self.on_postgresql:
            (place / "postgresql").mkdir(exist_ok=True)
            self.server = servers.postgresql(place / "postgresql", durable=True, settings=self.database_settings)
            wanted["DATABASE_URL"] = self.server.url
        self.site = ForkedSite(place, **wanted)
        return self.site

    def cut(self) -> None:
        """All processes die at once, and everything in the machine's memory is lost."""
        self.switch_off(at_once=True)
        self.disk = self.disk.cut()

    def switch_off(self, *, at_once: bool = False) -> None:
        """Stop the servers."""
        if self.site is not None:
            self.site.close()
        if self.server is not None:
            (self.server.crash if at_once else self.server.stop)()
        self.site = self.server = None


@pytest.fixture
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Machine]:
    """A machine whose disk has a furnished site."""
    on_postgresql = request.config.getoption("database") == "postgresql"
    if on_postgresql and "TEST_DATABASE_URL" in os.environ:
        pytest.skip("TEST_DATABASE_URL names a server that is not ours to kill")
    try:
        made = Machine(Disk.new(tmp_path), tmp_path, on_postgresql)
    except NoDisk as why:
        pytest.skip(f"no disk in a file here: {why}")
    site = made.switch_on()
    site.prepare()
    made.sessions = tuple(run_in_child(site, f"furnish({QUESTIONS})"))
    made.switch_off()
    os.sync()
    yield made
    made.switch_off()
    made.disk.remove()


def cuts(machine: Machine, *, times: int) -> Verdict:
    """Cut so often, each time after some more acknowledged answers; return the verdict."""
    rng, found = Random(SEED), Verdict()
    for _ in range(times):
        site = machine.switch_on()
        site.start()
        with load(site, list(machine.sessions), folder=machine.ledgers) as ledger:
            ledger.wait_for(rng.randint(5, 40))
            machine.cut()
        said = verdict(machine.switch_on(), ledger)
        for name, entries in vars(found).items():
            entries += getattr(said, name)
        machine.switch_off()
    return found


def test_no_acknowledged_answer_is_lost_when_the_power_is_cut(machine, record_property):
    times = size(2, 200)
    record_property("size", times)
    record_property("seed", SEED)
    assert cuts(machine, times=times).faults() == []


def test_control_commits_that_are_not_synced_are_noticed(machine):
    machine.settings, machine.database_settings = LESS, tuple(NOT_SYNCING)
    if machine.on_postgresql:
        machine.settings = "frontend.settings"
    assert cuts(machine, times=1).lost
