"""The list of a release's files by their sha-256, which `sha256sum -c` reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

NAME = "SHA256SUMS"


def text(entries: Iterable[dict[str, Any]]) -> bytes:
    """A line for each file, from its `name` and `sha256`."""
    return "".join(f"{entry['sha256']}  {entry['name']}\n" for entry in entries).encode()
