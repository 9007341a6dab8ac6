"""The disk is filled under load, again and again: readiness says so, nothing is lost, and work goes on by itself."""

from __future__ import annotations

import json
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from random import Random
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest

from tests.proofs.power.machine import Machine
from tests.proofs.rigs.ledger import Verdict
from tests.proofs.rigs.served import load, verdict
from tests.proving import size
from tests.waiting.polling import until

pytestmark = pytest.mark.xdist_group("full disks")

SEED = 20128
RED, BACK = 5, 30
"""Seconds, by promise P18: until readiness says that the disk is full, and from free space to service."""
NOT_LOOKING = "tests.proofs.power.not_looking"


def fill(folder: Path, *, spare: int) -> Path:
    """A file that takes all room on the disk but so many bytes."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for chunk in (2**20, 4096, 1):
            with suppress(OSError):
                while file.write(bytes(chunk)):
                    pass
        file.truncate(max(0, file.tell() - spare))
    return filler


def health(url: str, path: str = "/health/") -> tuple[int, list[str]]:
    """The status and the reasons; 0 if there is no answer."""
    try:
        with urlopen(url + path, timeout=RED) as answer:
            return answer.status, json.load(answer).get("reasons", [])
    except HTTPError as error:
        return error.code, json.load(error).get("reasons", [])
    except (URLError, HTTPException, OSError, ValueError):
        return 0, []


def fills(machine: Machine, *, times: int) -> Verdict:
    """Fill the disk so often, each time after some more acknowledged answers; return the verdict on all of them."""
    rng = Random(SEED)
    site = machine.switch_on()
    site.start()
    until(lambda: health(site.url)[0] == 200, seconds=60)
    with load(site, list(machine.sessions), folder=machine.ledgers) as ledger:
        for _ in range(times):
            ledger.wait_for(rng.randint(5, 40))
            filler = fill(machine.disk.place, spare=rng.choice([0, 0, 4096, rng.randrange(2**19)]))
            until(lambda: "The disk is full." in health(site.url)[1], seconds=RED)
            assert health(site.url, "/health/live/") == (200, [])
            filler.unlink()
            machine.keep_database_up()
            until(lambda: health(site.url)[0] == 200, seconds=BACK)
            ledger.wait_for(len(machine.sessions))
    return verdict(site, ledger)


def test_a_full_disk_is_said_nothing_is_lost_and_work_goes_on_once_there_is_room(machine, record_property):
    times = size(2, 50)
    record_property("size", times)
    record_property("seed", SEED)
    found = fills(machine, times=times)
    assert found.lost + found.doubled + found.unexpected == []


def test_control_a_check_that_does_not_look_at_the_disk_is_noticed(machine):
    machine.settings = NOT_LOOKING
    with pytest.raises(TimeoutError, match=f"nothing within {RED} s"):
        fills(machine, times=1)
