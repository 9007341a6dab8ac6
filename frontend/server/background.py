"""Embedded mode: a Celery worker and beat in threads of the web process, on in-memory transports."""

from __future__ import annotations

import threading
import uuid
from typing import Any

from celery import beat
from celery.worker import state
from celery.worker.worker import WorkController

from frontend.celery import app

SECONDS_TO_STOP = 10
"""A job that still runs then is abandoned; the next beat sends its row again."""


class Schedule(beat.Scheduler):
    """CELERY_BEAT_SCHEDULE in memory, reset at each start: the default scheduler persists it in a file."""

    def setup_schedule(self) -> None:
        self.merge_inplace(self.app.conf.beat_schedule)


class Background:
    """The threads of worker and beat; `start` returns at once, `stop` when both have ended."""

    def __init__(self) -> None:
        self._worker: Any = WorkController(
            app=app,
            # A name of its own: the in-memory broker would give the next worker of this name what the last left unread.
            hostname=f"celery@{uuid.uuid4().hex}",
            pool_cls="threads",
            concurrency=2,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
        )
        self.name: str = self._worker.hostname
        self._beat = beat.EmbeddedService(app, thread=True, scheduler_cls=Schedule)
        self._thread = threading.Thread(target=self._worker.start, name="Worker", daemon=True)

    def start(self) -> None:
        state.should_stop = None  # an earlier stop in this process has left it set
        self._thread.start()
        self._beat.start()

    def stop(self) -> None:
        """Stop both; a running job gets SECONDS_TO_STOP to finish."""
        state.should_stop = 0
        # Wakes the worker, which checks the line above only every 2 s.
        app.control.shutdown(destination=[self.name])
        self._beat.stop()
        self._thread.join(SECONDS_TO_STOP)
