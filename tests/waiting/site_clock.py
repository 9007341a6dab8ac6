"""The clock of a served site, which tests move and stop: nobody waits for its time, and none passes by accident.

A site whose settings call `install` reads it from a file in its data folder, whichever of its processes asks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

NAME = "clock-of-tests.json"


def install(folder: Path) -> None:
    """Let this process of the site with this data folder read the clock of its tests."""
    from annotation import clock

    place, real = folder / NAME, clock.now

    def now() -> datetime:
        try:
            told = json.loads(place.read_bytes())
        except FileNotFoundError:
            return real()
        at = datetime.fromisoformat(told["stopped"]) if told["stopped"] else real()
        return at + timedelta(seconds=told["ahead"])

    clock.now = now


class SiteClock:
    """The handle of the tests on the clock of the site with this data folder."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / NAME
        self._told: dict[str, Any] = {"ahead": 0.0, "stopped": None}

    def _tell(self, **told: Any) -> None:
        self._told |= told
        beside = self._place.with_suffix(".new")
        beside.write_text(json.dumps(self._told))
        beside.replace(self._place)

    def move(self, **by: float) -> None:
        """Let so much time pass at once, while the clock is stopped: `seconds`, `minutes`, ..., as of a timedelta."""
        assert self._told["stopped"], "a clock that goes is that of the machine, for the tests that come later"
        self._tell(ahead=self._told["ahead"] + timedelta(**by).total_seconds())

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """No time passes within, unless it is moved, however long the test takes; then it is the machine's clock again.

        Rows that were written within may then be of the future: nobody else may work with them.
        """
        self._tell(stopped=datetime.now(UTC).isoformat())
        yield
        self._tell(stopped=None, ahead=0.0)
