"""Say what went wrong without filling the log: a fault that lasts is reported once a minute."""

from __future__ import annotations

import logging
import time

EVERY = 60
"""Seconds between two reports of the same fault."""
logger = logging.getLogger("frontend.sockets")


class Trouble:
    """One kind of fault, with the sentence that reports it."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence
        self._reported: float | None = None

    def report(self, error: BaseException) -> None:
        """Write a warning with the error, unless the last one was less than a minute ago."""
        now = time.monotonic()
        if self._reported is None or now - self._reported >= EVERY:
            self._reported = now
            logger.warning("%s %s: %s", self._sentence, type(error).__name__, error)
