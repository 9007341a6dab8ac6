"""A fixed amount of work of Python and of the disk, measured beside every figure, so that two hours can be compared."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ADDITIONS = 3_000_000
SYNCS = 50


def yardstick() -> dict[str, Any]:
    """Additions a second of one core, synced writes of 4 KB a second, and the load of the last minute."""
    return {"additions_per_s": additions_per_s(), "syncs_per_s": syncs_per_s(), "load": round(os.getloadavg()[0], 2)}


def beside_yardstick(measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """One row of figures with the yardstick of the moment before."""
    measured = yardstick()
    return measure() | {"yardstick": measured}


def additions_per_s() -> int:
    """How fast one core adds small numbers in Python right now: shared machines vary by half from hour to hour."""
    begun, total = time.perf_counter(), 0
    for number in range(ADDITIONS):
        total += number
    return round(ADDITIONS / (time.perf_counter() - begun))


def syncs_per_s() -> int:
    """How many small writes a second the disk of temporary folders makes durable, one after the other."""
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "file").open("wb", buffering=0) as file:
        begun = time.perf_counter()
        for _ in range(SYNCS):
            file.write(bytes(4096))
            os.fsync(file.fileno())
        return round(SYNCS / (time.perf_counter() - begun))


def processor_seconds(pid: int) -> float:
    """The CPU time used by all threads of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
