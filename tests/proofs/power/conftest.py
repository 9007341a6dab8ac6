"""Disks in files need root and loop devices, so they are collected in `make prove` only, where they may be skipped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proofs.power.disks import Disk, NoDisk
from tests.proofs.power.machine import Machine
from tests.proofs.rigs.served import run_in_child
from tests.proving import SHARE, size

QUESTIONS = size(600, 8000)
"""More than are answered in all: the disk is small, and copied at each cut."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave the folder out at the size of CI."""
    return None if SHARE else True


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
