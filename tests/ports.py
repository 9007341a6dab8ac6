"""TCP ports for servers that tests start and that can't choose a port for themselves."""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import IO

FIRST = 10_100
"""Above the last port that browsers refuse to open (10080)."""
_EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
_reserved: list[IO[str]] = []
"""The locks of the ports that this process has been given, held until it ends."""


def reserved_port() -> int:
    """A free port that nothing else takes while this process runs.

    It lies below the range from which the system gives ports to outgoing connections, so that none of these can take it
    between this call and the server's start, or while the server is being restarted; a locked file keeps it from the
    other processes of the tests.
    """
    folder = Path(tempfile.gettempdir()) / f"goldfinch-test-ports-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    candidates = list(range(FIRST, _first_ephemeral_port()))
    random.SystemRandom().shuffle(candidates)
    for port in candidates:
        lock = (folder / str(port)).open("w")
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with closing(socket.socket()) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("0.0.0.0", port))
            _reserved.append(lock)
            return port
        lock.close()
    raise RuntimeError("no TCP port is free")


def _first_ephemeral_port() -> int:
    """The end of the range for servers; 32768, Linux's default, where the system does not say."""
    with suppress(OSError):
        return int(_EPHEMERAL.read_text().split()[0])
    return 32768
