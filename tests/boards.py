"""What jobs keep for boards, brought up to date as they would."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Project
from tasks.board import counting, kept
from tests.people import NOON


def bring_up_to_date(project: Project, *, now: datetime = NOON) -> None:
    """Count the work of all days, and measure what else the board of the project shows."""
    counting.count(now=now)
    kept.keep(project, now=now)
