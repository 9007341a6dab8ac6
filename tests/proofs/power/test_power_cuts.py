"""The power is cut under load, again and again: nothing that was acknowledged is lost."""

from __future__ import annotations

from random import Random

import pytest

from tests.proofs.power.machine import Machine
from tests.proofs.rigs.ledger import Verdict
from tests.proofs.rigs.served import load, verdict
from tests.proving import size

pytestmark = pytest.mark.xdist_group("power cuts")

SEED = 20120
NOT_SYNCING = ["fsync=off", "full_page_writes=off"]
LESS = "tests.proofs.power.syncing_less"


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
