"""The jobs of releases: count what one would contain, and build it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from annotation import clock
from annotation.errors import ReleaseRefused
from annotation.models import Job, User
from annotation.releases import building, previewing
from annotation.releases.data_files import ItemsRefused

SECONDS_BETWEEN_TRIES = 1
"""While a command builds another release of the project."""
Progress = Callable[[int, int], None]


def build(job: Job, *, by: User | None, progress: Progress) -> dict[str, Any]:
    """Build the release that the job asks for, and return its version; waits while another one is being built."""
    options = release_options(job.report["asked"])
    while True:
        try:
            release = building.build(job.project, **options, by=by, now=clock.now(), progress=progress)
        except ItemsRefused as refusal:
            Job.objects.filter(pk=job.pk).update(report=job.report | {"refused": refusal.refused})
            raise
        except ReleaseRefused as refusal:
            if refusal.reason != building.BUSY:
                raise
            progress(0, 0)
            time.sleep(SECONDS_BETWEEN_TRIES)
        else:
            return {"version": release.version}


def preview(job: Job, *, by: User | None, progress: Progress) -> dict[str, Any]:
    """What the release that the job asks for would contain and leave out."""
    options = release_options(job.report["asked"])
    return previewing.preview(job.project, **options, looked_at=lambda number: progress(number, 0))


def release_options(asked: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `building.build` from what a job stores of them as JSON."""
    until = asked.get("until")
    return asked | {"until": datetime.fromisoformat(until) if until else None}
