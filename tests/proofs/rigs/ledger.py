"""A synced log of what clients have sent and what became of it, and a comparison of it with the stored rows."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECONDS = 120
"""Seconds after which the rig itself counts as broken."""
INVOKE, OK, FAIL, INFO = "invoke", "ok", "fail", "info"
"""Sent; acknowledged; refused; outcome unknown."""


def hash_of(payload: Mapping[str, Any]) -> str:
    """A short hash of an answer."""
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()[:16]


class Ledger:
    """One line in a file for each thing that a client knows, synced before the client continues; thread-safe."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("w+b")
        self.count = 0
        """How many were acknowledged."""
        self.failed: Counter[str] = Counter()
        """Why attempts were not answered."""
        self.end = threading.Event()
        self._changed = threading.Condition()

    def say(self, what: str, key: str, work: str, payload: str, why: str = "") -> None:
        """Note what is now known of this answer (by its hash) to that work."""
        line = {"what": what, "key": key, "work": work, "payload": payload, "why": why}
        with self._changed:
            self.file.write(json.dumps(line).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
            self.count += what == OK
            self._changed.notify_all()

    def wait_for(self, more: int) -> None:
        """Return as soon as so many more answers were acknowledged."""
        with self._changed:
            enough = self.count + more
            if not self._changed.wait_for(lambda: self.count >= enough, SECONDS):
                raise AssertionError(f"nothing goes on: {self.failed}")

    def lines(self) -> list[dict[str, str]]:
        """The lines of the file."""
        self.file.seek(0)
        return [json.loads(line) for line in self.file]


@dataclass
class Verdict:
    """The operations of a ledger by outcome, as sentences; `recovered` is not a fault."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    recovered: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        """All faults."""
        return self.lost + self.doubled + self.unexpected + self.refused


def judged(lines: Iterable[dict[str, str]], stored: Iterable[dict[str, Any]], *, known: frozenset[str]) -> Verdict:
    """Compare a ledger with the rows (key, hash of the payload, possible works); `known`: keys of other ledgers.

    Acknowledged and not stored as it was sent: lost. Stored more than once: doubled. Stored but never sent, sent
    differently, or refused: unexpected. Sent, unanswered or answered only on a retry, and stored: recovered.
    """
    said: dict[str, list[dict[str, str]]] = defaultdict(list)
    for line in lines:
        said[line["key"]].append(line)
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    of_work: Counter[str] = Counter()
    for row in stored:
        rows[row["key"]].append(row)
        of_work.update(row["works"])
    found = Verdict()
    for key, history in said.items():
        sent, ends, there = history[0], {line["what"] for line in history}, rows.pop(key, [])
        right = [row for row in there if row["payload"] == sent["payload"] and sent["work"] in row["works"]]
        if OK in ends and not right:
            found.lost.append(f"{sent}: {there}")
        if len(there) > 1 or of_work[sent["work"]] > 1:
            found.doubled.append(f"{sent}: {there}")
        if there and (FAIL in ends or len(right) < len(there)):
            found.unexpected.append(f"{sent}: {there}")
        if FAIL in ends:
            found.refused.append(f"{history[-1]}")
        if right and FAIL not in ends and (INFO in ends or OK not in ends):
            found.recovered.append(key)
    found.unexpected += [f"{key} was never sent: {there}" for key, there in rows.items() if key not in known]
    return found
