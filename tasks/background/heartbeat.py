"""The sign of life of the background jobs: a job that does nothing else writes the time, wherever it runs.

That takes all of them: the beat that sends it, the broker, and a worker that is free.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from tasks.models.measurements import Heartbeat

LIMIT = timedelta(minutes=5)
"""For how long it may be silent: jobs that measure large projects can keep all workers busy for minutes."""


def beat(*, now: datetime) -> None:
    """Write that jobs run."""
    Heartbeat.objects.update_or_create(pk=Heartbeat.ONLY, defaults={"at": now})


def last() -> datetime | None:
    """When they last ran; None if they never have."""
    return Heartbeat.objects.filter(pk=Heartbeat.ONLY).values_list("at", flat=True).first()
