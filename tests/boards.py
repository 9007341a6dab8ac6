"""What jobs keep for boards and other pages of leads, brought up to date as they would."""

from __future__ import annotations

from datetime import datetime

from annotation import clock
from annotation.models import Project
from tasks import jobs
from tasks.board import counting, kept
from tasks.measuring import agreement
from tests.people import NOON


def bring_up_to_date(project: Project, *, now: datetime = NOON) -> None:
    """Count the work of all days, and measure what else the board of the project shows."""
    counting.count(now=now)
    kept.keep(project, now=now)


def measure_everything() -> None:
    """What housekeeping measures in the course of time, at once, in all projects."""
    for job in (jobs.compare_annotations, jobs.count_work, jobs.measure_boards, jobs.measure_figures):
        job()
    jobs.measure_human_bounds()
    for project in Project.objects.order_by("pk"):
        agreement.keep(project, now=clock.now())
