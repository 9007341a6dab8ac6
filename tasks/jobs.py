"""Celery jobs for housekeeping. Nothing breaks if these never run: claims and lobbies expire leases and fill
queues on demand."""

from __future__ import annotations

from celery import shared_task

from annotation import clock
from annotation.imports import refused_lines, uploads
from qualification import api_tokens
from qualification.courses import sitting
from tasks.background import long_jobs
from tasks.board import counting, kept
from tasks.engine import leases, queues, similarity
from tasks.measuring import agreement, answer_metrics, figures, human_bound, judging_rounds
from tasks.models import Queue
from tasks.models.states import QueueState
from tasks.pairs import presence
from tasks.people import memberships
from tasks.prolific import connecting, groups
from tasks.prolific import sending as prolific_calls
from tasks.webhooks import sending


@shared_task
def beat_heart() -> None:
    """Say that jobs run, for the health check (frontend/server/readiness.py)."""
    long_jobs.beat(now=clock.now())


@shared_task
def expire_leases() -> int:
    """Expire overdue leases and end abandoned shared work; a claim or a lobby also does what is in its way."""
    now = clock.now()
    return leases.expire_overdue(now=now) + presence.end_abandoned(now=now)


@shared_task
def end_exams() -> int:
    """Grade the exams whose time is over; whoever opens one does it, too."""
    return sitting.end_overdue(now=clock.now())


@shared_task
def end_memberships() -> int:
    """End the memberships of people who were to finish what they held, and have; they get no new work anyway."""
    return memberships.end_finished(now=clock.now())


@shared_task
def fill_queues() -> int:
    """Create the missing tasks of open queues; a claim also creates some before it says that there is no work."""
    now = clock.now()
    rows = Queue.objects.filter(state=QueueState.OPEN).select_related("project")
    return sum(queues.fill(queue, now=now, at_most=queues.AT_MOST_IN_A_CLAIM) for queue in rows)


@shared_task
def measure_figures() -> int:
    """Measure the projects in which something has happened, for their leads; returns how many."""
    return figures.measure_due(now=clock.now())


@shared_task
def measure_human_bounds() -> int:
    """Measure how well people do on the official metrics, where something has happened; returns how many projects."""
    return human_bound.measure_due(now=clock.now())


@shared_task
def measure_judging_rounds() -> int:
    """Measure the results of judging rounds in which somebody has locked their marks since; returns how many rounds."""
    now = clock.now()
    return judging_rounds.measure_due(now=now) + answer_metrics.measure_due(now=now)


@shared_task
def measure_agreement() -> int:
    """Measure how far people agree in the projects in which something has happened; returns how many."""
    return agreement.measure_due(now=clock.now())


@shared_task
def count_work() -> bool:
    """Count the work of the days in which something has changed, for the boards of leads; returns whether it did."""
    return counting.count_due(now=clock.now())


@shared_task
def measure_boards() -> int:
    """Measure what else boards show, in the projects in which something has happened; returns how many."""
    return kept.measure_due(now=clock.now())


@shared_task
def compare_annotations() -> int:
    """Measure how alike the annotations of items are where that has changed; returns how many items."""
    return similarity.measure_due()


@shared_task
def send_to_prolific() -> int:
    """Send confirmed bonuses and changed groups to Prolific, where it is turned on; returns how many."""
    if not connecting.is_on():
        return 0
    now = clock.now()
    return prolific_calls.send_due(now=now) + groups.fill_due(now=now)


@shared_task
def start_jobs() -> int:
    """Start the child processes of long jobs that may begin; returns how many."""
    return long_jobs.start_due()


@shared_task
def send_webhooks() -> int:
    """Call webhooks with what has happened in their projects; returns how many calls it made."""
    return sending.send_due()


@shared_task
def remove_old_files() -> None:
    """Remove uploads, lists of refused lines, deliveries and answers of the API that nobody has wanted for long."""
    api_tokens.forget_calls(now=clock.now())
    sending.remove_old(now=clock.now())
    uploads.remove_old(now=clock.now())
    refused_lines.remove_old(now=clock.now())
