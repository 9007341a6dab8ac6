"""Names of processes of this machine, from which others of it can tell whether they have ended."""

from __future__ import annotations

import os
from pathlib import Path

BOOT = Path("/proc/sys/kernel/random/boot_id")
NUMBERS = Path("/proc/self/ns/pid")
"""Two containers of one machine number their processes separately."""


def myself() -> str:
    """The name of this process; none that has ended or will start has the same."""
    return f"{_here()} {os.getpid()} {_started(os.getpid())}"


def has_ended(name: str) -> bool:
    """Whether a process is known to have ended: never for one of another machine, nor where there is no /proc."""
    here, pid, started = name.rsplit(" ", 2)
    return bool(started) and here == _here() and _started(int(pid)) != started


def _here() -> str:
    return f"{BOOT.read_text().strip()}/{NUMBERS.stat().st_ino}" if BOOT.exists() and NUMBERS.exists() else ""


def _started(pid: int) -> str:
    """When a process started, in ticks since the machine did; "" if it has ended, also if nobody has waited for it."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return fields[18] if state not in "ZX" else ""
