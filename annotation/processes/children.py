"""Child processes: none outlives the process that started it, whether that stops or is killed.

A stopping parent asks its children to end, and kills those that take too long. A parent that is killed can't: on Linux
the kernel kills its children then, which they ask for when they begin. It does so when the *thread* ends that has
started them, so a thread that starts children has to last as long as its process.

Names of processes of this machine tell others of it whether they have ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

PARENT = "GOLDFINCH_PARENT"
"""The environment variable in which a child finds the process id of its parent."""
GRACE = 5
"""Seconds in which a child may tidy up before it is killed."""
SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
_lock = threading.Lock()
_running: set[subprocess.Popen[Any]] = set()
_ending = False


class Ending(Exception):
    """This process is about to end, and has no more children."""


def start(
    command: Sequence[str], *, environment: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[Any]:
    """Start a command of ours that ends with this process; `options` are those of Popen. Raises Ending.

    It leads a process group with its own children, so that none of them is left when it has to be killed.
    """
    known = os.environ if environment is None else environment
    group = None if PARENT in os.environ else 0
    with _lock:
        if _ending:
            raise Ending
        _running.difference_update([child for child in _running if child.poll() is not None])
        child = subprocess.Popen(  # noqa: S603 (nothing of a request is in it)
            command, env={**known, PARENT: str(os.getpid())}, process_group=group, **options
        )
        _running.add(child)
    return child


def run(command: Sequence[str]) -> None:
    """Start it without output and wait. Raises CalledProcessError if it fails, Ending if this process ends first."""
    child = start(command, stdout=subprocess.DEVNULL)
    if child.wait():
        raise Ending if _ending else subprocess.CalledProcessError(child.returncode, command)


def end_all() -> None:
    """End all children of this process, and start no more."""
    global _ending
    with _lock:
        _ending = True
        children = [child for child in _running if child.poll() is None]
    for child in children:
        child.terminate()
    end = time.monotonic() + GRACE
    for child in children:
        with suppress(subprocess.TimeoutExpired):
            child.wait(max(0, end - time.monotonic()))
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def end_with_parent() -> None:
    """In a new process: end with the one that has started it, if that was `start`."""
    if parent := os.environ.get(PARENT):
        end_with(int(parent))


def end_with(parent: int) -> None:
    """In a child: be killed when that process ends (on Linux), or at once if it has ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


BOOT = Path("/proc/sys/kernel/random/boot_id")
NUMBERS = Path("/proc/self/ns/pid")
"""Two containers of one machine number their processes separately."""


def this_process() -> str:
    """The name of this process; none that has ended or will start has the same."""
    return f"{_here()} {os.getpid()} {_started(os.getpid())}"


def process_has_ended(name: str) -> bool:
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
