"""Open a project's queues."""

from __future__ import annotations

from datetime import datetime

from annotation import project_config
from annotation import protocol as registry
from annotation.models import Project, User
from tasks import filling, transitions
from tasks.models import Queue
from tasks.states import QueueState


def open_queue(
    project: Project, activity: str, *, by: User | None, now: datetime, least_agreement: float | None = None
) -> tuple[Queue, int]:
    """Open (or open again) the main queue of an activity and fill it; returns it and how many tasks were made."""
    minutes = (
        project_config.config_of(project, activity).lease_minutes
        or registry.get(project.protocol).activity(activity).minutes
    )
    queue, _ = Queue.objects.select_related("project").get_or_create(
        project=project,
        activity=activity,
        name="main",
        defaults={"lease_minutes": minutes, "least_agreement": least_agreement},
    )
    if queue.state != QueueState.OPEN:
        transitions.queue(queue, QueueState.OPEN, by=by, now=now)
    return queue, filling.fill(queue, now=now)
