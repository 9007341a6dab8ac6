"""Celery: tidy what nobody met. Nothing breaks if these never run."""

from __future__ import annotations

from celery import shared_task

from annotation import clock
from tasks import leases, queues
from tasks.models import Queue
from tasks.states import QueueState


@shared_task
def expire_leases() -> int:
    """End overdue leases; claiming ends what it meets anyway."""
    return leases.expire_overdue(now=clock.now())


@shared_task
def fill_queues() -> int:
    """Make missing tasks of open queues; a claim makes some before it says that there is no work."""
    now = clock.now()
    rows = Queue.objects.filter(state=QueueState.OPEN).select_related("project")
    return sum(queues.fill(queue, now=now, at_most=queues.AT_MOST_IN_A_CLAIM) for queue in rows)
